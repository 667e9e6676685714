// All texts of the window in Chinese are Chinese: in widgets, menus, dialogs and for screen readers, and
// painted ones. Names of the report and terms that engineers keep in English stay.

#include "app/command_palette.h"
#include "app/help_browser.h"
#include "app/language_choice.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/part_dialog.h"
#include "app/preferences_dialog.h"
#include "app/record_dialog.h"
#include "app/reports_dialog.h"
#include "app/theme_choice.h"
#include "app/window_actions.h"
#include "core/glossary/glossary.h"
#include "core/render/language.h"
#include "core/store/trace.h"
#include "tests/support/report_fixture.h"
#include "tests/support/shown_texts.h"
#include "tests/support/test_program.h"
#include "views/compare/compared_timelines.h"
#include "views/panels/handover_dialog.h"
#include "views/panels/panel.h"
#include "views/session/run_pair.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPainter>
#include <QPointer>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include <set>

namespace tst_shown_texts {

using namespace warpline;
using namespace warpline::test;

namespace {

const QString sampleReport = WARPLINE_SOURCE_DIR "/resources/sample.sqlite";

/// Latin words in Chinese texts other than names: the terms of docs/development/terms-zh.md, units, keys, and
/// products. Words in capitals (NVTX, SELECT) and those with a capital inside (cudaMalloc) need no entry.
bool isAllowed(const QString& word)
{
    static const std::set<QString> words = [] {
        const QString terms
            = "kernel warp lane grid tile graph cuda tensor core roofline memcpy memset token prompt "
              "attention prefill decode worker loader schedule profiler runtime rank softmax dropout "
              "stencil futex poll split baseline backward forward batch halo managed vector print "
              "payload push pop start end malloc benchmark all gather reduce broadcast send "
              "receive scatter if new";
        const QString units = "ns us ms kb mb gb kib mib gib hz khz mhz ghz pt px flop flops tflops";
        const QString keys
            = "ctrl alt shift esc tab enter return del home end left right up down space ins backspace "
              "pgup pgdown";
        const QString products
            = "nsys ncu nsight systems compute nvidia pytorch torch python triton slurm mpirun srun "
              "warpline perfetto markdown chrome linux windows sqlite json html csv png numba julia "
              "kokkos fortran umpire torchvision thrust code goto nccl tests english true";
        const QStringList all = (terms + ' ' + units + ' ' + keys + ' ' + products).split(' ');
        return std::set<QString>(all.begin(), all.end());
    }();
    static const QRegularExpression identifier("^[A-Z]+s?$|[a-z][A-Z]|[A-Z]{2}");
    return words.contains(word.toLower()) || word.contains(identifier);
}

/// Names in reports: whole, and their words.
class Names {
public:
    void add(const QString& name)
    {
        static const QRegularExpression word("[A-Za-z]+");
        constexpr int shortest = 3;
        if (name.size() >= shortest)
            m_whole.insert(name);
        for (const auto& match : word.globalMatch(name))
            m_words.insert(match.captured());
    }
    /// All texts of the file: names, and facts of the recording.
    void addFile(const QString& path)
    {
        add(QFileInfo(path).fileName());
        add(path);
        const auto column = [file = path.toStdString()](const std::string& sql) {
            QStringList values;
            for (const auto& row : sqlRows(file, sql).value_or(std::vector<std::vector<std::string>>()))
                values << QString::fromStdString(row.front());
            return values;
        };
        for (const QString& table : column("SELECT name FROM sqlite_master WHERE type = 'table'")) {
            const std::string name = '"' + table.toStdString() + '"';
            add(table);
            for (const QString& each : column("SELECT name FROM pragma_table_info(" + name + ')'))
                add(each);
            for (const QString& each :
                column("SELECT name FROM pragma_table_info(" + name + ") WHERE type <> 'INTEGER'")) {
                for (const QString& value :
                    column("SELECT DISTINCT \"" + each.toStdString() + "\" FROM " + name))
                    add(value);
            }
        }
    }
    void add(MainWindow& window)
    {
        for (const OpenReport& report : window.session().workspace().reports()) {
            const StringPool& pool = *report.trace->pool;
            for (std::size_t i = 0; i < pool.size(); ++i) {
                const std::string_view text = pool[StringId{static_cast<std::uint32_t>(i)}];
                add(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
            }
        }
        // Views that SQL queries may use, and their columns.
        add("kernels copies sets launches threads calls domain ranges name value duration start end timestamp time");
        for (const ReportList* const list : {&window.reports(), &window.otherReports()}) {
            for (const ListedReport& listed : list->reports())
                addFile(listed.path);
        }
    }

    bool hasWord(const QString& word) const { return m_words.contains(word); }
    /// `text` without whole names that are not parts of longer words.
    QString without(QString text) const
    {
        const auto isWord = [](QChar c) { return c.unicode() < 0x80 && c.isLetterOrNumber(); };
        for (auto name = m_whole.rbegin(); name != m_whole.rend(); ++name) {
            for (qsizetype at = text.indexOf(*name); at >= 0; at = text.indexOf(*name, at + 1)) {
                const qsizetype end = at + name->size();
                const bool isPart = (at > 0 && isWord(text[at - 1]) && isWord(name->front()))
                    || (end < text.size() && isWord(text[end]) && isWord(name->back()));
                if (!isPart)
                    text.replace(at, name->size(), QString(" "));
            }
        }
        return text;
    }

private:
    struct ByLength {
        bool operator()(const QString& a, const QString& b) const
        {
            return std::pair(a.size(), a) < std::pair(b.size(), b);
        }
    };
    std::set<QString, ByLength> m_whole;
    std::set<QString> m_words;
};

/// The Latin words of `text` that are neither a name nor a term; empty: none.
QString foreignIn(QString text, const Names& names)
{
    static const QRegularExpression latin("[A-Za-z]{2}");
    static const QRegularExpression code(
        "[\\x21-\\x7e]*[_/=<>~:\\\\#$()\\[\\]{}][\\x21-\\x7e]*|\\S*\u2026\\S*|[0-9a-f-]{30,}");
    static const QRegularExpression command(
        "\\bnsys \\w+.*|#pragma [a-z ]+|nvidia-cuda\\S*|warpline-cli \\w+|python \\S+|\\w+(?:\\.\\w+)+|\\*?\\.\\w[\\w.-]*|multi-instance|^  .*[;)].*");
    static const QRegularExpression query(
        "\\b(?:SELECT|FROM|WHERE|WITH|GROUP BY|ORDER BY|AS)\\b|\\b(?:count|sum|max|min)\\(|^\\w+  (?:integer|text|real|blob)$");
    static const QRegularExpression word("(?<![A-Za-z0-9_])[A-Za-z]{2,}(?![A-Za-z0-9_])");
    if (!text.contains(latin) || text.contains(query))
        return {};
    text.remove(command);
    text = names.without(std::move(text)).replace(code, " ");
    QStringList foreign;
    for (const auto& match : word.globalMatch(text)) {
        if (!isAllowed(match.captured()) && !names.hasWord(match.captured()))
            foreign << match.captured();
    }
    return foreign.join(' ');
}

/// Collects untranslated texts, each once.
class Foreign {
public:
    Names names;
    void look(QWidget& root, const QString& where)
    {
        const QList<ShownText> texts = shownTexts(root);
        QString told;
        for (const ShownText& shown : texts) {
            ++m_seen;
            if (shown.place.contains("View#listView") || shown.place.contains("View#treeView")
                || shown.place.contains("#sidebar")) // files and folders
                continue;
            const bool isPainted = shown.place == "painted";
            if (!isPainted)
                told += shown.text + '\n';
            if ((isPainted && told.contains(shown.text.trimmed())) || m_known.contains(shown.text))
                continue; // a line of a text that was checked as a whole
            m_known.insert(shown.text);
            const QString words = foreignIn(shown.text, names);
            if (!words.isEmpty())
                m_found << where + " | " + shown.place + " | " + shown.text + " | " + words;
        }
    }
    int seen() const { return m_seen; }
    void verify() const
    {
        for (const QString& each : m_found)
            qInfo().noquote() << each;
        QVERIFY2(
            m_found.isEmpty(), qPrintable(QString::number(m_found.size()) + " texts are not translated"));
    }

private:
    QStringList m_found;
    std::set<QString> m_known;
    int m_seen = 0;
};

void waitFor(MainWindow& window)
{
    QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 60'000);
    QApplication::processEvents();
}

/// nsys' tables have nsys' headers, as in its guides; descriptions of tables and headers are Chinese.
void addTables(const MainWindow& window, Names& names)
{
    for (const QTableView* const view :
        window.findChild<QDockWidget*>("tables")->findChildren<QTableView*>()) {
        for (int column = 0; view->model() && column < view->model()->columnCount(); ++column)
            names.add(view->model()->headerData(column, Qt::Horizontal).toString());
    }
}

/// A dialog that is a temporary object of the caller.
void look(QWidget&& dialog, Foreign& foreign)
{
    dialog.show();
    QApplication::processEvents();
    foreign.look(dialog, dialog.metaObject()->className());
}

/// Each panel in front, one after the other, with nothing selected and with an event.
void lookThroughPanels(MainWindow& window, Foreign& foreign)
{
    for (const PanelKind* const kind : allPanels()) {
        if (!window.docks().showPanel(kind->id))
            continue;
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60'000);
        QApplication::processEvents();
        addTables(window, foreign.names);
        foreign.look(window, kind->id);
    }
}

} // namespace

class ShownTextsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void paintedTextsAreFound();
    void oneReport();
    void oneReportOfPyTorch();
    void aTraceOfPyTorch();
    void comparison();
    void ranks();
    void severalReports();
    void startPageAndErrors();
    void dialogs();
    void contextMenus();
};

void ShownTextsTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_shown_texts");
}

void ShownTextsTest::init()
{
    QSettings().clear();
    chooseLanguageForThisRun("zh_CN");
    applyLanguage();
}

/// The other tests are useless if painted texts are not found.
void ShownTextsTest::paintedTextsAreFound()
{
    class Painted : public QWidget {
        void paintEvent(QPaintEvent* /*event*/) override
        {
            QPainter painter(this);
            painter.drawText(QRect(0, 0, 300, 40), Qt::AlignLeft, QString::fromUtf8("每步 kernel 时间"));
            painter.translate(0, 50);
            painter.drawText(QPoint(10, 20), "busy");
        }
    } painted;
    painted.resize(300, 100);
    QStringList texts;
    for (const ShownText& shown : paintedTexts(painted))
        texts << shown.text;
    QCOMPARE(texts, (QStringList{QString::fromUtf8("每步 kernel 时间"), "busy"}));
    QCOMPARE(foreignIn(QString::fromUtf8("每步 kernel 时间 busy ampere_gemm"), {}), QString("busy"));
}

void ShownTextsTest::oneReport()
{
    MainWindow window(themeNamed("light"));
    window.resize(1280, 720);
    window.show();
    window.open(sampleReport);
    waitFor(window);
    Foreign foreign;
    foreign.names.add(window);
    lookThroughPanels(window, foreign);
    foreign.verify();
    QVERIFY(foreign.seen() > 1000);
}

void ShownTextsTest::oneReportOfPyTorch()
{
    MainWindow window(themeNamed("light"));
    window.resize(1600, 900);
    window.show();
    window.open(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
    waitFor(window);
    Foreign foreign;
    foreign.names.add(window);
    lookThroughPanels(window, foreign);
    foreign.verify();
}

/// Operators with their shapes, so that there is a roofline, and annotations on the GPU.
void ShownTextsTest::aTraceOfPyTorch()
{
    MainWindow window(themeNamed("light"));
    window.resize(1600, 900);
    window.show();
    window.open(WARPLINE_TEST_DATA "/operators/mix.json.gz");
    waitFor(window);
    Foreign foreign;
    foreign.names.add(window);
    foreign.names.add("tensor cores, data sheet"); // units and documents that limits are named by
    // Categories of the file and options of the recorder, which core has as text.
    for (const char* const name : {"Trace", "events without a category", "metadata", "yes", "no"})
        foreign.names.add(name);
    foreign.names.add("stream memory"); // what a filter of rows may be
    lookThroughPanels(window, foreign);
    foreign.verify();
}

void ShownTextsTest::comparison()
{
    MainWindow window(themeNamed("light"));
    window.resize(1600, 900);
    window.show();
    window.compare(QString(WARPLINE_TEST_DATA "/pairs/grid_before.sqlite"),
        WARPLINE_TEST_DATA "/pairs/grid_after.sqlite");
    waitFor(window);
    QVERIFY(window.session().pair().isOn());
    Foreign foreign;
    foreign.names.add(window);
    lookThroughPanels(window, foreign);
    foreign.verify();
}

void ShownTextsTest::ranks()
{
    const std::string first = sharedReport("ddp_straggler_rank0");
    if (first.empty())
        QSKIP("../shared/reports is not here");
    MainWindow window(themeNamed("light"));
    window.resize(1600, 900);
    window.show();
    window.openAll(
        {QString::fromStdString(first), QString::fromStdString(sharedReport("ddp_straggler_rank1"))});
    waitFor(window);
    Foreign foreign;
    foreign.names.add(window);
    window.enter(MainWindow::Mode::Ranks);
    lookThroughPanels(window, foreign);
    look(ReportsDialog(window.reports(), window.session()), foreign);
    foreign.verify();
}

void ShownTextsTest::severalReports()
{
    MainWindow window(themeNamed("light"));
    window.resize(1600, 900);
    window.show();
    window.openAll({WARPLINE_TEST_DATA "/reports/halo_one.sqlite", WARPLINE_TEST_DATA "/reports/um.sqlite",
        WARPLINE_TEST_DATA "/reports/python_samples.sqlite"});
    waitFor(window);
    Foreign foreign;
    foreign.names.add(window);
    std::vector<ReportId> reports; // the workspace is another one when clocks are found
    for (const OpenReport& report : window.session().workspace().reports())
        reports.push_back(report.id);
    for (const ReportId report : reports) {
        window.session().chooseReport(report);
        lookThroughPanels(window, foreign);
    }
    foreign.verify();
}

void ShownTextsTest::startPageAndErrors()
{
    MainWindow window(themeNamed("light"));
    window.resize(1600, 900);
    window.show();
    QApplication::processEvents();
    Foreign foreign;
    foreign.names.add("start timestamp time duration name value"); // columns, as SQL has them
    foreign.names.add("kernels stream memory"); // what a filter of rows may be
    foreign.look(window, "start");
    for (const char* const name :
        {"/tests/data/nowhere.sqlite", "/README.md", "/resources/icons/warpline.svg"}) {
        const QString path = QString(WARPLINE_SOURCE_DIR) + name;
        QSignalSpy failed(&window, &MainWindow::openFailed);
        foreign.names.add(path);
        window.open(path);
        QTRY_COMPARE(failed.count(), 1);
        QApplication::processEvents();
        foreign.look(window, QFileInfo(path).fileName());
    }
    foreign.verify();
}

void ShownTextsTest::dialogs()
{
    MainWindow window(themeNamed("light"));
    window.resize(1600, 900);
    window.show();
    window.open(sampleReport);
    waitFor(window);
    window.session().time().selectRange(
        {window.session().session().start, window.session().session().start + 1'000'000});
    Foreign foreign;
    foreign.names.add(window);
    foreign.names.add(QDir::home().dirName()); // a place of the dialog of files
    look(PreferencesDialog(&window), foreign);
    look(RecordDialog(nullptr), foreign);
    look(RecordDialog(&window.session().trace()), foreign);
    look(PartDialog(window.session(), PartDialog::Kind::Trace), foreign);
    look(PartDialog(window.session(), PartDialog::Kind::Cut), foreign);
    look(HandoverDialog(window.session()), foreign);
    look(ReportsDialog(window.reports(), window.session()), foreign);
    look(CommandPalette(window.actions(), window.session(), CommandPalette::Finds::Everything, nullptr),
        foreign);
    look(CommandPalette(window.actions(), window.session(), CommandPalette::Finds::Rows, nullptr), foreign);
    for (const GlossaryEntry& entry : glossary()) // stands below the Chinese one
        foreign.names.add(QString::fromUtf8(entry.term.data(), static_cast<qsizetype>(entry.term.size())));
    for (void (MainWindow::*show)() : {&MainWindow::showKeys, &MainWindow::showWords,
             &MainWindow::showReading, &MainWindow::showAbout, &MainWindow::askWhatToCompare}) {
        QTimer::singleShot(0, &window, [&foreign] {
            QWidget* const sheet = QApplication::activeModalWidget();
            QVERIFY(sheet);
            foreign.look(*sheet, sheet->metaObject()->className());
            sheet->close();
        });
        (window.*show)();
    }
    foreign.verify();
}

void ShownTextsTest::contextMenus()
{
    MainWindow window(themeNamed("light"));
    window.resize(1600, 900);
    window.show();
    window.open(sampleReport);
    waitFor(window);
    Foreign foreign;
    foreign.names.add(window);
    const auto openOn = [&](QWidget& widget, QPoint place) {
        QTimer::singleShot(0, &window, [&foreign] {
            if (QWidget* const menu = QApplication::activePopupWidget()) {
                foreign.look(*menu, "menu");
                menu->close();
            }
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, widget.mapToGlobal(place));
        QApplication::sendEvent(&widget, &event);
        QApplication::processEvents();
    };
    for (const PanelKind* const kind : allPanels()) {
        if (!window.docks().showPanel(kind->id))
            continue;
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60'000);
        QList<QPointer<QWidget>> widgets; // a menu may remove some
        for (QWidget* const each : window.findChildren<QWidget*>())
            widgets << each;
        for (const QPointer<QWidget>& each : widgets) {
            if (each && each->isVisible() && each->height() > 60 && !qobject_cast<QMainWindow*>(each))
                openOn(*each, QPoint(each->width() / 3, 30));
        }
    }
    foreign.verify();
}

WARPLINE_TEST(ShownTextsTest)

} // namespace tst_shown_texts

#include "tst_shown_texts.moc"
