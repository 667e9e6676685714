// What the programs say of themselves: version, man pages and completions, all made from the lists that
// --help shows.

#include "core/base/version.h"
#include "tests/app/cli_runner.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>

using namespace warpline::test;

class DocumentsTest : public QObject {
    Q_OBJECT

private slots:
    void versionsAreWhole_data();
    void versionsAreWhole();
    void manualListsEveryOption();
    void synopsisIsTheUsage();
    void windowDocumentsItsOptions();
    void manualsRenderWithoutWarnings_data();
    void manualsRenderWithoutWarnings();
    void completionsKnowEveryCommandAndOption_data();
    void completionsKnowEveryCommandAndOption();
    void shellsReadTheirCompletions_data();
    void shellsReadTheirCompletions();
    void bashCompletes_data();
    void bashCompletes();
};

namespace {

QString output(const QStringList& arguments)
{
    return QString::fromUtf8(runCli(arguments).output);
}

/// What the window's program prints; nothing where it is not built.
QString windowOutput(const QStringList& arguments)
{
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + "/warpline", arguments);
    process.waitForFinished();
    return QString::fromUtf8(process.readAllStandardOutput());
}

/// The commands that --help lists.
QStringList commands()
{
    static const QRegularExpression line("^  ([a-z]+) ", QRegularExpression::MultilineOption);
    const QString help = output({"--help"});
    QStringList names;
    for (const auto& match : line.globalMatch(help.mid(help.indexOf("Subcommands:"))))
        names << match.captured(1);
    return names;
}

/// The commands, and the program itself under no name.
QStringList scopes()
{
    return commands() + QStringList{QString()};
}

/// The options that the help of `command` lists; of the program itself without one.
QStringList optionsOf(const QString& command)
{
    static const QRegularExpression word("(?:^  |,)(--?[a-z-]+)", QRegularExpression::MultilineOption);
    const QStringList arguments = command.isEmpty() ? QStringList{"--help"} : QStringList{command, "--help"};
    QStringList names;
    for (const auto& match : word.globalMatch(output(arguments)))
        names << match.captured(1);
    return names;
}

} // namespace

void DocumentsTest::versionsAreWhole_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("parts");
    QTest::newRow("command line") << "warpline-cli"
                                  << "";
    QTest::newRow("window") << "warpline"
                            << "Qt 6\\.[0-9.]+, ";
}

void DocumentsTest::versionsAreWhole()
{
    QFETCH(QString, program);
    QFETCH(QString, parts);
    const QString path = QCoreApplication::applicationDirPath() + '/' + program;
    if (!QFile::exists(path))
        QSKIP("not built here");
    QProcess process;
    process.start(path, {"--version"});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
    const std::string version(warpline::programVersion());
    const QString expected = "^" + program + ' ' + QRegularExpression::escape(QString::fromStdString(version))
        + " \\((commit [0-9a-f]{12}(-dirty)?, )?" + parts + "SQLite 3\\.[0-9.]+\\)\n$";
    const QString said = process.readAll();
    QVERIFY2(QRegularExpression(expected).match(said).hasMatch(), qPrintable(said));
}

void DocumentsTest::manualListsEveryOption()
{
    const QString manual = output({"--man"});
    QVERIFY(manual.startsWith(".TH WARPLINE\\-CLI 1 "));
    const QStringList sections = manual.split("\n.SS ");
    QCOMPARE(sections.size(), commands().size() + 1);
    for (const QString& command : scopes()) {
        const auto section = std::ranges::find_if(
            sections, [&](const QString& text) { return text.startsWith(command + '\n'); });
        const QString& text = command.isEmpty() ? sections.front() : *section;
        QVERIFY2(optionsOf(command).size() >= (command == "words" || command == "mcp" ? 1 : 3), qPrintable(command));
        for (const QString& option : optionsOf(command)) {
            const QString bold = "\\fB" + QString(option).replace("-", "\\-") + "\\fR";
            QVERIFY2(text.contains(bold), qPrintable(command + ' ' + option));
        }
    }
}

/// What follows the options of each command stands in the manual as --help has it.
void DocumentsTest::synopsisIsTheUsage()
{
    static const QRegularExpression usage(
        "^Usage: (warpline-cli [a-z]+) \\[OPTIONS\\](.*)$", QRegularExpression::MultilineOption);
    QString manual = output({"--man"});
    manual.remove(QRegularExpression("\\\\f[BIR]")).replace("\\-", "-");
    int operands = 0;
    for (const QString& command : commands()) {
        const auto said = usage.match(output({command, "--help"}));
        QVERIFY2(said.hasMatch(), qPrintable(command));
        const QString line
            = '\n' + QString(said.captured(1) + " [options] " + said.captured(2).trimmed()).trimmed() + '\n';
        QVERIFY2(manual.contains(line), qPrintable(line));
        operands += static_cast<int>(said.captured(2).split(' ', Qt::SkipEmptyParts).size());
    }
    QVERIFY(operands > commands().size()); // some take more than a report
}

void DocumentsTest::windowDocumentsItsOptions()
{
    const QString help = windowOutput({"--help"});
    if (help.isEmpty())
        QSKIP("not built here");
    const QString manual = windowOutput({"--man"});
    const QString completion = windowOutput({"--completion", "bash"});
    static const QRegularExpression word("(?:^  |, )(--?[a-z-]+)", QRegularExpression::MultilineOption);
    int options = 0;
    for (const auto& match : word.globalMatch(help)) {
        const QString option = match.captured(1);
        QVERIFY2(manual.contains("\\fB" + QString(option).replace("-", "\\-") + "\\fR"), qPrintable(option));
        QVERIFY2(completion.contains(QRegularExpression("[ ']" + option + "[ ']")), qPrintable(option));
        ++options;
    }
    QVERIFY2(options >= 10, qPrintable(help));
    QVERIFY(manual.contains("\\-\\-screenshot\\fR \\fIfile"));
}

void DocumentsTest::manualsRenderWithoutWarnings_data()
{
    QTest::addColumn<QString>("program");
    QTest::newRow("command line") << "warpline-cli";
    QTest::newRow("window") << "warpline";
}

/// As `man` shows it, with all warnings of the typesetter; no line is wider than the page.
void DocumentsTest::manualsRenderWithoutWarnings()
{
    QFETCH(QString, program);
    const QString path = QCoreApplication::applicationDirPath() + '/' + program;
    if (!QFile::exists(path))
        QSKIP("not built here");
    if (QStandardPaths::findExecutable("man").isEmpty())
        QSKIP("man is not installed");
    QTemporaryDir folder;
    QProcess writing;
    writing.setStandardOutputFile(folder.filePath("page.1"));
    writing.start(path, {"--man"});
    QVERIFY(writing.waitForFinished());
    QProcess showing;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("MANWIDTH", "80");
    environment.insert("LC_ALL", "C.UTF-8");
    showing.setProcessEnvironment(environment);
    showing.start("man", {"--warnings=w", "-l", folder.filePath("page.1")});
    QVERIFY(showing.waitForFinished());
    QCOMPARE(showing.exitCode(), 0);
    QCOMPARE(QString(showing.readAllStandardError()), QString());
    const QStringList lines = QString::fromUtf8(showing.readAllStandardOutput()).split('\n');
    QVERIFY(lines.size() > 30);
    for (const QString& line : lines)
        QVERIFY2(line.size() <= 80, qPrintable(line));
}

void DocumentsTest::completionsKnowEveryCommandAndOption_data()
{
    QTest::addColumn<QString>("shell");
    for (const char* const shell : {"bash", "zsh", "fish"})
        QTest::newRow(shell) << shell;
}

void DocumentsTest::completionsKnowEveryCommandAndOption()
{
    QFETCH(QString, shell);
    const QString script = output({"--completion", shell});
    QVERIFY(!commands().isEmpty());
    for (const QString& command : scopes()) {
        QVERIFY2(script.contains(command), qPrintable(command));
        for (QString option : optionsOf(command)) {
            if (shell == "fish") // says -l name for --name
                option = option.startsWith("--") ? "-l " + option.mid(2) : "-s " + option.mid(1);
            QVERIFY2(script.contains(option), qPrintable(option));
        }
    }
    // Names that are lists elsewhere.
    QVERIFY(script.contains("cuda_gpu_kern_sum"));
    QVERIFY(script.contains("gpu_gaps.min_gap_ns"));
}

void DocumentsTest::shellsReadTheirCompletions_data()
{
    completionsKnowEveryCommandAndOption_data();
}

void DocumentsTest::shellsReadTheirCompletions()
{
    QFETCH(QString, shell);
    const QString path = QStandardPaths::findExecutable(shell);
    if (path.isEmpty())
        QSKIP(qPrintable(shell + " is not installed"));
    QProcess process;
    process.start(path, {"-n"});
    process.write(output({"--completion", shell}).toUtf8());
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(process.readAllStandardError(), QByteArray());
}

void DocumentsTest::bashCompletes_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("found");
    QTest::newRow("command") << "warpline-cli an"
                             << "analyze";
    QTest::newRow("option") << "warpline-cli info --fo"
                            << "--force --format";
    QTest::newRow("option of its command") << "warpline-cli info --exp"
                                           << "";
    QTest::newRow("value") << "warpline-cli analyze --format ma"
                           << "markdown";
    QTest::newRow("value behind =") << "warpline-cli analyze --format = ht"
                                    << "html";
    QTest::newRow("second of a list") << "warpline-cli analyze --rule gpu_gaps,cuda_api_s"
                                      << "gpu_gaps,cuda_api_sync";
    QTest::newRow("threshold") << "warpline-cli analyze --threshold gpu_gaps.m"
                               << "gpu_gaps.min_gap_ns";
    QTest::newRow("report") << "warpline-cli analyze so"
                            << "some.json.gz some.nsys-rep some.sqlite some.warpline";
    QTest::newRow("file of an option, with a blank") << "warpline-cli export --output two"
                                                     << "two words.txt";
    QTest::newRow("no report") << "warpline-cli words so"
                               << "";
}

void DocumentsTest::bashCompletes()
{
    QFETCH(QString, line);
    QFETCH(QString, found);
    const QString bash = QStandardPaths::findExecutable("bash");
    if (bash.isEmpty())
        QSKIP("bash is not installed");
    QTemporaryDir folder;
    for (const char* const name :
        {"some.sqlite", "some.nsys-rep", "some.json.gz", "some.warpline", "some.txt", "two words.txt"})
        QVERIFY(QFile(folder.filePath(name)).open(QIODevice::WriteOnly));
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(bash, {"--norc", "-s"});
    process.write(output({"--completion", "bash"}).toUtf8());
    process.write("COMP_WORDS=(" + line.toUtf8()
        + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\ncompopt() { :; }\n"
          "_warpline_cli\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished());
    QStringList words = QString(process.readAll()).split('\n', Qt::SkipEmptyParts);
    words.sort();
    QCOMPARE(words.join(' '), found);
}

QTEST_GUILESS_MAIN(DocumentsTest)
#include "tst_documents.moc"
