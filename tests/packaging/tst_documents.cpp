// The programs' documents: version, man pages and completions, all generated from the lists of --help. Also
// the documents of the tree: their links, length and words.

#include "core/base/version.h"
#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>

namespace tst_documents {

using namespace warpline::test;

class DocumentsTest : public QObject {
    Q_OBJECT

private slots:
    void versionsAreWhole_data();
    void versionsAreWhole();
    void lostOutputIsAnError_data();
    void lostOutputIsAnError();
    void programsComplainUnderTheirNames();
    void manualListsEveryOption();
    void manualDoesNotDependOnTheUser();
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
    void oneTableNamesTheCommands();
    void pagesOfCommandsHaveTheirOptions_data();
    void pagesOfCommandsHaveTheirOptions();
    void examplesRun_data();
    void examplesRun();
    void readmeIsShort();
    void linksResolve_data();
    void linksResolve();
    void pagesArePlain_data();
    void pagesArePlain();
};

namespace {

QString output(const QStringList& arguments)
{
    return QString::fromUtf8(runCli(arguments).output);
}

/// Output of the window's program; nothing where it is not built.
QString windowOutput(const QStringList& arguments)
{
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + "/warpline", arguments);
    process.waitForFinished();
    return QString::fromUtf8(process.readAllStandardOutput());
}

/// MPI's library keeps allocations of modules that it has closed.
QProcessEnvironment withoutLeakCheck()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("ASAN_OPTIONS", environment.value("ASAN_OPTIONS") + ":detect_leaks=0");
    return environment;
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

constexpr const char* source = WARPLINE_SOURCE_DIR "/";

QString textOfPage(const QString& path)
{
    QFile file(source + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Every Markdown file of the tree, relative to its root, without build results.
QStringList allPages()
{
    QStringList pages;
    for (const QString folder : {"", "app", "core", "docs", "packaging", "resources", "tests", "views"}) {
        const auto deep = folder.isEmpty() ? QDirIterator::NoIteratorFlags : QDirIterator::Subdirectories;
        QDirIterator it(source + folder, {"*.md"}, QDir::Files, deep);
        while (it.hasNext())
            pages << QDir(source).relativeFilePath(it.next());
    }
    return pages;
}

/// The anchors of the headings of a page, as Git hosts make them.
QStringList anchorsOf(const QString& page)
{
    static const QRegularExpression heading("^#+ +(.*)$", QRegularExpression::MultilineOption);
    static const QRegularExpression dropped("[^\\w\\- ]", QRegularExpression::UseUnicodePropertiesOption);
    QStringList anchors;
    for (const auto& match : heading.globalMatch(page))
        anchors << match.captured(1).toLower().remove(dropped).replace(' ', '-');
    return anchors;
}

/// The prose of a page: without tables, code and the targets of links.
QString proseOf(QString page)
{
    page.remove(QRegularExpression("```.*?```", QRegularExpression::DotMatchesEverythingOption));
    page.remove(QRegularExpression("^(    |\\|).*$", QRegularExpression::MultilineOption));
    page.replace(QRegularExpression("\\[([^\\]]*)\\]\\([^)]*\\)"), "\\1");
    return page.replace(QRegularExpression("`[^`]*`"), "CODE");
}

/// Synopsis, operands and options of `command`, as --help prints them.
QString usageOf(const QString& command)
{
    const QString help = output({command, "--help"});
    const qsizetype start = help.indexOf("Usage:");
    return help.mid(start, help.indexOf("\n\n'warpline-cli FILE' is short", start) - start).trimmed() + '\n';
}

QStringList sentencesOf(const QString& page)
{
    static const QRegularExpression block("\\n\\s*\\n|\\n(?=\\s*(?:[-*#]|\\d+\\.) )");
    static const QRegularExpression end("(?<=[.!?:;])\\s+|(?<=[\u3002\uff01\uff1f\uff1a\uff1b])");
    QStringList sentences;
    for (const QString& part : proseOf(page).split(block))
        sentences += part.simplified().split(end, Qt::SkipEmptyParts);
    return sentences;
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

void DocumentsTest::lostOutputIsAnError_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("arguments");
    for (const char* const program : {"warpline", "warpline-cli", "warpline-fleet"}) {
        for (const char* const option : {"--version", "--help"})
            QTest::addRow("%s %s", program, option) << program << QStringList{option};
    }
    QTest::newRow("warpline --man") << "warpline" << QStringList{"--man"};
}

void DocumentsTest::lostOutputIsAnError()
{
    QFETCH(QString, program);
    QFETCH(QStringList, arguments);
    const QString path = QCoreApplication::applicationDirPath() + '/' + program;
    if (!QFile::exists(path) || !QFile::exists("/dev/full"))
        QSKIP("not built here, or there is no /dev/full");
    QProcess process;
    process.setProcessEnvironment(withoutLeakCheck());
    process.setStandardOutputFile("/dev/full");
    process.start(path, arguments);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 4);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains(program.toUtf8() + ": cannot write standard output"), said.constData());
}

void DocumentsTest::programsComplainUnderTheirNames()
{
    const QString path = QCoreApplication::applicationDirPath() + "/warpline-fleet";
    if (!QFile::exists(path))
        QSKIP("not built here");
    for (const QStringList& arguments : {QStringList{"nosuch"}, QStringList{"--nosuch"}}) {
        QProcess process;
        process.setProcessEnvironment(withoutLeakCheck());
        process.start(path, arguments);
        QVERIFY(process.waitForFinished());
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("warpline-fleet: ") && !said.contains("warpline-cli: "), said.constData());
    }
}

void DocumentsTest::manualListsEveryOption()
{
    const QString manual = output({"--man"});
    QVERIFY(manual.startsWith(".TH WARPLINE\\-CLI 1 "));
    for (const char* const section : {"EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"}) {
        QVERIFY2(manual.contains(QString("\n.SH %1\n.TP\n").arg(section)), section);
        QVERIFY2(windowOutput({"--man"}).contains(QString("\n.SH %1\n.TP\n").arg(section))
                || windowOutput({"--man"}).isEmpty(),
            section);
    }
    const QStringList sections = manual.split("\n.SS ");
    QCOMPARE(sections.size(), commands().size() + 1);
    for (const QString& command : scopes()) {
        const auto section = std::ranges::find_if(
            sections, [&](const QString& text) { return text.startsWith(command + '\n'); });
        const QString& text = command.isEmpty() ? sections.front() : *section;
        QVERIFY2(optionsOf(command).size() >= (command == "words" || command == "mcp" ? 1 : 3),
            qPrintable(command));
        for (const QString& option : optionsOf(command)) {
            const QString bold = "\\fB" + QString(option).replace("-", "\\-") + "\\fR";
            QVERIFY2(text.contains(bold), qPrintable(command + ' ' + option));
        }
    }
}

/// Packages hold the page as it was made in the home of the builder.
void DocumentsTest::manualDoesNotDependOnTheUser()
{
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    const auto restore = qScopeGuard(
        [&before] { before.isEmpty() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", before); });
    qputenv("XDG_CACHE_HOME", "/nowhere/of-the-builder");
    const QString manual = output({"--man"});
    QVERIFY(manual.contains("cache/warpline"));
    QVERIFY(!manual.contains("/nowhere"));
    QVERIFY(output({"help", "files"}).contains("~/.cache/warpline"));
}

/// The operands of each command in the manual equal those in --help.
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
    // In another language the same options, each explained in it.
    const QString chinese = windowOutput({"--help", "--language", "zh_CN"});
    static const QRegularExpression letter("[\u4e00-\u9fff]");
    QCOMPARE(chinese.count(word), help.count(word));
    QVERIFY(!help.contains(letter));
    static const QRegularExpression english("(?:\\b[A-Za-z]?[a-z]+ ){2}[a-z]{2,}\\b");
    const auto left = english.match(QString(chinese).remove(QRegularExpression("'[^']*'")));
    QVERIFY2(!left.hasMatch() && chinese.contains(letter), qPrintable(left.captured() + '\n' + chinese));
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
            if (shell == "fish") // writes -l name for --name
                option = option.startsWith("--") ? "-l " + option.mid(2) : "-s " + option.mid(1);
            QVERIFY2(script.contains(option), qPrintable(option));
        }
    }
    // Options that are always refused; reports where a command takes none.
    const QString refused = shell == "fish" ? "seen_subcommand_from stats' -l where" : "stats:--where";
    QVERIFY(!script.contains(refused));
    if (shell == "fish")
        QVERIFY(script.contains("'not __fish_seen_subcommand_from words mcp help' -k "));
    QVERIFY2(script.contains("exit-codes"), "topics of help");
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
    QTest::newRow("no option that is always refused") << "warpline-cli stats --wh"
                                                      << "";
    QTest::newRow("rules to exclude") << "warpline-cli analyze --exclude gpu_g"
                                      << "gpu_gaps";
    QTest::newRow("tables of a page") << "warpline-cli report --tables cuda_gpu_kern_s"
                                      << "cuda_gpu_kern_sum";
    QTest::newRow("kinds") << "warpline-cli export --kinds nvtx,kern"
                           << "nvtx,kernel";
    QTest::newRow("kind") << "warpline-cli name --kind kern"
                          << "kernel";
    QTest::newRow("kind on the GPU") << "warpline-cli name --kind gpu_a"
                                     << "gpu_annotation";
    QTest::newRow("group") << "warpline-cli name --by payload"
                           << "payload payload.FIELD";
    QTest::newRow("source") << "warpline-cli samples --source bl"
                            << "blocked";
    QTest::newRow("query") << "warpline-cli sql --question top-k"
                           << "top-kernels";
    QTest::newRow("change") << "warpline-cli whatif --without sy"
                            << "sync";
    QTest::newRow("view") << "warpline-cli report --view two"
                          << "two words.txt";
    QTest::newRow("output of a cut") << "warpline-cli cut -o two"
                                     << "two words.txt";
    QTest::newRow("help") << "warpline-cli hel"
                          << "help";
    QTest::newRow("topic") << "warpline-cli help exi"
                           << "exit-codes";
    QTest::newRow("help of a command") << "warpline-cli help anal"
                                       << "analyze";
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

void DocumentsTest::oneTableNamesTheCommands()
{
    const QString questions = textOfPage("docs/cli/README.md");
    QVERIFY(questions.contains("| Question | Command |"));
    for (const QString& command : commands())
        QVERIFY2(questions.contains("(commands/" + command + ".md)"), qPrintable(command));
    QVERIFY(!textOfPage("docs/cli/contract.md").contains("| Question | Command |"));
}

void DocumentsTest::pagesOfCommandsHaveTheirOptions_data()
{
    QTest::addColumn<QString>("command");
    for (const QString& command : commands())
        QTest::newRow(qPrintable(command)) << command;
}

/// WARPLINE_WRITE_PAGES=1 writes them.
void DocumentsTest::pagesOfCommandsHaveTheirOptions()
{
    QFETCH(QString, command);
    const QString path = "docs/cli/commands/" + command + ".md";
    QString page = textOfPage(path);
    const qsizetype start = page.indexOf("```text\n") + 8;
    const qsizetype end = page.indexOf("```", start);
    QVERIFY2(start >= 8 && end >= start, "a page has a block ```text for its options");
    const QString said = page.mid(start, end - start);
    if (said != usageOf(command) && qEnvironmentVariableIsSet("WARPLINE_WRITE_PAGES")) {
        QFile file(source + path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(page.replace(start, end - start, usageOf(command)).toUtf8());
        return;
    }
    QCOMPARE(said, usageOf(command));
}

void DocumentsTest::examplesRun_data()
{
    static const QRegularExpression line(
        "^    (warpline-cli.*?)(\\s+[#>|] .*)?$", QRegularExpression::MultilineOption);
    QTest::addColumn<QString>("example");
    QStringList texts{output({"help", "examples"})};
    for (const QString& page : allPages()) {
        if (page.startsWith("docs/cli/commands/") || page == "README.md")
            texts << textOfPage(page);
    }
    for (const QString& text : texts) {
        for (const auto& match : line.globalMatch(text))
            QTest::addRow("%s", qPrintable(match.captured(1).trimmed())) << match.captured(1).trimmed();
    }
}

/// Each example of the pages runs as it stands, with the bundled reports for the reader's.
void DocumentsTest::examplesRun()
{
    QFETCH(QString, example);
    QTemporaryDir folder;
    QVERIFY(folder.isValid());
    QFile::copy(WARPLINE_SOURCE_DIR "/resources/sample.sqlite", folder.filePath("report.sqlite"));
    for (const char* const copy : {"before", "after", "rank0", "rank1"})
        QFile::copy(folder.filePath("report.sqlite"), folder.filePath(QString(copy) + ".sqlite"));
    QFile::copy(WARPLINE_SOURCE_DIR "/tests/data/operators/mix.json.gz", folder.filePath("trace.json.gz"));
    QFile::copy(WARPLINE_SOURCE_DIR "/tests/data/pairs/grid_before.sqlite", folder.filePath("a1.sqlite"));
    QFile::copy(WARPLINE_SOURCE_DIR "/tests/data/pairs/grid_after.sqlite", folder.filePath("b1.sqlite"));
    QVERIFY(QDir(folder.path()).mkdir("ranks"));
    QFile::copy(folder.filePath("report.sqlite"), folder.filePath("ranks/rank0.sqlite"));
    const QString baseline = folder.filePath("main.json");
    QCOMPARE(
        runCli({"analyze", "--format", "json", "-o", baseline, folder.filePath("report.sqlite")}).code, 0);
    QStringList arguments;
    for (const QString& argument : QProcess::splitCommand(QString(example).replace('\'', '"')).mid(1)) {
        if (argument.contains('*') && argument.endsWith(".sqlite"))
            arguments += QDir(folder.path()).entryList({argument});
        else
            arguments << (argument == "FOLDER" ? "ranks" : argument);
    }
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(QStringLiteral(WARPLINE_CLI), arguments);
    process.closeWriteChannel(); // programs that read standard input see its end
    QVERIFY(process.waitForFinished());
    const QString said = QString::fromUtf8(process.readAllStandardError());
    const QList<int> wrong{2, 3, 4};
    QVERIFY2(!wrong.contains(process.exitCode()), qPrintable(said));
}

/// Someone new decides within a minute.
void DocumentsTest::readmeIsShort()
{
    const QString readme = textOfPage("README.md");
    QVERIFY(!readme.isEmpty());
    QVERIFY2(readme.count('\n') <= 150, qPrintable(QString::number(readme.count('\n'))));
    const qsizetype words = readme.simplified().split(' ').size();
    QVERIFY2(words <= 1200, qPrintable(QString::number(words)));
}

void DocumentsTest::linksResolve_data()
{
    QTest::addColumn<QString>("page");
    for (const QString& page : allPages())
        QTest::newRow(qPrintable(page)) << page;
}

void DocumentsTest::linksResolve()
{
    QFETCH(QString, page);
    static const QRegularExpression link("\\]\\(([^)\\s]+)\\)");
    const QString text = textOfPage(page);
    for (const auto& match : link.globalMatch(QString(text).remove(QRegularExpression("`[^`]*`")))) {
        const QString target = match.captured(1);
        if (target.contains("://") || target.startsWith("mailto:"))
            continue;
        const QString path = target.section('#', 0, 0);
        const QString anchor = target.section('#', 1);
        const QString found = path.isEmpty() ? page : QDir::cleanPath(QFileInfo(page).path() + '/' + path);
        QVERIFY2(QFileInfo::exists(source + found), qPrintable(target));
        QVERIFY2(anchor.isEmpty() || anchorsOf(textOfPage(found)).contains(anchor), qPrintable(target));
    }
}

void DocumentsTest::pagesArePlain_data()
{
    QTest::addColumn<QString>("page");
    for (const QString& page : allPages()) {
        if (page != "docs/cli/fields.md") // made from the schemas
            QTest::newRow(qPrintable(page)) << page;
    }
}

/// Short sentences and standard words: readers scan, and half of them read in their second language.
void DocumentsTest::pagesArePlain()
{
    QFETCH(QString, page);
    static const QRegularExpression unusual(
        "\\b(called so|mend(s|ed|ing)?|paid once|tells? apart|is told|are told|is said|meanwhile|"
        "anew|beside|as far as|in as much as|stands? (here|first|below|above|in)|"
        "copies and sets|judge[sd]?|figures?|no JSON)\\b",
        QRegularExpression::CaseInsensitiveOption);
    const QString text = textOfPage(page);
    const auto match = unusual.match(proseOf(text));
    QVERIFY2(!match.hasMatch(), qPrintable(match.captured()));
    for (const QString& sentence : sentencesOf(text))
        QVERIFY2(sentence.count(' ') < 25, qPrintable(sentence));
}

WARPLINE_TEST(DocumentsTest)

} // namespace tst_documents

#include "tst_documents.moc"
