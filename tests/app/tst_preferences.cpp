// Preferences: accepted settings are stored, cancelled ones are not, defaults are not written.

#include "app/actions/all_actions.h"
#include "app/key_editor.h"
#include "app/main_window.h"
#include "app/motion_choice.h"
#include "app/preferences_dialog.h"
#include "app/text_size.h"
#include "app/theme_choice.h"
#include "tests/support/test_program.h"
#include "views/actions/action_keys.h"
#include "views/session/rule_settings.h"
#include "views/session/source_editor.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>

namespace tst_preferences {

using namespace warpline;

class PreferencesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QSettings().clear(); }
    void nothingKeptIsNotOfferedToBeRemoved();
    void listsEveryThreshold();
    void acceptedThresholdsAreStored();
    void untouchedDefaultsAreNotStored();
    void defaultsComeBack();
    void thresholdsOfAViewStayItsOwn();
    void durationsAreWrittenAsPeopleDo();
    void themeAndProgramAreStored();
    void otherWindowsKeepTheirChanges();
    void aFolderIsNoProgram();
    void aChosenThemeReplacesThatOfThisRun();
    void textSizeIsThatOfAllText();
    void anotherTextSizeAsksForAnotherWindow();
    void motionIsUpToTheUserAndTheDesktop();
    void editorIsCheckedAndStored();
    void editorGetsFileAndLine();
    void placeholdersAreFilledOnce();
    void linesOfStacksAreLinks();
    void highContrastOfTheDesktopIsKept();

private:
    static QDoubleSpinBox* boxOf(PreferencesDialog& dialog, std::string_view rule, std::string_view key);
    static void chooseDefaults(PreferencesDialog& dialog);
};

void PreferencesTest::initTestCase()
{
    QCoreApplication::setOrganizationName("warpline-test");
    QCoreApplication::setApplicationName("tst_preferences");
}

void PreferencesTest::editorIsCheckedAndStored()
{
    PreferencesDialog dialog;
    auto* const editor = dialog.findChild<QLineEdit*>("editor-command");
    QVERIFY(editor && editor->text().isEmpty()); // off until it is set
    QVERIFY(problemOfEditor({}).isEmpty());
    QVERIFY(problemOfEditor("true {file}").isEmpty());
    QVERIFY(problemOfEditor("true").contains("{file}"));
    QVERIFY(problemOfEditor("no-such-editor {file}").contains("no-such-editor"));
    QVERIFY(!problemOfEditor("/etc/passwd {file}").isEmpty()); // no program
    editor->setText("true +{line} {file}");
    dialog.accept();
    QCOMPARE(editorCommand(), QString("true +{line} {file}"));
    PreferencesDialog again;
    QCOMPARE(again.findChild<QLineEdit*>("editor-command")->text(), editorCommand());
}

/// A script logs its arguments, one per line: a file name is one argument, whatever it contains, and is not
/// executed.
void PreferencesTest::editorGetsFileAndLine()
{
    const QTemporaryDir folder;
    const QString script = folder.filePath("my editor");
    const QString told = folder.filePath("arguments");
    QFile made(script);
    QVERIFY(made.open(QIODevice::WriteOnly));
    made.write("#!/bin/sh\nfor each in \"$@\"; do printf '%s\\n' \"$each\"; done > '" + told.toUtf8()
        + ".new'\nmv '" + told.toUtf8() + ".new' '" + told.toUtf8() + "'\n");
    made.close();
    made.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QCOMPARE(openInEditor(script, 3), QString("No editor is set. Set its command in Preferences."));
    setEditorCommand('"' + script + "\" --wait \"at {line}\" {file}:{line}");
    for (const char* const name :
        {"plain.py", "with space.py", "$(touch x); `id` & \"q\" 'q' {line} {file} %2F.py", "-c.py"}) {
        QFile::remove(told);
        const QString file = folder.filePath(name);
        QFile source(file);
        QVERIFY(source.open(QIODevice::WriteOnly));
        source.close();
        // As in a link of a call stack.
        const QString link = sourceLink(file, 42, "x").section('\'', 1, 1);
        QString problem;
        QVERIFY2(followSource(link, problem), qPrintable(link));
        QCOMPARE(problem, QString());
        QTRY_VERIFY(QFile::exists(told));
        QFile arguments(told);
        QVERIFY(arguments.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(arguments.readAll()), QString("--wait\nat 42\n%1:42\n").arg(file));
    }
    QVERIFY(!QFile::exists("x"));
    QVERIFY(openInEditor("/no/such/file.py", 1).contains("/no/such/file.py"));
    QVERIFY(!openInEditor("tst_preferences.cpp", 1).isEmpty()); // of another machine, or of another folder
    QString problem;
    QVERIFY(!followSource("event:1:2", problem));
}

void PreferencesTest::placeholdersAreFilledOnce()
{
    QCOMPARE(editorArguments("e {file} +{line}", "{line}", 7), (QStringList{"e", "{line}", "+7"}));
    QCOMPARE(editorArguments("e \"{file} {line}\"", "a b", 7), (QStringList{"e", "a b 7"}));
}

void PreferencesTest::linesOfStacksAreLinks()
{
    QVERIFY(!sourceLink("/a/b.py", 3, "<b.py>").contains("<a"));
    setEditorCommand("true {file}");
    QVERIFY(sourceLink("/a/b.py", 3, "<b.py>").contains("<a"));
    QVERIFY(sourceLink("/a/b.py", 3, "<b.py>").contains("&lt;b.py&gt;"));
    QVERIFY(!sourceLink("libcuda.so", 0, "libcuda.so").contains("<a")); // no line is known
}

void PreferencesTest::highContrastOfTheDesktopIsKept()
{
    const QTemporaryDir folder;
    QVERIFY(!desktopWantsContrast(Theme::light().palette(), folder.path()));
    QVERIFY(!desktopWantsContrast(Theme::dark().palette(), folder.path()));
    QPalette usual;
    usual.setColor(QPalette::Window, QColor(0xefefef)); // as Fusion has it
    usual.setColor(QPalette::Base, Qt::white);
    usual.setColor(QPalette::WindowText, Qt::black);
    usual.setColor(QPalette::Text, Qt::black);
    QVERIFY(!desktopWantsContrast(usual, folder.path()));
    QVERIFY(desktopWantsContrast(Theme::of(true, false, true).palette(), folder.path()));
    QVERIFY(desktopWantsContrast(Theme::of(false, false, true).palette(), folder.path()));
    QDir(folder.path()).mkdir("gtk-3.0");
    QSettings gtk(folder.filePath("gtk-3.0/settings.ini"), QSettings::IniFormat);
    gtk.setValue("Settings/gtk-theme-name", "HighContrastInverse");
    gtk.sync();
    QVERIFY(desktopWantsContrast(usual, folder.path()));
    for (const QString& name : themeNames())
        QCOMPARE(themeNamed(name).isHighContrast(), name.startsWith("contrast"));
    QVERIFY(themeNamed("contrast-dark").isDark() && !themeNamed("contrast-light").isDark());
}

QDoubleSpinBox* PreferencesTest::boxOf(PreferencesDialog& dialog, std::string_view id, std::string_view key)
{
    int item = 0;
    for (const Rule* const rule : allRules()) {
        if (rule->thresholds.empty())
            continue;
        for (std::size_t i = 0; i < rule->thresholds.size(); ++i) {
            if (rule->id == id && rule->thresholds[i].key == key)
                return qobject_cast<QDoubleSpinBox*>(dialog.rules().itemWidget(
                    dialog.rules().topLevelItem(item)->child(static_cast<int>(i)), 1));
        }
        ++item;
    }
    return nullptr;
}

void PreferencesTest::chooseDefaults(PreferencesDialog& dialog)
{
    for (QPushButton* const button : dialog.findChildren<QPushButton*>()) {
        if (button->text() == "All defaults")
            QTest::mouseClick(button, Qt::LeftButton);
    }
}

void PreferencesTest::nothingKeptIsNotOfferedToBeRemoved()
{
    const QTemporaryDir none;
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", none.path().toUtf8());
    PreferencesDialog dialog;
    qputenv("XDG_CACHE_HOME", before);
    const auto* const clear = dialog.findChild<QPushButton*>("clear-cache");
    QVERIFY(clear && clear->isHidden());
}

void PreferencesTest::listsEveryThreshold()
{
    PreferencesDialog dialog;
    for (const Rule* const rule : allRules()) {
        for (const Threshold& threshold : rule->thresholds) {
            const QDoubleSpinBox* const box = boxOf(dialog, rule->id, threshold.key);
            QVERIFY(box);
            QVERIFY2(std::abs(box->value() - threshold.value) <= 0.001 * std::max(1.0, threshold.value),
                std::string(threshold.key).c_str());
        }
    }
}

void PreferencesTest::acceptedThresholdsAreStored()
{
    const Rule* const rule = findRule("gpu_gaps");
    QVERIFY(rule && !rule->thresholds.empty());
    const Threshold& threshold = rule->thresholds.front();
    {
        PreferencesDialog cancelled;
        boxOf(cancelled, rule->id, threshold.key)->setValue(threshold.value * 3);
        cancelled.reject();
    }
    QCOMPARE(RuleSettings::value(*rule, threshold), threshold.value);
    PreferencesDialog dialog;
    boxOf(dialog, rule->id, threshold.key)->setValue(threshold.value * 3);
    dialog.accept();
    QCOMPARE(RuleSettings::value(*rule, threshold), threshold.value * 3);
    const auto stored = RuleSettings::stored();
    QCOMPARE(stored.overrides().size(), 1U);
    QCOMPARE(stored.overrides().front().value, threshold.value * 3);
    // A dialog opened again shows the current settings.
    PreferencesDialog again;
    QCOMPARE(boxOf(again, rule->id, threshold.key)->value(), threshold.value * 3);
}

void PreferencesTest::untouchedDefaultsAreNotStored()
{
    PreferencesDialog dialog;
    dialog.accept();
    QVERIFY(RuleSettings::stored().overrides().empty());
}

void PreferencesTest::defaultsComeBack()
{
    const Rule* const rule = findRule("gpu_gaps");
    RuleSettings::setValue(*rule, rule->thresholds.front(), 42);
    PreferencesDialog dialog;
    chooseDefaults(dialog);
    dialog.accept();
    QVERIFY(RuleSettings::stored().overrides().empty());
}

/// A box rounds what a view has, which is no choice of the user.
void PreferencesTest::thresholdsOfAViewStayItsOwn()
{
    const auto endsView = qScopeGuard([] { RuleSettings::setOfView({}); });
    const Rule* const rule = findRule("gpu_gaps");
    const Threshold& threshold = rule->thresholds.front();
    const std::string key = "gpu_gaps." + std::string(threshold.key);
    RuleSettings::setOfView({{key, 1234.5678}});
    {
        PreferencesDialog dialog;
        dialog.accept();
    }
    QCOMPARE(RuleSettings::value(*rule, threshold), 1234.5678);
    RuleSettings::setOfView({});
    QCOMPARE(RuleSettings::value(*rule, threshold), threshold.value);
    // The user's own is not rounded either, until defaults are wanted: one that rounds to them, too.
    RuleSettings::setValue(*rule, threshold, threshold.value + 0.25);
    {
        PreferencesDialog dialog;
        dialog.accept();
    }
    QCOMPARE(RuleSettings::value(*rule, threshold), threshold.value + 0.25);
    PreferencesDialog dialog;
    chooseDefaults(dialog);
    dialog.accept();
    QVERIFY(RuleSettings::stored().overrides().empty());
}

void PreferencesTest::durationsAreWrittenAsPeopleDo()
{
    PreferencesDialog dialog;
    QDoubleSpinBox* const box = boxOf(dialog, "gpu_gaps", findRule("gpu_gaps")->thresholds.front().key);
    QCOMPARE(box->text(), QString("500 ms"));
    dialog.show();
    for (const auto& [typed, value] :
        {std::pair("2.5 s", 2.5e9), std::pair("20us", 2e4), std::pair("750", 750.0)}) {
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, typed);
        box->interpretText();
        QCOMPARE(box->value(), value);
    }
    box->setValue(20'000);
    QCOMPARE(box->text(), QString("20 \u00b5s"));
}

void PreferencesTest::themeAndProgramAreStored()
{
    PreferencesDialog dialog;
    dialog.theme().setCurrentIndex(dialog.theme().findData("dark"));
    dialog.nsysPath().setText("/bin/sh");
    QVERIFY(dialog.keepsTraces().isChecked()); // as it is at first
    dialog.keepsTraces().setChecked(false);
    dialog.accept();
    QCOMPARE(QSettings().value("theme").toString(), QString("dark"));
    QCOMPARE(QSettings().value("nsysProgram").toString(), QString("/bin/sh"));
    QCOMPARE(QSettings().value("cache/keep").toBool(), false);
}

/// Two windows have the dialog open at once: each OK stores what its own user changed.
void PreferencesTest::otherWindowsKeepTheirChanges()
{
    const Rule* const rule = findRule("gpu_gaps");
    const Threshold& threshold = rule->thresholds.front();
    const QKeySequence key("Ctrl+Alt+F11");
    PreferencesDialog first;
    PreferencesDialog second;
    PreferencesDialog third;
    first.language().setCurrentIndex(first.language().findData("en"));
    first.theme().setCurrentIndex(first.theme().findData("dark"));
    first.colorBlindSafe().setChecked(true);
    first.textSize().setValue(13);
    first.nsysPath().setText("/bin/sh");
    first.findChild<QLineEdit*>("editor-command")->setText("true {file}");
    first.keepsTraces().setChecked(false);
    boxOf(first, rule->id, threshold.key)->setValue(threshold.value * 3);
    first.keys().field("go.find")->setKeySequence(key);
    first.accept();
    second.motion().setChecked(false);
    second.accept();
    QCOMPARE(second.result(), int(QDialog::Accepted));
    QVERIFY(!motionIsChosen());
    QCOMPARE(QSettings().value("language").toString(), QString("en"));
    QCOMPARE(chosenThemeName(), QString("dark"));
    QVERIFY(choosesColorBlindSafe());
    QCOMPARE(chosenTextSize(), 13);
    QCOMPARE(QSettings().value("nsysProgram").toString(), QString("/bin/sh"));
    QCOMPARE(editorCommand(), QString("true {file}"));
    QCOMPARE(QSettings().value("cache/keep").toBool(), false);
    QCOMPARE(RuleSettings::value(*rule, threshold), threshold.value * 3);
    QCOMPARE(keysOf(*findAction("go.find")).front(), key);
    // A key that another window has given away in between is not given twice.
    third.keys().field("timeline.focus")->setKeySequence(key);
    QVERIFY(third.problem().text().isEmpty());
    third.accept();
    QVERIFY(third.result() != QDialog::Accepted && !third.problem().text().isEmpty());
    third.keys().field("timeline.focus")->clear();
    third.accept();
    QCOMPARE(third.result(), int(QDialog::Accepted));
    QCOMPARE(keysOf(*findAction("go.find")).front(), key);
}

void PreferencesTest::aFolderIsNoProgram()
{
    const QTemporaryDir folder;
    PreferencesDialog dialog;
    dialog.nsysPath().setText(folder.path());
    bool isTold = false;
    QTimer answer;
    connect(&answer, &QTimer::timeout, this, [&isTold] {
        if (auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            isTold = true;
            box->accept();
        }
    });
    answer.start(20);
    dialog.accept();
    QVERIFY(isTold);
    QVERIFY(QSettings().value("nsysProgram").toString() != folder.path());
}

/// As after a start with --theme.
void PreferencesTest::aChosenThemeReplacesThatOfThisRun()
{
    const auto endsRun = qScopeGuard([] { chooseThemeForThisRun({}); });
    QSettings().setValue("theme", "dark");
    chooseThemeForThisRun("light");
    {
        PreferencesDialog dialog;
        QCOMPARE(dialog.theme().currentData().toString(), QString("light"));
        dialog.accept(); // nothing is chosen
    }
    QCOMPARE(QSettings().value("theme").toString(), QString("dark"));
    QCOMPARE(chosenThemeName(), QString("light"));
    {
        PreferencesDialog dialog;
        dialog.theme().setCurrentIndex(dialog.theme().findData("contrast-dark"));
        dialog.accept();
    }
    QCOMPARE(QSettings().value("theme").toString(), QString("contrast-dark"));
    QCOMPARE(chosenThemeName(), QString("contrast-dark"));
}

void PreferencesTest::textSizeIsThatOfAllText()
{
    applyTextSize();
    const int usual = QApplication::font().pointSize();
    {
        PreferencesDialog dialog;
        QVERIFY(dialog.textSize().value() < minTextSize); // as the desktop has it
        dialog.textSize().setValue(13);
        dialog.colorBlindSafe().setChecked(true);
        dialog.accept();
    }
    QCOMPARE(chosenTextSize(), 13);
    QVERIFY(choosesColorBlindSafe());
    applyTextSize();
    QCOMPARE(QApplication::font().pointSize(), 13);
    {
        MainWindow window(Theme::light());
        window.show();
        QTRY_COMPARE(window.font().pointSize(), 13);
    }
    PreferencesDialog dialog;
    QCOMPARE(dialog.textSize().value(), 13);
    // Digits that lead beyond the limits are refused where they are typed.
    for (const auto& [typed, points] : {std::pair("18", 18), std::pair("19", minTextSize),
             std::pair("100", 10), std::pair("3", minTextSize), std::pair("1", minTextSize)}) {
        dialog.textSize().selectAll();
        QTest::keyClicks(&dialog.textSize(), typed);
        dialog.textSize().interpretText();
        QCOMPARE(dialog.textSize().value(), points);
    }
    // A digit can be replaced: without it the text is no size yet.
    dialog.textSize().setValue(14);
    QTest::keyClick(&dialog.textSize(), Qt::Key_Home);
    QTest::keyClick(&dialog.textSize(), Qt::Key_Delete);
    QCOMPARE(dialog.textSize().cleanText(), QString("4"));
    dialog.textSize().setValue(dialog.textSize().minimum());
    dialog.accept();
    applyTextSize();
    QCOMPARE(QApplication::font().pointSize(), usual);
}

/// Parts of a window that measured their texts do so only once.
void PreferencesTest::anotherTextSizeAsksForAnotherWindow()
{
    QSettings().setValue("language", "en"); // as the texts are
    applyTextSize();
    MainWindow window(Theme::light());
    QSignalSpy asked(&window, &MainWindow::renewalNeeded);
    const auto choose = [&window](int points) {
        QTimer::singleShot(0, &window, [points] {
            auto* const dialog = qobject_cast<PreferencesDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->textSize().setValue(points);
            dialog->accept();
        });
        window.choosePreferences();
    };
    const QFont before = QApplication::font();
    choose(minTextSize - 1); // as the desktop has it
    QCOMPARE(asked.count(), 0);
    choose(maxTextSize);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(QApplication::font(), before); // the next window has it, this one no part of it
    applyTextSize();
    choose(maxTextSize);
    QCOMPARE(asked.count(), 1);
    choose(minTextSize - 1);
    QCOMPARE(asked.count(), 2);
    applyTextSize();
    QCOMPARE(QApplication::font().pointSizeF(), before.pointSizeF());
}

void PreferencesTest::motionIsUpToTheUserAndTheDesktop()
{
    MainWindow window(Theme::light());
    QVERIFY(!window.session().time().glide().isOn()); // the desktop was not queried
    window.allowMotion(true);
    QVERIFY(window.session().time().glide().isOn());
    {
        PreferencesDialog dialog;
        QVERIFY(dialog.motion().isChecked());
        dialog.show();
        QTest::mouseClick(&dialog.motion(), Qt::LeftButton, {}, {8, dialog.motion().height() / 2});
        dialog.accept();
    }
    window.applyPreferences();
    QVERIFY(!window.session().time().glide().isOn());
    window.allowMotion(true);
    QVERIFY(!window.session().time().glide().isOn()); // the user's setting wins
    // The desktops' settings when animations are off.
    qunsetenv("XDG_CURRENT_DESKTOP");
    const auto wantedBy = [&](const QString& file, const QByteArray& text) {
        const QTemporaryDir folder;
        bool wanted = false;
        if (!file.isEmpty()) {
            QDir(folder.path()).mkpath(QFileInfo(file).path());
            QFile written(folder.filePath(file));
            written.open(QIODevice::WriteOnly);
            written.write(text);
        }
        askDesktopForMotion(window, folder.path(), [&](bool answer) { wanted = answer; });
        return wanted;
    };
    QVERIFY(wantedBy({}, {}));
    QVERIFY(wantedBy("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n"));
    QVERIFY(!wantedBy("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n"));
    QVERIFY(!wantedBy("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=false\n"));
    QVERIFY(!wantedBy("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=0\n"));
}

WARPLINE_TEST(PreferencesTest)

} // namespace tst_preferences

#include "tst_preferences.moc"
