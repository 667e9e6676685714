// Everything that the window shows in Chinese is Chinese: what widgets, menus, dialogs and screen readers
// have, and what is painted. Names of the report and the terms that engineers leave in English stay.

#include "app/command_palette.h"
#include "app/help_browser.h"
#include "app/language_choice.h"
#include "app/main_window.h"
#include "app/part_dialog.h"
#include "app/preferences_dialog.h"
#include "app/record_dialog.h"
#include "app/reports_dialog.h"
#include "app/theme_choice.h"
#include "app/window_actions.h"
#include "core/render/language.h"
#include "tests/support/report_fixture.h"
#include "tests/support/shown_texts.h"
#include "views/compare/compared_timelines.h"
#include "views/panels/handover_dialog.h"
#include "views/panels/panel.h"
#include "views/session/run_pair.h"
#include "views/timeline/timeline_pane.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSettings>
#include <QTest>
#include <QTimer>

#include <set>

using namespace warpline;
using namespace warpline::test;

namespace {

const QString sampleReport = WARPLINE_SOURCE_DIR "/resources/sample.sqlite";

/// What Chinese texts have in Latin letters: terms, units, keys and products.
const std::set<QString>& allowedWords()
{
    static const std::set<QString> words = [] {
        const QString listed
            = "kernel warp lane grid tile graph cuda tensor core roofline sm sms memcpy memset token prompt attention "
              "prefill decode worker loader schedule profiler runtime os rank nvtx mpi nccl openmp pytorch python "
              "gpu cpu sql sqlite csv json html png nsight systems compute nvidia warpline hip rocm linux windows ctrl "
              "alt shift esc tab enter return del home end pgup pgdown left right up down space ins backspace "
              "perfetto markdown chrome github ns us ms s b kb mb gb kib mib gib "
              "hz mhz ghz flop flops gflops tflops gflop tflop id pid tid api nsys torch slurm mpirun srun";
        const QStringList split = listed.split(' ');
        return std::set<QString>(split.begin(), split.end());
    }();
    return words;
}

/// The names that reports have: whole, and the words in them.
struct Names {
    QStringList whole; ///< the longest first
    std::set<QString> words;

    void add(const QString& name)
    {
        static const QRegularExpression word("[A-Za-z]+");
        constexpr int shortest = 3;
        if (name.size() >= shortest)
            whole << name;
        for (const auto& match : word.globalMatch(name))
            words.insert(match.captured());
    }
    void add(const Session& session)
    {
        for (const OpenReport& report : session.workspace().reports()) {
            const StringPool& pool = *report.trace->pool;
            for (std::size_t i = 0; i < pool.size(); ++i) {
                const std::string_view text = pool[StringId{static_cast<std::uint32_t>(i)}];
                add(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
            }
        }
        std::ranges::sort(whole, [](const QString& a, const QString& b) { return a.size() > b.size(); });
    }
};

/// The words of `text` in Latin letters that are neither a name nor a term; empty: all is well.
QString foreignIn(QString text, const Names& names)
{
    static const QRegularExpression code(
        "[A-Za-z0-9_.:/\\\\<>*~%$#@=()\\[\\]+-]*[_/=<>~:\\\\#$()\\[\\]][A-Za-z0-9_.:/\\\\<>*~%$#@=()\\[\\]+-]*");
    static const QRegularExpression word("[A-Za-z]{2,}");
    for (const QString& name : names.whole) {
        if (text.contains(name))
            text.replace(name, " ");
    }
    text.replace(code, " ");
    QStringList foreign;
    for (const auto& match : word.globalMatch(text)) {
        if (!allowedWords().contains(match.captured().toLower()) && !names.words.contains(match.captured()))
            foreign << match.captured();
    }
    return foreign.join(' ');
}

/// Gathers what is foreign, each text once.
class Foreign {
public:
    Names names;
    void look(QWidget& root, const QString& where)
    {
        for (const ShownText& shown : shownTexts(root)) {
            ++m_seen;
            const QString words = foreignIn(shown.text, names);
            if (!words.isEmpty() && m_texts.insert(shown.text).second)
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
    std::set<QString> m_texts;
    int m_seen = 0;
};

void waitFor(MainWindow& window)
{
    QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 60'000);
    QApplication::processEvents();
}

/// A dialog that is there for as long as it is looked at.
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
        if (!window.showPanel(kind->id))
            continue;
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60'000);
        QApplication::processEvents();
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

/// The other tests say nothing where what is painted is not found.
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
    foreign.names.add(window.session());
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
    foreign.names.add(window.session());
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
    foreign.names.add(window.session());
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
    foreign.names.add(window.session());
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
    foreign.names.add(window.session());
    for (const OpenReport& report : window.session().workspace().reports()) {
        window.session().chooseReport(report.id);
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
    foreign.look(window, "start");
    window.open(WARPLINE_TEST_DATA "/reports/nowhere.sqlite");
    QTRY_VERIFY(window.isSettled());
    foreign.look(window, "missing");
    window.open(WARPLINE_SOURCE_DIR "/README.md");
    QTRY_VERIFY(window.isSettled());
    foreign.look(window, "no report");
    foreign.verify();
}

void ShownTextsTest::dialogs()
{
    MainWindow window(themeNamed("light"));
    window.resize(1600, 900);
    window.show();
    window.open(sampleReport);
    waitFor(window);
    window.session().selectRange(
        {window.session().session().start, window.session().session().start + 1'000'000});
    Foreign foreign;
    foreign.names.add(window.session());
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
    foreign.names.add(window.session());
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
        if (!window.showPanel(kind->id))
            continue;
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60'000);
        for (QWidget* const each : window.findChildren<QWidget*>()) {
            if (each->isVisible() && each->height() > 60 && !qobject_cast<QMainWindow*>(each))
                openOn(*each, QPoint(each->width() / 3, 30));
        }
    }
    foreign.verify();
}

QTEST_MAIN(ShownTextsTest)
#include "tst_shown_texts.moc"
