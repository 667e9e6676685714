// The window in other languages: its catalogue against the sources, nothing left in English, nothing cut off
// where texts are longer, and texts of any script typed, drawn and found.

#include "app/desktop_session.h"
#include "app/language_choice.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/preferences_dialog.h"
#include "app/reports_dialog.h"
#include "app/search_bar.h"
#include "app/theme_choice.h"
#include "app/view_files.h"
#include "app/window_actions.h"
#include "app/window_place.h"
#include "core/export/handover_html.h"
#include "core/render/language.h"
#include "core/store/counter_title.h"
#include "core/store/trace.h"
#include "tests/app/rows_with_result.h"
#include "tests/support/report_fixture.h"
#include "tests/support/shown_texts.h"
#include "tests/support/source_texts.h"
#include "tests/support/test_program.h"
#include "views/models/written_files.h"
#include "views/panels/events_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/marks_panel.h"
#include "views/panels/panel.h"
#include "views/panels/rank_map_panel.h"
#include "views/panels/ranks_panel.h"
#include "views/session/marks.h"
#include "views/session/result_rows.h"
#include "views/session/rule_settings.h"
#include "views/session/run_pair.h"
#include "views/style/rich_text.h"
#include "views/timeline/mark_editor.h"
#include "views/timeline/row_filter.h"
#include "views/timeline/row_labels.h"
#include "views/timeline/timeline_pane.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHeaderView>
#include <QInputMethodEvent>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextLayout>
#include <QTimer>
#include <QTranslator>
#include <QTreeWidget>
#include <QXmlStreamReader>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include <sqlite3.h>

namespace tst_languages {

using namespace warpline;
using namespace warpline::test;

namespace {

const QString sample = WARPLINE_SOURCE_DIR "/resources/sample.sqlite";

/// The translations of a catalogue of the window, by text.
std::map<QString, QString> catalogue(const QString& path)
{
    std::map<QString, QString> texts;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return texts;
    QXmlStreamReader xml(&file);
    QString source;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("source"))
            source = xml.readElementText();
        else if (xml.name() == QLatin1String("translation"))
            texts[source] = xml.readElementText();
    }
    return texts;
}

const std::map<QString, QString>& chineseCatalogue()
{
    static const auto texts = catalogue(WARPLINE_SOURCE_DIR "/resources/languages/warpline_zh_CN.ts");
    return texts;
}

QString unescaped(QString text)
{
    static const QRegularExpression unicode(R"(\\u([0-9a-fA-F]{4}))");
    for (auto match = unicode.match(text); match.hasMatch(); match = unicode.match(text))
        text.replace(
            match.capturedStart(), match.capturedLength(), QChar(match.captured(1).toUShort(nullptr, 16)));
    return text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
}

/// The placeholders and tags of a text, sorted.
QStringList placesOf(const QString& text)
{
    static const QRegularExpression place("%\\d|</?\\w[^>]*>");
    QStringList places;
    for (const auto& match : place.globalMatch(text))
        places << match.captured();
    places.sort();
    return places;
}

/// Texts that are 40% longer, in letters that reveal texts without tr().
class LongTexts : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* text, const char*, int) const override
    {
        const QString said = QString::fromUtf8(text);
        static const QRegularExpression other("%\\d|<[^>]*>|&\\w+;|&");
        const auto letters = QString(said).remove(other).size();
        return said.startsWith('*') || said.startsWith('/') ? said
                                                            : said + QString((letters * 2 + 4) / 5, '~');
    }
};

/// Opens the bundled report.
void openSample(MainWindow& window)
{
    window.resize(1280, 720);
    window.show();
    window.open(sample);
    QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 30'000);
}

/// Each panel in front, one after the other.
template <typename Look> void throughPanels(MainWindow& window, Look look)
{
    for (const PanelKind* const kind : allPanels()) {
        if (!window.docks().showPanel(kind->id))
            continue;
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 30'000);
        QApplication::processEvents();
        look(QString(kind->id));
    }
}

QString listed(const QStringList& found)
{
    return QString::number(found.size()) + ":\n" + found.join('\n');
}

} // namespace

class LanguagesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void eachTextHasItsTranslation();
    void valuesAndKeysAreTheSame();
    void valuesStandWhereTheyBelong();
    void windowIsInChinese();
    void longerTextsAreNotCutOff();
    void preferencesChangeTheLanguage();
    void anotherLanguageAsksForAnotherWindow();
    void directionsOfCopiesHaveOneWording();
    void aWindowTakesThePlaceOfAnother();
    void bookmarksMadeBeforeAWindowSettlesStay();
    void changesMadeBeforeAWindowSettlesStay_data();
    void changesMadeBeforeAWindowSettlesStay();
    void aFailedReportLosesNoPlace_data();
    void aFailedReportLosesNoPlace();
    void whatTheUserChangedPrecedesTheViewFile();
    void aFindingComesBackBehindWhatIsShown();
    void marksOfAFilterComeBackAsThose();
    void marksOfANameComeBackNextToAFilter();
    void aWindowTakesTheChosenRankOfAnother();
    void aWindowTakesTheFoundMatchOfAnother();
    void fieldsTakeInputMethods();
    void namesOfAnyScriptAreDrawnAndFound();
};

void LanguagesTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_languages");
}

void LanguagesTest::init()
{
    QSettings().clear();
    chooseLanguageForThisRun("en");
    applyLanguage();
}

void LanguagesTest::cleanup()
{
    init();
}

/// As lupdate finds them: tr() and equivalent functions in the sources, and marked texts.
void LanguagesTest::eachTextHasItsTranslation()
{
    static const QRegularExpression wrapper(
        R"((\w+)(?: = \[\])?\(const char\* (\w+)\)\s*\{\s*return QCoreApplication::translate\("\w+", \2\))");
    QStringList functions{"tr"};
    for (const SourceText& source : englishSources()) {
        for (const auto& match : wrapper.globalMatch(source.text))
            functions << match.captured(1);
    }
    QVERIFY(functions.size() > 5);
    const QRegularExpression call("\\b(?:" + functions.join('|') + ")\\($");
    static const QRegularExpression marked("QT_TR(?:ANSLATE)?_NOOP\\($");
    QStringList wrong;
    int found = 0;
    for (const SourceText& source : englishSources()) {
        if (source.place.startsWith("core/"))
            continue;
        const QList<SourceText> texts = literalsOf(source.place, source.text);
        for (qsizetype i = 0; i < texts.size(); ++i) {
            const bool isOfTr = texts[i].before.contains(call);
            const bool isMarked = i > 0 && texts[i].before == "," && texts[i - 1].before.contains(marked);
            if (!isOfTr && !isMarked)
                continue;
            ++found;
            const auto translation = chineseCatalogue().find(unescaped(texts[i].text));
            if (translation == chineseCatalogue().end() || translation->second.isEmpty())
                wrong << texts[i].place + ": " + texts[i].text;
        }
    }
    QVERIFY(found > 1000);
    QVERIFY2(wrong.isEmpty(), qPrintable(listed(wrong)));
}

void LanguagesTest::valuesAndKeysAreTheSame()
{
    static const QRegularExpression key("&([A-Za-z])(?![a-z]*;)");
    QStringList wrong;
    for (const auto& [text, translation] : chineseCatalogue()) {
        if (placesOf(text) != placesOf(translation))
            wrong << text + " -> " + translation;
        const auto access = key.match(text);
        if (access.hasMatch() && !text.contains("&nbsp;")
            && !translation.contains("(&" + access.captured(1).toUpper() + ')'))
            wrong << text + " -> " + translation;
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(listed(wrong)));
}

/// Events are counted, their time is not; arrows stand at the end that they point to.
void LanguagesTest::valuesStandWhereTheyBelong()
{
    const auto counted = [](const QString& text, const QString& value) {
        return text.contains(QString::fromUtf8("%1 个").arg(value));
    };
    int found = 0;
    for (const auto& [text, translation] : chineseCatalogue()) {
        if (text != "%1 events, %2" && !text.startsWith("%1 events, %2 in ")
            && !text.startsWith("%1 events in "))
            continue;
        ++found;
        const QString shown = QString(translation).replace("%1", "12").replace("%2", "5 ms");
        QVERIFY2(counted(shown, "12") && !counted(shown, "5 ms"), qPrintable(shown));
    }
    QCOMPARE(found, 5);
    for (const char* const toLeft : {"%1 %2 earlier", "%1 %2 linked events"})
        QVERIFY2(chineseCatalogue().at(toLeft).startsWith("%1"), toLeft);
    QVERIFY(chineseCatalogue().at("%1 later %2").endsWith("%2"));
}

void LanguagesTest::windowIsInChinese()
{
    chooseLanguageForThisRun("zh_CN");
    applyLanguage();
    QCOMPARE(&language(), findLanguage("zh_CN"));
    MainWindow window(themeNamed("light"));
    QStringList menus;
    for (const QAction* const menu : window.findChild<QMenuBar*>()->actions())
        menus << menu->text();
    QVERIFY2(menus.contains(QString::fromUtf8("文件(&F)")), qPrintable(menus.join(' ')));
    for (const PanelKind* const kind : allPanels()) {
        const auto* const dock = window.findChild<QDockWidget*>(kind->id);
        if (dock && QString(kind->title) != "SQL" && QString(kind->title) != "Roofline"
            && QString(kind->title) != "Ranks")
            QVERIFY2(dock->windowTitle() != kind->title, kind->title);
    }
}

/// At the size of a small screen.
void LanguagesTest::longerTextsAreNotCutOff()
{
    LongTexts longer;
    QCoreApplication::installTranslator(&longer);
    MainWindow window(themeNamed("light"));
    openSample(window);
    std::set<QString> cut;
    throughPanels(window, [&](const QString& id) {
        for (const QWidget* const each : window.findChildren<QWidget*>()) {
            if (!each->isVisible())
                continue;
            const auto* const label = qobject_cast<const QLabel*>(each);
            const bool isButton = qobject_cast<const QAbstractButton*>(each) != nullptr;
            if (!isButton && (!label || label->wordWrap() || label->text().isEmpty()))
                continue;
            if (each->width() < each->minimumSizeHint().width())
                cut.insert(id + ": " + each->metaObject()->className() + ' '
                    + (label ? label->text() : qobject_cast<const QAbstractButton*>(each)->text()));
        }
        for (const QHeaderView* const heads : window.findChildren<QHeaderView*>()) {
            for (int i = 0;
                 heads->isVisible() && heads->orientation() == Qt::Horizontal && i < heads->count(); ++i) {
                const QString title = heads->model()->headerData(i, Qt::Horizontal).toString();
                if (!heads->isSectionHidden(i)
                    && heads->sectionSize(i) < heads->fontMetrics().horizontalAdvance(title))
                    cut.insert(id + ": " + title);
            }
        }
    });
    QCoreApplication::removeTranslator(&longer);
    QVERIFY2(cut.empty(), qPrintable(listed({cut.begin(), cut.end()})));
}

void LanguagesTest::preferencesChangeTheLanguage()
{
    chooseLanguageForThisRun({});
    storeLanguage("en");
    QCOMPARE(&chosenLanguage(), findLanguage("en"));
    PreferencesDialog dialog;
    QComboBox& box = dialog.language();
    QVERIFY(box.findData("pseudo") < 0); // of no use to read
    box.setCurrentIndex(box.findData("zh_CN"));
    QVERIFY(box.currentIndex() > 0);
    dialog.accept();
    QCOMPARE(wantedLanguage(), QString("zh_CN"));
    QCOMPARE(&chosenLanguage(), findLanguage("zh_CN"));
    applyLanguage();
    QCOMPARE(PreferencesDialog().language().currentData().toString(), QString("zh_CN"));
    QVERIFY(PreferencesDialog().windowTitle() != "Preferences");

    chooseLanguageForThisRun("en"); // the option of the command line, while the settings say Chinese
    PreferencesDialog ofThisRun;
    QCOMPARE(ofThisRun.language().currentData().toString(), QString("en"));
    ofThisRun.accept();
    QCOMPARE(QSettings().value("language").toString(), QString("zh_CN")); // nothing was chosen
    PreferencesDialog again;
    again.language().setCurrentIndex(again.language().findData("zh_CN"));
    again.accept();
    QCOMPARE(&chosenLanguage(), findLanguage("zh_CN"));
}

void LanguagesTest::anotherLanguageAsksForAnotherWindow()
{
    chooseLanguageForThisRun({});
    storeLanguage("en");
    MainWindow window(themeNamed("light"));
    QSignalSpy asked(&window, &MainWindow::renewalNeeded);
    const auto choose = [&window](const QString& key) {
        QTimer::singleShot(0, &window, [key] {
            auto* const dialog = qobject_cast<PreferencesDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->language().setCurrentIndex(dialog->language().findData(key));
            dialog->accept();
        });
        window.choosePreferences();
    };
    choose("en");
    QCOMPARE(asked.count(), 0);
    choose("zh_CN");
    QCOMPARE(asked.count(), 1);
}

/// The same report, range, event, panels and lines, in another language.
void LanguagesTest::aWindowTakesThePlaceOfAnother()
{
    const auto tableOf
        = [](MainWindow& window) -> QTableView& { return window.panel<EventsPanel>().table(); };
    LastView view;
    WindowPlace place;
    TimeRange shown;
    EventId clicked;
    int line = 0;
    {
        MainWindow window(themeNamed("light"));
        DesktopSession desktop(window);
        openSample(window);
        const TimeRange whole = window.session().session();
        window.session().time().show(
            {whole.start + whole.duration() / 4, whole.start + whole.duration() / 2});
        QTRY_VERIFY(window.isSettled());
        QVERIFY(window.docks().showPanel("events"));
        QTRY_VERIFY(window.isSettled() && tableOf(window).model()->rowCount() > 100);
        const QModelIndex chosen = tableOf(window).model()->index(60, 0);
        tableOf(window).scrollTo(chosen, QAbstractItemView::PositionAtTop);
        QTest::mouseClick(
            tableOf(window).viewport(), Qt::LeftButton, {}, tableOf(window).visualRect(chosen).center());
        QTRY_VERIFY(window.session().selection().currentEvent().valid() && window.isSettled());
        QVERIFY(window.docks().isPanelOpen("details"));
        clicked = window.session().selection().currentEvent();
        line = tableOf(window).verticalScrollBar()->value();
        QVERIFY(line > 0);
        shown = window.session().time().shown();
        view = desktop.view();
        place = placeOf(window);
        window.close();
    }
    chooseLanguageForThisRun("zh_CN");
    applyLanguage();
    MainWindow window(themeNamed("light"));
    DesktopSession desktop(window);
    window.resize(1280, 720);
    window.show();
    desktop.show(view);
    restorePlace(window, place);
    QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 30'000);
    QTRY_COMPARE(window.session().time().shown(), shown);
    QCOMPARE(window.reports().names(), view.paths);
    QTRY_COMPARE(window.session().selection().currentEvent().event, clicked.event);
    QTRY_COMPARE(tableOf(window).verticalScrollBar()->value(), line);
    QVERIFY(window.docks().isPanelOpen("details") && window.docks().isPanelOpen("events"));
    const auto top = window.timeline().view().topRow();
    QVERIFY(top && place.top);
    QVERIFY(top->row == place.top->row);
    QCOMPARE(window.findChild<QDockWidget*>("events")->windowTitle(), chineseCatalogue().at("Events"));
}

/// The place is restored when the window settles, which takes a while for a large report.
void LanguagesTest::bookmarksMadeBeforeAWindowSettlesStay()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const QString path = QString::fromStdString(fixture.path());
    WindowPlace place;
    TimeRange shown;
    {
        MainWindow window(themeNamed("light"));
        window.show();
        window.open(path);
        QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 30'000);
        window.session().marks().add({{1000, 2000}, "before"});
        window.session().marks().setNotes("before");
        window.session().time().show({1000, 2000});
        shown = window.session().time().shown();
        place = placeOf(window);
        window.close();
    }
    MainWindow window(themeNamed("light"));
    window.show();
    Session& session = window.session();
    connect(&session, &Session::traceChanged, &window, [&session] {
        if (session.isEmpty() || !session.workspace().isComplete())
            return;
        session.marks().add({{3000, 4000}, "after"});
        session.marks().setNotes("after");
    });
    window.open(path);
    restorePlace(window, place);
    QTRY_COMPARE_WITH_TIMEOUT(session.time().shown(), shown, 30'000);
    QCOMPARE(session.marks().all().size(), std::size_t{2});
    QCOMPARE(session.marks().notes(), QString("after"));
}

void LanguagesTest::changesMadeBeforeAWindowSettlesStay_data()
{
    QTest::addColumn<bool>("isSeveral");
    QTest::newRow("one report") << false;
    QTest::newRow("several") << true;
}

/// Panels may take minutes for reports that are there.
void LanguagesTest::changesMadeBeforeAWindowSettlesStay()
{
    QFETCH(const bool, isSeveral);
    ReportFixture fixture;
    fixture.addSmallReport();
    QStringList paths{QString::fromStdString(fixture.path())};
    const QTemporaryDir folder;
    if (isSeveral) {
        paths << folder.filePath("other.sqlite");
        QVERIFY(QFile::copy(paths.front(), paths.back()));
    }
    const auto filterOf = [](const char* text) {
        EventFilter filter;
        filter.text = text;
        return filter;
    };
    LastView view;
    WindowPlace place;
    {
        MainWindow window(themeNamed("light"));
        DesktopSession desktop(window);
        window.show();
        window.openAll(paths);
        QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 30'000);
        Session& session = window.session();
        session.selection().setFilter(filterOf("before"));
        session.selection().selectRows({session.rows().children(RowTree::root).front()});
        session.time().selectRange({1000, 2000});
        session.time().show({1000, 2000});
        view = desktop.view();
        place = placeOf(window);
        place.panels = QStringList{"report"}; // opened last of all
        window.close();
    }
    MainWindow window(themeNamed("light"));
    DesktopSession desktop(window);
    window.show();
    Session& session = window.session();
    desktop.show(view);
    restorePlace(window, place);
    const EventFilter chosen = filterOf("after");
    TimeRange shown;
    RowId hidden{};
    connect(
        &window, &MainWindow::reportsReady, &window,
        [&] {
            QCOMPARE(session.selection().filter(), place.view.filter);
            QCOMPARE(session.time().selectedRange(), place.view.selected);
            QCOMPARE(session.time().shown(), view.shown);
            QCOMPARE(session.selection().selectedRows().size(), std::size_t{1});
            session.selection().setFilter(chosen);
            session.selection().selectRows({});
            session.time().selectRange({3000, 4000});
            session.time().show({3000, 4000});
            shown = session.time().shown();
            hidden = session.rows().children(RowTree::root).back();
            session.rowView().setHidden(hidden, true);
        },
        Qt::SingleShotConnection);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.docks().isPanelOpen("report"), 30'000);
    QCOMPARE(session.selection().filter(), chosen);
    QVERIFY(session.selection().selectedRows().empty());
    QCOMPARE(session.time().selectedRange(), (TimeRange{3000, 4000}));
    QCOMPARE(session.time().shown(), shown);
    QVERIFY(session.rowView().isHidden(hidden));
}

void LanguagesTest::aFailedReportLosesNoPlace_data()
{
    QTest::addColumn<bool>("isOfB");
    QTest::newRow("A") << false;
    QTest::newRow("B") << true;
}

/// One that is listed and cannot be read, on either side.
void LanguagesTest::aFailedReportLosesNoPlace()
{
    QFETCH(const bool, isOfB);
    ReportFixture fixture;
    fixture.addSmallReport();
    const QTemporaryDir folder;
    const QString broken = folder.filePath("broken.sqlite");
    QFile file(broken);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("SQLite format 3\0", 16) + QByteArray(10'000, 'x'));
    file.close();
    QStringList a{QString::fromStdString(fixture.path())};
    QStringList b;
    if (isOfB)
        b << WARPLINE_TEST_DATA "/reports/um.sqlite" << broken;
    else
        a << broken;
    const auto isThere = [isOfB](MainWindow& window) {
        return !window.session().isEmpty() && window.session().pair().isOn() == isOfB && window.isSettled();
    };
    EventFilter filter;
    filter.text = "before";
    LastView view;
    WindowPlace place;
    {
        MainWindow window(themeNamed("light"));
        DesktopSession desktop(window);
        window.show();
        if (isOfB)
            window.compare(a, b);
        else
            window.openAll(a);
        QTRY_VERIFY_WITH_TIMEOUT(isThere(window), 30'000);
        window.session().selection().setFilter(filter);
        view = desktop.view();
        place = placeOf(window);
        place.panels = QStringList{"report"}; // restored after what is shown
        window.close();
    }
    QVERIFY((isOfB ? view.compared : view.paths).contains(broken));
    MainWindow window(themeNamed("light"));
    DesktopSession desktop(window);
    QSignalSpy failed(&window, &MainWindow::openFailed);
    window.show();
    desktop.show(view);
    restorePlace(window, place);
    QTRY_VERIFY_WITH_TIMEOUT(isThere(window) && window.docks().isPanelOpen("report"), 30'000);
    QVERIFY(!failed.isEmpty());
    QCOMPARE(window.session().selection().filter(), filter);
}

/// The new window reads the file again, which has the values before.
void LanguagesTest::whatTheUserChangedPrecedesTheViewFile()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    const Rule& rule = *findRule("nvtx_outlier_steps");
    const Threshold& threshold = rule.thresholds.front();
    const double chosen = threshold.value * 5 + 2;
    LastView view;
    WindowPlace place;
    Row mine;
    {
        MainWindow window(themeNamed("light"));
        DesktopSession desktop(window);
        window.show();
        window.open(QString::fromStdString(fixture.path()));
        QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 30'000);
        RuleSettings::setValue(rule, threshold, threshold.value * 3 + 1);
        RowFilter::setMineOfView(QStringList());
        QVERIFY(window.views().save() == ViewFiles::Outcome::Written);
        RuleSettings::setValue(rule, threshold, chosen);
        mine = window.session().rows().row(window.session().rows().children(RowTree::root).front());
        RowFilter::setMine(mine, true);
        view = desktop.view();
        place = placeOf(window);
        place.panels = QStringList{"report"}; // restored after what is shown
        window.close();
    }
    MainWindow window(themeNamed("light"));
    DesktopSession desktop(window);
    QSignalSpy changed(&window.views(), &ViewFiles::thresholdsChanged);
    window.show();
    desktop.show(view);
    restorePlace(window, place);
    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.docks().isPanelOpen("report"), 30'000);
    QVERIFY(!changed.isEmpty()); // the file was read
    QCOMPARE(RuleSettings::value(rule, threshold), chosen);
    QVERIFY(RowFilter::isMine(mine));
    window.closeReport(); // they are of the program
    QVERIFY(!RowFilter::isMine(mine));
}

/// Its evidence is gone to and left again: highlights keep their name, and queries of rows run once.
void LanguagesTest::aFindingComesBackBehindWhatIsShown()
{
    WindowPlace place;
    {
        MainWindow window(themeNamed("light"));
        openSample(window);
        QVERIFY(window.docks().showPanel("findings"));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 30'000);
        window.panel<FindingsPanel>().stepEvidence(true);
        Session& session = window.session();
        session.selection().highlightName(
            EventKind::Kernel, std::string(session.trace().name({EventKind::Kernel, 0})));
        QTRY_VERIFY(session.selection().highlightedName().has_value());
        place = placeOf(window);
        window.close();
    }
    QVERIFY(!place.finding.isEmpty() && place.highlightedName);
    place.view.answers.push_back({"kernels", "SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL", {}, 0, 1});
    int cleared = 0;
    MainWindow window(themeNamed("light"));
    window.show();
    window.open(sample);
    restorePlace(window, place);
    ResultRows& rows = window.session().results();
    const auto count = [&] { cleared += rows.all().empty() ? 1 : 0; };
    connect(
        &window, &MainWindow::reportsReady, &window,
        [&] { connect(&rows, &ResultRows::changed, &window, count); }, Qt::SingleShotConnection);
    QTRY_COMPARE_WITH_TIMEOUT(window.panel<FindingsPanel>().chosenId(), place.finding, 30'000);
    QVERIFY(window.session().selection().highlightedName() == place.highlightedName);
    QTRY_COMPARE(rowsWithResult(rows.all()), std::size_t{1});
    QCOMPARE(cleared, 0);
}

/// Else all events in the list would be bold.
void LanguagesTest::marksOfAFilterComeBackAsThose()
{
    WindowPlace place;
    {
        MainWindow window(themeNamed("light"));
        openSample(window);
        QVERIFY(window.docks().showPanel("findings"));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 30'000);
        window.panel<FindingsPanel>().stepEvidence(true);
        const Session& session = window.session();
        EventFilter filter;
        filter.name = std::string(session.trace().name({EventKind::Kernel, 0}));
        window.session().selection().setFilter(filter);
        QTRY_VERIFY(session.selection().isHighlighted(session.idOf({EventKind::Kernel, 0})));
        place = placeOf(window);
        window.close();
    }
    QVERIFY(!place.finding.isEmpty() && place.marksFiltered && !place.highlighted.empty());
    MainWindow window(themeNamed("light"));
    window.show();
    window.open(sample);
    restorePlace(window, place);
    QTRY_COMPARE_WITH_TIMEOUT(window.panel<FindingsPanel>().chosenId(), place.finding, 30'000);
    QVERIFY(window.session().selection().marksFiltered());
}

void LanguagesTest::marksOfANameComeBackNextToAFilter()
{
    WindowPlace place;
    {
        MainWindow window(themeNamed("light"));
        openSample(window);
        Selection& selection = window.session().selection();
        EventFilter filter;
        filter.minDuration = 1;
        selection.setFilter(filter);
        QTRY_VERIFY(selection.highlightsAny());
        selection.highlightName(
            EventKind::Kernel, std::string(window.session().trace().name({EventKind::Kernel, 0})));
        QTRY_VERIFY(selection.highlightedName() && !selection.marksFiltered());
        place = placeOf(window);
        window.close();
    }
    QVERIFY(place.highlightedName && !place.marksFiltered && !place.highlighted.empty());
    MainWindow window(themeNamed("light"));
    window.show();
    window.open(sample);
    const QSignalSpy ready(&window, &MainWindow::reportsReady);
    restorePlace(window, place);
    QTRY_VERIFY_WITH_TIMEOUT(!ready.isEmpty() && window.isSettled(), 30'000);
    const Selection& selection = window.session().selection();
    QVERIFY(selection.filter().minDuration == 1);
    QTest::qWait(200); // longer than the events that pass the filter are looked up
    QVERIFY(selection.highlightedName() == place.highlightedName);
    QVERIFY(!selection.marksFiltered());
    QCOMPARE(selection.highlighted(window.session().report().id).size(), place.highlighted.size());
}

void LanguagesTest::aWindowTakesTheFoundMatchOfAnother()
{
    MainWindow window(themeNamed("light"));
    openSample(window);
    window.search().edit().setText("launch");
    for (int i = 0; i < 2; ++i) {
        const EventId before = window.session().selection().currentEvent();
        window.actions().find("go.findNext")->trigger();
        QTRY_VERIFY(window.session().selection().currentEvent() != before);
    }
    QTRY_VERIFY(window.isSettled());
    const std::uint64_t found = window.search().foundPlace();
    const QString count = window.search().count().text();
    QVERIFY(found > 0);
    MainWindow next(themeNamed("light"));
    next.resize(1280, 720);
    next.show();
    next.open(sample);
    restorePlace(next, placeOf(window));
    QTRY_COMPARE_WITH_TIMEOUT(next.search().count().text(), count, 30'000);
    QCOMPARE(next.search().foundPlace(), found);
}

void LanguagesTest::aWindowTakesTheChosenRankOfAnother()
{
    const QStringList reports{QString::fromStdString(sharedReport("ddp_straggler_rank0")),
        QString::fromStdString(sharedReport("ddp_straggler_rank1"))};
    if (reports.contains(QString()))
        QSKIP("needs ../shared/reports, which is not there");
    const auto ranksOf = [](const MainWindow& window) -> RanksPanel& {
        return *window.findChild<QDockWidget*>("ranks")->findChild<RanksPanel*>();
    };
    const auto mapOf = [](const MainWindow& window) -> RankHeatMap& {
        return window.findChild<QDockWidget*>("rankmap")->findChild<RankMapPanel*>()->map();
    };
    const auto open = [&](MainWindow& window) {
        window.resize(1280, 720);
        window.show();
        window.openAll(reports);
    };
    MainWindow window(themeNamed("light"));
    open(window);
    QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 60'000);
    QVERIFY(window.docks().showPanel("ranks")); // and the map
    QTRY_VERIFY_WITH_TIMEOUT(
        window.isSettled() && ranksOf(window).rankTable().model()->rowCount() == 2, 60'000);
    ranksOf(window).rankTable().selectRow(1);
    ranksOf(window).tabs().setCurrentIndex(1);
    const RankHeatMap::Cell cell{1, 1};
    mapOf(window).setCurrent(cell);
    QVERIFY(mapOf(window).current() == cell);
    WindowPlace place = placeOf(window);
    QVERIFY(!place.scrolled.isEmpty());
    for (QPoint& each : place.scrolled)
        each.setY(1'000'000); // lists of the other language are shorter
    int restored = 0;
    MainWindow next(themeNamed("light"));
    open(next);
    restorePlace(next, place);
    connect(&next, &MainWindow::settled, &next, [&] {
        if (mapOf(next).current() != cell)
            return;
        ++restored;
        mapOf(next).setCurrent(RankHeatMap::Cell{0, 0}); // as the user does
    });
    QTRY_VERIFY_WITH_TIMEOUT((next.settled(), restored > 0), 60'000);
    QTRY_VERIFY(next.isSettled());
    next.settled();
    QCOMPARE(restored, 1);
    const QModelIndexList rows = ranksOf(next).rankTable().selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.front().row(), 1);
    QCOMPARE(ranksOf(next).tabs().currentIndex(), 1);
}

namespace {

/// Composes `typed` in `field` and selects it, like an input method. Keys pressed meanwhile belong to the
/// field, whatever they do elsewhere.
void composeIn(QWidget& field, const QString& typed, const std::function<QString()>& text)
{
    field.setFocus();
    QVERIFY(field.inputMethodQuery(Qt::ImEnabled).toBool());
    QVERIFY(field.testAttribute(Qt::WA_InputMethodEnabled));
    QInputMethodEvent composing("shu", {});
    QApplication::sendEvent(&field, &composing);
    QVERIFY2(text().isEmpty(), qPrintable(text()));
    for (const Qt::Key key :
        {Qt::Key_N, Qt::Key_W, Qt::Key_1, Qt::Key_Space, Qt::Key_Slash, Qt::Key_Backspace}) {
        QKeyEvent asked(QEvent::ShortcutOverride, key, Qt::NoModifier, QString(QChar(key)));
        asked.ignore();
        QApplication::sendEvent(&field, &asked);
        QVERIFY2(asked.isAccepted(), qPrintable(QString::number(key)));
    }
    QInputMethodEvent chosen;
    chosen.setCommitString(typed);
    QApplication::sendEvent(&field, &chosen);
    QCOMPARE(text(), typed);
}

} // namespace

/// Search, filters, names, notes and SQL: each text field that can be typed into.
void LanguagesTest::fieldsTakeInputMethods()
{
    MainWindow window(themeNamed("light"));
    openSample(window);
    window.activateWindow();
    int fields = 0;
    int editors = 0;
    const QString typed = QString::fromUtf8("数据 مرحبا 🚀");
    throughPanels(window, [&](const QString&) {
        for (QLineEdit* const field : window.findChildren<QLineEdit*>()) {
            if (!field->isVisible() || field->isReadOnly() || field->validator() || !field->isEnabled())
                continue;
            const QString before = field->text();
            field->clear();
            composeIn(*field, typed, [field] { return field->text(); });
            field->setText(before);
            ++fields;
        }
        for (QPlainTextEdit* const editor : window.findChildren<QPlainTextEdit*>()) {
            if (!editor->isVisible() || editor->isReadOnly())
                continue;
            const QString before = editor->toPlainText();
            editor->clear();
            composeIn(*editor, typed, [editor] { return editor->toPlainText(); });
            editor->setPlainText(before);
            ++editors;
        }
    });
    QVERIFY2(fields > 5, qPrintable(QString::number(fields)));
    QVERIFY2(editors >= 2, qPrintable(QString::number(editors))); // notes and SQL
    // The text of a bookmark, in the timeline itself.
    window.session().marks().add({window.session().session(), {}});
    MarkEditor mark(window.session().time(), window.session().marks(), themeNamed("light"), &window);
    mark.open(0, {20, 20});
    composeIn(mark.line(), typed, [&mark] { return mark.line().text(); });
    QCOMPARE(QString::fromStdString(window.session().marks().all().front().text), typed);
    // The name of a report, in the list of those that are open.
    ReportsDialog reports(window.reports(), window.session());
    reports.show();
    QTreeWidgetItem* const line = reports.list().topLevelItem(0);
    reports.list().editItem(line, ReportsDialog::Name);
    auto* const name = reports.list().findChild<QLineEdit*>();
    QVERIFY(name);
    name->clear();
    composeIn(*name, typed, [name] { return name->text(); });
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_COMPARE(reports.list().topLevelItem(0)->text(ReportsDialog::Name), typed);
    // The timeline has keys, and no input method between.
    QVERIFY(!window.timeline().view().testAttribute(Qt::WA_InputMethodEnabled));
}

/// Names of files, kernels, ranges, threads and marks: drawn, and as more than boxes, found whatever the case
/// of their letters, filtered and exported.
void LanguagesTest::namesOfAnyScriptAreDrawnAndFound()
{
    const QTemporaryDir folder;
    const QString report = folder.filePath(QString::fromUtf8("报告 🚀 مرحبا.sqlite"));
    QVERIFY(QFile::copy(sample, report));
    QFile::setPermissions(report, QFile::ReadOwner | QFile::WriteOwner);
    const QStringList names{QString::fromUtf8("数据 加载"), QString::fromUtf8("مرحبا بالعالم"),
        QString::fromUtf8("🚀 launch"), QString::fromUtf8("Привет, мир"),
        QString::fromUtf8("e\u0301tape क्षण")};
    const QString kernel = QString::fromUtf8("矩阵乘_核函数");
    const QString thread = QString::fromUtf8("数据线程");
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(report.toUtf8(), &database), SQLITE_OK);
    const auto run = [database](const QString& change) {
        QCOMPARE(sqlite3_exec(database, change.toUtf8(), nullptr, nullptr, nullptr), SQLITE_OK);
        QVERIFY2(sqlite3_changes(database) > 0, qPrintable(change));
    };
    const QStringList before{
        "sync pageable", "async pageable", "sync pinned", "tiny copies", "overlap 4 streams"};
    for (qsizetype i = 0; i < names.size(); ++i)
        run(QString("UPDATE NVTX_EVENTS SET text = '%1' WHERE text = '%2'").arg(names[i], before[i]));
    run(QString(
        "UPDATE StringIds SET value = '%1' WHERE id IN (SELECT shortName FROM CUPTI_ACTIVITY_KIND_KERNEL "
        "UNION SELECT demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL)")
            .arg(kernel));
    run(QString("UPDATE StringIds SET value = '%1' WHERE id IN (SELECT nameId FROM ThreadNames)")
            .arg(thread));
    QCOMPARE(sqlite3_close(database), SQLITE_OK);

    MainWindow window(themeNamed("light"));
    window.resize(1600, 900);
    window.show();
    window.open(report);
    QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 30'000);
    Session& session = window.session();
    const auto drawn = [&window](const QWidget& of) {
        QStringList texts;
        for (const ShownText& each : paintedTexts(const_cast<QWidget&>(of)))
            texts << each.text;
        return texts.join('\n');
    };
    QVERIFY(window.windowTitle().contains(QFileInfo(report).fileName()));
    QVERIFY2(
        drawn(window.timeline().labels()).contains(thread), qPrintable(drawn(window.timeline().labels())));
    for (const QString& name : names + QStringList{kernel}) {
        window.search().edit().setText(name.toUpper());
        QTRY_VERIFY_WITH_TIMEOUT(window.search().count().text().contains("match"), 10'000);
        window.search().find(true);
        QTRY_VERIFY_WITH_TIMEOUT(session.selection().currentEvent().valid(), 10'000);
        const EventRef found = session.selection().currentEvent().event;
        const std::string_view told = session.trace().displayName(found);
        QCOMPARE(QString::fromUtf8(told.data(), static_cast<qsizetype>(told.size())), name);
        session.selection().goTo(session.selection().currentEvent());
        QTRY_VERIFY(window.isSettled());
        QTRY_VERIFY2(drawn(window.timeline().view()).contains(name), qPrintable(name));
        session.selection().setCurrentEvent({});
        EventFilter filter;
        filter.text
            = "name=" + QString(name).replace(QRegularExpression("[ ,]"), "?").toUpper().toStdString();
        session.selection().setFilter(filter);
        QVERIFY(window.docks().showPanel("events"));
        QTRY_VERIFY(window.isSettled() && window.panel<EventsPanel>().table().model()->rowCount() > 0);
        const QString csv = folder.filePath("events.csv");
        window.panel<EventsPanel>().exportCsv(csv);
        QTRY_VERIFY(QFileInfo(csv).size() > 0);
        QFile file(csv);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.readAll().contains(name.toUtf8()), qPrintable(name));
        file.close();
        QVERIFY(QFile::remove(csv));
        session.selection().setFilter({});
    }
    window.search().edit().clear();
    // In the order of their code points, as core sorts them.
    EventFilter ranges;
    ranges.text = "kind=nvtx";
    session.selection().setFilter(ranges);
    QTableView& table = window.panel<EventsPanel>().table();
    table.sortByColumn(static_cast<int>(EventColumn::Name), Qt::AscendingOrder);
    const auto listedNames = [&table] {
        std::vector<QByteArray> listed; // the bytes of UTF-8 have the order of code points
        for (int row = 0; row < table.model()->rowCount(); ++row)
            listed.push_back(table.model()->index(row, 0).data().toString().toUtf8());
        return listed;
    };
    QTRY_VERIFY(window.isSettled() && !listedNames().empty() && std::ranges::is_sorted(listedNames()));
    for (const QString& name : names)
        QVERIFY2(std::ranges::count(listedNames(), name.toUtf8()) == 1, qPrintable(name));
    session.selection().setFilter({});
    // As JSON and as a picture, in files of such names.
    const QString json = folder.filePath(QString::fromUtf8("问题 🚀 مرحبا.json"));
    window.panel<FindingsPanel>().exportTo(json);
    QTRY_VERIFY(QFileInfo(json).size() > 0);
    QFile findings(json);
    QVERIFY(findings.open(QIODevice::ReadOnly));
    const QByteArray document = findings.readAll();
    QVERIFY(QJsonDocument::fromJson(document).isObject());
    QVERIFY2(document.contains(QFileInfo(report).fileName().toUtf8()), document.left(500).constData());
    const QString picture = folder.filePath(QString::fromUtf8("图片 🚀 مرحبا.png"));
    const QPixmap seen = window.grab();
    QVERIFY(writePicture(picture, seen.toImage()).ok());
    QCOMPARE(QImage(picture).convertToFormat(QImage::Format_RGB32),
        seen.toImage().convertToFormat(QImage::Format_RGB32));
    // A mark, in the page that is handed on and on the timeline.
    const TimeRange whole = session.session();
    const QString note = QString::fromUtf8("看这里 👀 انظر");
    session.marks().add({{whole.start, whole.start + whole.duration() / 2}, note.toStdString()});
    session.time().showAll();
    QTRY_VERIFY(window.isSettled());
    QTRY_VERIFY2(drawn(window).contains(note), qPrintable(note));
    const QString page = folder.filePath("page.html");
    HandoverChoice choice;
    choice.ranges.push_back({note.toStdString(), session.ownTime(whole)});
    window.panel<MarksPanel>().exportReport(choice, page);
    QTRY_VERIFY(QFile::exists(page) && window.isSettled());
    QFile file(page);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray html = file.readAll();
    for (const QString& name : {note, kernel, names.front()})
        QVERIFY2(html.contains(name.toUtf8()), qPrintable(name));
    QVERIFY(html.contains("charset=utf-8") || html.contains("charset=\"utf-8\""));
    // Letters, not boxes, wherever a font has them.
    if (!QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty()) {
        QTextLayout layout(kernel + thread, window.font());
        layout.beginLayout();
        layout.createLine();
        layout.endLayout();
        for (const QGlyphRun& glyphs : layout.glyphRuns())
            QVERIFY(!glyphs.glyphIndexes().contains(0));
    }
}

/// The legend and the rows of counters: "HtoD" of both.
void LanguagesTest::directionsOfCopiesHaveOneWording()
{
    chooseLanguageForThisRun("zh_CN");
    applyLanguage();
    const auto pool = std::make_shared<StringPool>();
    Trace trace;
    trace.pool = pool;
    for (const auto& [kind, legend] :
        {std::pair(CopyKind::HtoD, "Host to device"), std::pair(CopyKind::DtoH, "Device to host"),
            std::pair(CopyKind::DtoD, "Device to device"), std::pair(CopyKind::PtoP, "Peer to peer")}) {
        CounterSeries series;
        series.kind = CounterKind::CopyBandwidth;
        series.name = pool->intern("Copies " + std::string(labelOf(kind)));
        QCOMPARE(plainTextOf(counterTitle(trace, series)), QCoreApplication::translate("Legend", legend));
    }
}

WARPLINE_TEST(LanguagesTest)

} // namespace tst_languages

#include "tst_languages.moc"
