// The window in other languages: its catalogue against the sources, nothing left in English, nothing cut off
// where texts are longer, and texts of any script typed, drawn and found.

#include "app/desktop_session.h"
#include "app/language_choice.h"
#include "app/main_window.h"
#include "app/panel_docks.h"
#include "app/preferences_dialog.h"
#include "app/record_dialog.h"
#include "app/search_bar.h"
#include "app/theme_choice.h"
#include "core/render/language.h"
#include "tests/support/source_texts.h"
#include "tests/support/test_program.h"
#include "views/panels/panel.h"
#include "views/timeline/timeline_pane.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QGroupBox>
#include <QInputMethodEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTranslator>
#include <QXmlStreamReader>

#include <array>
#include <map>
#include <set>

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

/// What a text has besides words: places for values and tags, in order of their letters.
QStringList placesOf(const QString& text)
{
    static const QRegularExpression place("%\\d|</?\\w[^>]*>");
    QStringList places;
    for (const auto& match : place.globalMatch(text))
        places << match.captured();
    places.sort();
    return places;
}

/// Texts that are 40% longer, in letters that show what was no text of tr().
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

QString withoutTags(QString text)
{
    static const QRegularExpression tag("<[^>]*>");
    return text.replace(tag, "\n").replace("&nbsp;", " ");
}

/// The texts that the widgets below `root` show or tell, but those of tables and trees, which are the
/// report's.
QStringList textsOf(const QWidget& root)
{
    QStringList texts;
    const auto add
        = [&texts](const QString& text) { texts << withoutTags(text).split('\n', Qt::SkipEmptyParts); };
    QList<const QWidget*> all{&root};
    for (const QWidget* const each : root.findChildren<QWidget*>())
        all << each;
    for (const QWidget* const each : all) {
        add(each->toolTip());
        add(each->accessibleName());
        add(each->accessibleDescription());
        if (const auto* const label = qobject_cast<const QLabel*>(each))
            add(label->text());
        if (const auto* const button = qobject_cast<const QAbstractButton*>(each))
            add(button->text());
        if (const auto* const group = qobject_cast<const QGroupBox*>(each))
            add(group->title());
        if (const auto* const menu = qobject_cast<const QMenu*>(each))
            add(menu->title());
        if (const auto* const line = qobject_cast<const QLineEdit*>(each))
            add(line->placeholderText());
        if (const auto* const dock = qobject_cast<const QDockWidget*>(each))
            add(dock->windowTitle());
        if (const auto* const tabs = qobject_cast<const QTabBar*>(each)) {
            for (int i = 0; i < tabs->count(); ++i)
                add(tabs->tabText(i));
        }
    }
    for (const QAction* const action : root.findChildren<QAction*>()) {
        add(action->text());
        add(action->toolTip());
        add(action->statusTip());
    }
    return texts;
}

/// Whether a person reads English there: three words of small letters in a row, outside of names and code.
QString englishIn(const QString& text)
{
    static const QRegularExpression sentence("(?:\\b[A-Za-z]?[a-z]+\\b[ ,]+){2}\\b[a-z]{2,}\\b");
    static const QRegularExpression code("nsys [^\u4e00-\u9fff]*|SELECT .*|\\S*[_=/.]\\S*");
    const auto match = sentence.match(QString(text).remove(code));
    return match.hasMatch() ? match.captured() : QString();
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
    void windowIsInChinese();
    void noEnglishIsLeft();
    void longerTextsAreNotCutOff();
    void preferencesChangeTheLanguage();
    void anotherLanguageAsksForAnotherWindow();
    void aWindowTakesThePlaceOfAnother();
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

/// As lupdate finds them: what tr() has in the sources, and what is marked for it.
void LanguagesTest::eachTextHasItsTranslation()
{
    static const QRegularExpression call("\\b(?:tr|words)\\($");
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
    static const QStringList bent{"<b>\u2014</b>&nbsp;range&nbsp;on&nbsp;the&nbsp;host"};
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

/// What is left are texts that core makes of no message yet. The number only goes down: set it to what is
/// counted when fewer are left.
void LanguagesTest::noEnglishIsLeft()
{
    constexpr std::size_t known = 28;
    chooseLanguageForThisRun("zh_CN");
    applyLanguage();
    MainWindow window(themeNamed("light"));
    openSample(window);
    std::set<QString> english;
    const auto look = [&english](const QWidget& root) {
        for (const QString& text : textsOf(root)) {
            if (const QString words = englishIn(text); !words.isEmpty())
                english.insert(text);
        }
    };
    throughPanels(window, [&](const QString&) { look(window); });
    look(PreferencesDialog(&window));
    look(RecordDialog(nullptr));
    for (const QString& each : english)
        qInfo().noquote() << each;
    QVERIFY2(english.size() <= known, qPrintable(listed({english.begin(), english.end()})));
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
    });
    QCoreApplication::removeTranslator(&longer);
    QVERIFY2(cut.empty(), qPrintable(listed({cut.begin(), cut.end()})));
}

void LanguagesTest::preferencesChangeTheLanguage()
{
    chooseLanguageForThisRun({});
    setLanguageOfSettings("en");
    QCOMPARE(&chosenLanguage(), findLanguage("en"));
    PreferencesDialog dialog;
    QComboBox& box = dialog.language();
    QVERIFY(box.findData("pseudo") < 0); // of no use to read
    box.setCurrentIndex(box.findData("zh_CN"));
    QVERIFY(box.currentIndex() > 0);
    dialog.accept();
    QCOMPARE(languageOfSettings(), QString("zh_CN"));
    QCOMPARE(&chosenLanguage(), findLanguage("zh_CN"));
    applyLanguage();
    QCOMPARE(PreferencesDialog().language().currentData().toString(), QString("zh_CN"));
    QVERIFY(PreferencesDialog().windowTitle() != "Preferences");
}

void LanguagesTest::anotherLanguageAsksForAnotherWindow()
{
    chooseLanguageForThisRun({});
    setLanguageOfSettings("en");
    MainWindow window(themeNamed("light"));
    QSignalSpy asked(&window, &MainWindow::languageChosen);
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

/// The same report and range, in another language.
void LanguagesTest::aWindowTakesThePlaceOfAnother()
{
    LastView view;
    TimeRange shown;
    {
        MainWindow window(themeNamed("light"));
        DesktopSession desktop(window);
        openSample(window);
        const TimeRange whole = window.session().session();
        window.session().time().show(
            {whole.start + whole.duration() / 4, whole.start + whole.duration() / 2});
        QTRY_VERIFY(window.isSettled());
        shown = window.session().time().shown();
        view = desktop.view();
        window.close();
    }
    chooseLanguageForThisRun("zh_CN");
    applyLanguage();
    MainWindow window(themeNamed("light"));
    DesktopSession desktop(window);
    window.show();
    desktop.show(view);
    QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 30'000);
    QTRY_COMPARE(window.session().time().shown(), shown);
    QCOMPARE(window.reports().names(), view.paths);
}

/// What an input method composes is shown, and is there when it is chosen.
void LanguagesTest::fieldsTakeInputMethods()
{
    MainWindow window(themeNamed("light"));
    openSample(window);
    int fields = 0;
    const QString typed = QString::fromUtf8("数据 مرحبا 🚀");
    throughPanels(window, [&](const QString&) {
        for (QLineEdit* const field : window.findChildren<QLineEdit*>()) {
            if (!field->isVisible() || field->isReadOnly() || field->validator() || !field->isEnabled())
                continue;
            const QString before = field->text();
            field->clear();
            QInputMethodEvent composing("shu", {});
            QApplication::sendEvent(field, &composing);
            QVERIFY(field->text().isEmpty());
            QInputMethodEvent chosen;
            chosen.setCommitString(typed);
            QApplication::sendEvent(field, &chosen);
            QCOMPARE(field->text(), typed);
            field->setText(before);
            ++fields;
        }
    });
    QVERIFY2(fields > 5, qPrintable(QString::number(fields)));
}

/// Names of ranges in a report: drawn differently from boxes for what no font has, found, selected and
/// copied.
void LanguagesTest::namesOfAnyScriptAreDrawnAndFound()
{
    const QTemporaryDir folder;
    const QString report = folder.filePath(QString::fromUtf8("报告 🚀.sqlite"));
    QVERIFY(QFile::copy(sample, report));
    QFile::setPermissions(report, QFile::ReadOwner | QFile::WriteOwner);
    const QStringList names{
        QString::fromUtf8("数据 加载"), QString::fromUtf8("مرحبا بالعالم"), QString::fromUtf8("🚀 launch")};
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(report.toUtf8(), &database), SQLITE_OK);
    for (qsizetype i = 0; i < names.size(); ++i) {
        const QByteArray before
            = std::array{"sync pageable", "async pageable", "sync pinned"}.at(static_cast<std::size_t>(i));
        const QByteArray change
            = "UPDATE NVTX_EVENTS SET text = '" + names[i].toUtf8() + "' WHERE text = '" + before + '\'';
        QCOMPARE(sqlite3_exec(database, change, nullptr, nullptr, nullptr), SQLITE_OK);
    }
    QCOMPARE(sqlite3_close(database), SQLITE_OK);

    MainWindow window(themeNamed("light"));
    window.resize(1280, 720);
    window.show();
    window.open(report);
    QTRY_VERIFY_WITH_TIMEOUT(!window.session().isEmpty() && window.isSettled(), 30'000);
    const QImage renamed = window.timeline().view().viewport()->grab().toImage();
    for (const QString& name : names) {
        window.search().edit().setText(name);
        QTRY_COMPARE_WITH_TIMEOUT(window.search().count().text(), QString("1 match"), 10'000);
        window.search().find(true);
        QTRY_VERIFY_WITH_TIMEOUT(window.session().selection().currentEvent().valid(), 10'000);
        const std::string_view found
            = window.session().trace().displayName(window.session().selection().currentEvent().event);
        QCOMPARE(QString::fromUtf8(found.data(), static_cast<qsizetype>(found.size())), name);
        window.session().selection().setCurrentEvent({});
    }
    window.search().edit().clear();
    MainWindow usual(themeNamed("light"));
    openSample(usual);
    QVERIFY(renamed != usual.timeline().view().viewport()->grab().toImage());
}

WARPLINE_TEST(LanguagesTest)

} // namespace tst_languages

#include "tst_languages.moc"
