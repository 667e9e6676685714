// The command line in other languages: chosen by option and locale, with the keys and numbers of English; and
// names of any script in a report, which are found and printed unchanged.

#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QHash>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>

#include <algorithm>
#include <vector>

#include <sqlite3.h>

namespace tst_cli_languages {

using namespace warpline::test;

namespace {

const QString tree = WARPLINE_SOURCE_DIR;
const QString sample = tree + "/resources/sample.sqlite";

bool isChinese(const QByteArray& text)
{
    static const QRegularExpression letter("[\u4e00-\u9fff]");
    return QString::fromUtf8(text).contains(letter);
}

QByteArray outputFor(const QStringList& arguments, const QMap<QString, QString>& variables)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* const name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        environment.remove(name);
    for (auto it = variables.begin(); it != variables.end(); ++it)
        environment.insert(it.key(), it.value());
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(WARPLINE_CLI), arguments);
    process.waitForFinished();
    return process.readAllStandardOutput();
}

const QString reports = WARPLINE_TEST_DATA "/reports/";

CliRun chineseRun(QStringList arguments)
{
    return runCli(arguments << "--language"
                            << "zh_CN");
}

/// The commands that --help lists.
QStringList allCommands()
{
    static const QRegularExpression command("^  ([a-z]+) {2,}\\S", QRegularExpression::MultilineOption);
    const QString help = runCli({"--help", "--language", "en"}).output;
    QStringList commands;
    for (const auto& match : command.globalMatch(help.mid(help.indexOf("Subcommands:"))))
        commands << match.captured(1);
    return commands;
}

/// The lower-case words in `text`, without code, names and options.
QSet<QString> wordsIn(QString text)
{
    static const QRegularExpression tag("<style>.*?</style>|<[^>]*>|&\\w+;|'[^'\\n]*'|`[^`]*`",
        QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression code("[A-Z]+_\\w*|\\S*[\\w>\\])][_=/.:<([*\\\\@-]\\S*|\\S*--?\\w\\S*");
    static const QRegularExpression word("(?<![\\w-])[A-Z]?[a-z]{3,}(?![\\w-])");
    QSet<QString> words;
    for (const auto& match : word.globalMatch(text.remove(tag).replace(code, " ")))
        words.insert(match.captured().toLower());
    return words;
}

/// Headers, labels and names of columns in a page or a text with advice, whose code is English.
QString labelsIn(QString page)
{
    static const QRegularExpression style(
        "<style>.*?</style>", QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression label(
        "<(?:h\\d|th|b)\\b[^>]*>([^<]*)<|^#+ (.*)$|^\\| ([^|]*\\|.*)\\n\\|[ -:|]*-{3}"
        "|^ *(?:- )?([^:\uff1a|#(\\n]{2,18})[:\uff1a] ",
        QRegularExpression::MultilineOption);
    QString labels;
    for (const auto& match : label.globalMatch(page.remove(style)))
        labels += match.captured(1) + match.captured(2) + match.captured(3) + match.captured(4) + '\n';
    return labels;
}

/// Words that engineers use in English, names of tools and formats, and units.
const QSet<QString>& keptWords()
{
    static const QSet<QString> kept{"kernel", "kernels", "warp", "warps", "lane", "grid", "tile", "graph",
        "memcpy", "memset", "token", "tokens", "prompt", "attention", "prefill", "decode", "worker", "loader",
        "schedule", "profiler", "runtime", "rank", "ranks", "trace", "nsys", "ncu", "python", "cuda",
        "warpline", "roofline", "nsight", "systems", "compute", "tensor", "core", "cores", "markdown",
        "chrome", "perfetto", "softmax", "payload", "schema", "nvidia", "host", "shape", "operator", "module",
        "class", "unix", "kineto", "ubuntu", "none", "total", "med", "avg", "min", "max", "mpi", "json",
        "html", "csv", "profile", "hopper", "blocked", "diagnostics", "set", "unclassified", "activation",
        "communication", "normalization", "random", "reduction", "samples", "ampere", "blackwell"};
    return kept;
}

/// Whether `text` contains English: three lower-case words in a row, outside of code.
QString sentenceIn(QString text)
{
    static const QRegularExpression code(
        "(?:nsys|warpline-cli) [!-~ ]*|'[^'\\n]*'|`[^`\\n]*`|<\\([^)]*\\)|<[^>]*>"
        "|[!-~]*[_=/.][!-~]*|\\{[^}]*\\}|--?[a-z][a-z-]*");
    static const QRegularExpression sentence("(?:\\b[A-Za-z]?[a-z]+ ){2}[a-z]{2,}\\b");
    const auto match = sentence.match(text.remove(code));
    return match.hasMatch() ? match.captured() : QString();
}

/// The names in a report's strings.
QSet<QString> wordsOfReport(const QString& report)
{
    QString all;
    for (const char* const query : {"SELECT value FROM StringIds", "SELECT * FROM TARGET_INFO_SYSTEM_ENV",
             "SELECT text FROM NVTX_EVENTS WHERE text IS NOT NULL", "SELECT name FROM sqlite_master"})
        all += QString::fromUtf8(runCli({"sql", "--format", "csv", report, query}).output) + '\n';
    static const QRegularExpression word("[A-Za-z]{3,}");
    QSet<QString> words;
    for (const auto& match : word.globalMatch(all))
        words.insert(match.captured().toLower());
    return words;
}

/// The keys of `value` and its numbers, without its texts.
QJsonValue withoutTexts(const QJsonValue& value)
{
    if (value.isString())
        return value.toString().isEmpty() ? "" : "text";
    if (value.isArray()) {
        QJsonArray array;
        for (const QJsonValue& each : value.toArray())
            array << withoutTexts(each);
        return array;
    }
    if (!value.isObject())
        return value;
    QJsonObject object;
    const QJsonObject from = value.toObject();
    for (auto it = from.begin(); it != from.end(); ++it)
        object[it.key()] = withoutTexts(it.value());
    return object;
}

} // namespace

class CliLanguagesTest : public QObject {
    Q_OBJECT

private slots:
    void optionAndLocaleChoose_data();
    void optionAndLocaleChoose();
    void jsonDiffersInTextsAlone();
    void idsStay();
    void helpIsInTheLanguage_data();
    void helpIsInTheLanguage();
    void localeChoosesTheHelp();
    void complaintsAreInTheLanguage_data();
    void complaintsAreInTheLanguage();
    void answersAreInTheLanguage_data();
    void answersAreInTheLanguage();
    void tablesForProgramsKeepTheirHeads();
    void classesOfRowsStay();
    void manualIsInTheLanguage();
    void languageGoesWithLists();
    void namesOfAnyScriptAreFoundAndWritten_data();
    void namesOfAnyScriptAreFoundAndWritten();
};

void CliLanguagesTest::optionAndLocaleChoose_data()
{
    using Variables = QMap<QString, QString>;
    QTest::addColumn<Variables>("variables");
    QTest::addColumn<QString>("option");
    QTest::addColumn<bool>("chinese");
    QTest::newRow("nothing") << Variables{} << "" << false;
    QTest::newRow("option") << Variables{} << "zh_CN" << true;
    QTest::newRow("LANG") << Variables{{"LANG", "zh_CN.UTF-8"}} << "" << true;
    QTest::newRow("LC_MESSAGES before LANG")
        << Variables{{"LANG", "en_US.UTF-8"}, {"LC_MESSAGES", "zh_CN"}} << "" << true;
    QTest::newRow("LC_ALL before LC_MESSAGES")
        << Variables{{"LC_ALL", "C"}, {"LC_MESSAGES", "zh_CN"}} << "" << false;
    QTest::newRow("empty is not set") << Variables{{"LC_ALL", ""}, {"LANG", "zh_CN"}} << "" << true;
    QTest::newRow("option before locale") << Variables{{"LANG", "zh_CN.UTF-8"}} << "en" << false;
}

void CliLanguagesTest::optionAndLocaleChoose()
{
    using Variables = QMap<QString, QString>;
    QFETCH(Variables, variables);
    QFETCH(QString, option);
    QFETCH(bool, chinese);
    QStringList arguments{"analyze", "--no-cache", sample};
    if (!option.isEmpty())
        arguments << "--language" << option;
    QCOMPARE(isChinese(outputFor(arguments, variables)), chinese);
}

void CliLanguagesTest::jsonDiffersInTextsAlone()
{
    const CliRun english = runCli({"analyze", "--format", "json", "--language", "en", sample});
    const CliRun chinese = runCli({"analyze", "--format", "json", "--language", "zh_CN", sample});
    QVERIFY(english.code == 0 && chinese.code == 0);
    QVERIFY(isChinese(chinese.output) && !isChinese(english.output));
    QCOMPARE(withoutTexts(chinese.document()), withoutTexts(english.document()));
}

void CliLanguagesTest::idsStay()
{
    const auto idsIn = [](const char* language) {
        QStringList ids;
        const CliRun run = runCli({"analyze", "--format", "json", "--language", language, sample});
        for (const QJsonValue& finding : run.report()["findings"].toArray())
            ids << finding["id"].toString() + ' ' + finding["rule"].toString();
        return ids;
    };
    QVERIFY(idsIn("en").size() > 5);
    QCOMPARE(idsIn("zh_CN"), idsIn("en"));
}

void CliLanguagesTest::helpIsInTheLanguage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("program") << QStringList{"--help"};
    const QStringList commands = allCommands();
    QVERIFY(commands.size() > 15 && commands.contains("analyze"));
    for (const QString& command : commands)
        QTest::newRow(qPrintable(command)) << QStringList{command, "--help"};
    for (const char* const topic : {"exit-codes", "environment", "formats", "files", "examples"})
        QTest::newRow(topic) << QStringList{"help", topic};
}

/// The same options as in English, each explained in Chinese.
void CliLanguagesTest::helpIsInTheLanguage()
{
    QFETCH(QStringList, arguments);
    const CliRun english = runCli(arguments + QStringList{"--language", "en"});
    const CliRun chinese = chineseRun(arguments);
    QVERIFY2(english.code == 0 && chinese.code == 0, chinese.errors.constData());
    const auto optionsIn = [](const QByteArray& help) {
        static const QRegularExpression option("^  (-\\S+|[A-Z]\\S+) ", QRegularExpression::MultilineOption);
        QStringList options;
        for (const auto& match : option.globalMatch(QString::fromUtf8(help)))
            options << match.captured(1);
        return options;
    };
    QCOMPARE(optionsIn(chinese.output), optionsIn(english.output));
    QVERIFY(!isChinese(english.output));
    for (const QByteArray& line : chinese.output.split('\n')) {
        QVERIFY2(sentenceIn(QString::fromUtf8(line)).isEmpty(), line.constData());
        const bool explains = line.startsWith("  -") && line.trimmed().contains("  ");
        QVERIFY2(!explains || isChinese(line), line.constData());
    }
}

void CliLanguagesTest::localeChoosesTheHelp()
{
    QVERIFY(isChinese(outputFor({"analyze", "--help"}, {{"LANG", "zh_CN.UTF-8"}})));
    QVERIFY(isChinese(outputFor({"--help"}, {{"LC_ALL", "zh_CN.UTF-8"}})));
    QVERIFY(!isChinese(outputFor({"--language", "en", "--help"}, {{"LANG", "zh_CN.UTF-8"}})));
    QVERIFY(isChinese(runCli({"--language=zh_CN", "analyze", "--help"}).output));
    const CliRun unknown = runCli({"analyze", "--language", "xx", sample});
    QVERIFY(unknown.code == 2 && unknown.errors.contains("xx not in"));
}

void CliLanguagesTest::complaintsAreInTheLanguage_data()
{
    QTest::addColumn<QStringList>("arguments");
    const QList<QStringList> wrong{{"nonsense"}, {"analyze"}, {"analyze", "--nonsense", sample},
        {"analyze", "--rule", "gpu_gap", sample}, {"analyze", "--format", "bogus", sample},
        {"analyze", "--threshold", "x", sample}, {"analyze", "--range", "5", sample},
        {"analyze", "--explain", "--format", "json", sample}, {"analyze", "--baseline", sample, sample},
        {"analyze", "--fail-on", "horrible", sample}, {"analyze", "--list", "--explain"},
        {"analyze", "--rule"}, {"range", sample}, {"range", "--range", "9999s:", sample},
        {"range", "--range", "5s:1s", sample}, {"stats", "--report", "cuda_gpu_kernsum", sample},
        {"stats", "--where", "x", sample}, {"steps", "--tokens", "-1", sample},
        {"steps", "--summary", "--format", "csv", sample}, {"steps", "--nvtx", "nothing", sample},
        {"compare", sample}, {"compare", "--report", "kernel", sample, sample},
        {"history", "--rows", "x", sample}, {"name", sample, "nothing-is-named-so"},
        {"name", "--by", "strem", sample, "*"}, {"samples", "--source", "cpuu", sample},
        {"samples", "--thread", "nobody", "--source", "nvtx", sample}, {"sql", sample},
        {"sql", "--question", "top-kernel", sample}, {"export", "--kinds", "kernl", sample},
        {"cut", sample, sample}, {"words", "gpuu"}, {"whatif", "--without", "nothing", sample},
        {"whatif", "--scale", "x", sample}, {"ranks", "--top", "0", sample}, {"help", "formts"},
        {"analyze", "--jobs", "0", sample}, {"analyze", sample, "--force"}, {"--nonsense"}, {},
        // Messages of opening and reading: about files, filters, SQL, the user's own files.
        {"info", "/nowhere/x.sqlite"}, {"info", tree}, {"info", tree + "/README.md"},
        {"info", tree + "/app/cli_main.cpp"}, {"info", tree + "/resources/kernel_classes.txt"},
        {"info", "/dev/null"}, {"ranks", tree + "/app"}, {"ranks", tree + "/no*.sqlite"},
        {"compare", "/nowhere/x.warpline", sample}, {"report", "--view", tree + "/README.md", sample},
        {"report", "--view", "/nowhere/x", sample}, {"cut", "--range", "1ms:x", sample, "x.sqlite"},
        {"sql", sample, "DELETE FROM StringIds"}, {"sql", sample, "SELECT 1; SELECT 2"},
        {"sql", "/nowhere/x", "SELECT 1"}, {"steps", "--classes", tree + "/README.md", sample},
        {"operators", "--models", tree + "/README.md", sample},
        {"operators", "--models", "/nowhere/x", sample},
        {"report", "--range", "", sample},
        {"analyze", "--baseline", tree + "/README.md", "--fail-on", "high", sample}};
    for (const QStringList& each : wrong)
        QTest::newRow(qPrintable(QString(each.join(' ')).remove(sample).remove(tree))) << each;
    for (const char* const filter :
        {"dur>", "dur>x", "dur>1,2", "dur>1..2", "dur~5", "dur>5 and", "name>3", "kind=nix", "kidn=kernel",
            "grid=1x", "size>x", "stream<x", "(dur>5", "dur>5)", "not dur>5 (", "name~\"x", "name~/x",
            "name~/[/", "name~/(/", "name~/a{2/", "name~/a{2,1}/", "name~/a{2000}/", "name~/*/",
            "name~/a+++++/", "name~/(?=a)/", "name~/\\1/", "name~/\\q/", "name~/\\xz/", "name~/[z-a]/"})
        QTest::newRow(filter) << QStringList{"events", "--nest", "nvtx", "--where", filter, sample};
}

void CliLanguagesTest::complaintsAreInTheLanguage()
{
    QFETCH(QStringList, arguments);
    const CliRun english = runCli(arguments + QStringList{"--language", "en"});
    const CliRun chinese = chineseRun(arguments);
    QVERIFY2(english.code != 0 && chinese.code == english.code, chinese.errors.constData());
    QVERIFY2(isChinese(chinese.errors) && !isChinese(english.errors), chinese.errors.constData());
    QVERIFY2(sentenceIn(QString::fromUtf8(chinese.errors)).isEmpty(), chinese.errors.constData());
}

void CliLanguagesTest::answersAreInTheLanguage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("report");
    QTest::addColumn<bool>("advises");
    const QString um = reports + "um.sqlite";
    const QString ddp = reports + "ddp_overlap_rank0.sqlite";
    const QString before = WARPLINE_TEST_DATA "/pairs/grid_before.sqlite";
    const QString after = WARPLINE_TEST_DATA "/pairs/grid_after.sqlite";
    const auto add = [](const QStringList& arguments, const QString& report) {
        QTest::newRow(qPrintable(QString(arguments.join(' ')).remove(WARPLINE_TEST_DATA)))
            << arguments << report << (QStringList{"analyze", "report", "range"}.contains(arguments.front()));
    };
    for (const QString& report : {sample, um, ddp}) {
        add({"info", report}, report);
        add({"range", "--range", ":", report}, report);
        add({"analyze", "--explain", report}, report);
        add({"analyze", "--format", "markdown", report}, report);
        add({"analyze", "--format", "html", report}, report);
        add({"analyze", "--format", "brief", report}, report);
        add({"steps", report}, report);
        add({"steps", "--critical-path", report}, report);
        add({"steps", "--summary", "--format", "markdown", report}, report);
        add({"whatif", "--without", "sync", report}, report);
        add({"operators", report}, report);
        add({"samples", "--source", "nvtx", report}, report);
        add({"samples", "--list", report}, report);
        add({"events", "--top", "20", report}, report);
        add({"events", "--nest", "nvtx", report}, report);
        add({"name", "--by", "stream", report, "*"}, report);
        add({"ranks", report}, report);
        add({"ranks", "--format", "html", report}, report);
        add({"report", "--tables", "none", "-o", "-", report}, report);
    }
    for (const char* const format : {"table", "markdown", "html"}) {
        add({"compare", "--format", format, before, after}, before);
        add({"history", "--format", format, before, after}, before);
    }
    add({"ranks", sample, um}, um); // one is excluded
    add({"analyze", "--list"}, sample);
}

/// Each lower-case word is from the report, stays in English, or is an id. For pages with advice or names of
/// rows only the labels.
void CliLanguagesTest::answersAreInTheLanguage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, report);
    QFETCH(bool, advises);
    const CliRun run = chineseRun(arguments);
    QVERIFY2(run.code >= 0 && run.code < 10, run.errors.constData());
    static QHash<QString, QSet<QString>> known;
    if (!known.contains(report))
        known[report] = wordsOfReport(report);
    const QString text = QString::fromUtf8(run.output);
    const QSet<QString> left = wordsIn(advises ? labelsIn(text) : text) - keptWords() - known[report];
    QStringList words(left.begin(), left.end());
    words.sort();
    QVERIFY2(words.isEmpty(), qPrintable(words.join(' ')));
    QVERIFY2(run.output.isEmpty() || isChinese(run.output), run.output.left(200).constData());
}

/// CSV and JSON are read by programs, which know columns by their heads.
void CliLanguagesTest::tablesForProgramsKeepTheirHeads()
{
    for (const QStringList& command : {QStringList{"steps"}, {"operators"}, {"events", "--top", "1"},
             {"name", "--by", "stream"}, {"history"}, {"stats", "--report", "cuda_gpu_kern_sum"}}) {
        QStringList arguments = command + QStringList{"--format", "csv", reports + "bert_fp32.sqlite"};
        if (command.front() == "name")
            arguments << "*";
        const CliRun english = runCli(arguments + QStringList{"--language", "en"});
        const CliRun chinese = chineseRun(arguments);
        QVERIFY2(english.code == 0, english.errors.constData());
        QCOMPARE(chinese.output.split('\n').first(), english.output.split('\n').first());
    }
    // nsys' heads stay in tables, too, and so do the user's.
    const QStringList table{"stats", "--report", "cuda_gpu_kern_sum", sample};
    QVERIFY(chineseRun(table).output.contains("Total Time (ns)"));
    QVERIFY(chineseRun({"sql", sample, "SELECT 1 AS Name"}).output.contains("Name"));
}

/// The state of a row sets its colour in every language.
void CliLanguagesTest::classesOfRowsStay()
{
    const auto classesIn = [](const CliRun& run) {
        static const QRegularExpression row("<tr class=\"([^\"]*)\"");
        QStringList classes;
        for (const auto& match : row.globalMatch(QString::fromUtf8(run.output)))
            classes << match.captured(1);
        return classes.filter(QRegularExpression("^(?:faster|slower|new|gone)$"));
    };
    const QStringList pair{"compare", "--format", "html", WARPLINE_TEST_DATA "/pairs/grid_before.sqlite",
        WARPLINE_TEST_DATA "/pairs/grid_after.sqlite"};
    const CliRun chinese = chineseRun(pair);
    QVERIFY(!classesIn(chinese).isEmpty());
    QCOMPARE(classesIn(chinese), classesIn(runCli(pair + QStringList{"--language", "en"})));
    QVERIFY(chinese.output.contains("<html lang=\"zh-CN\""));
}

void CliLanguagesTest::manualIsInTheLanguage()
{
    const CliRun english = runCli({"--man", "--language", "en"});
    const CliRun chinese = chineseRun({"--man"});
    QVERIFY(english.output.contains("\n.SH EXIT STATUS\n") && !isChinese(english.output));
    QCOMPARE(chinese.output.count("\n.SH "), english.output.count("\n.SH "));
    QCOMPARE(chinese.output.count("\n.TP\n"), english.output.count("\n.TP\n"));
    for (const QByteArray& line : chinese.output.split('\n')) {
        const QString words = QString::fromUtf8(line).remove("\\fB").remove("\\fR").remove("\\fI");
        QVERIFY2(line.startsWith(".TH") || line.startsWith("\\fB")
                || sentenceIn(QString(words).replace("\\-", "-")).isEmpty(),
            line.constData());
    }
}

void CliLanguagesTest::languageGoesWithLists()
{
    for (const QStringList& list : {QStringList{"sql", "--questions"}, {"analyze", "--list"},
             {"stats", "--list"}, {"samples", "--list", sample}, {"sql", "--tables", sample}}) {
        const CliRun run = chineseRun(list);
        QVERIFY2(run.code == 0 && isChinese(run.output), run.errors.constData());
    }
}

void CliLanguagesTest::namesOfAnyScriptAreFoundAndWritten_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("part");
    QTest::newRow("Chinese") << QString::fromUtf8("数据 加载") << QString::fromUtf8("加载");
    QTest::newRow("Japanese") << QString::fromUtf8("前処理カーネル") << QString::fromUtf8("カーネル");
    QTest::newRow("Korean") << QString::fromUtf8("데이터 로드") << QString::fromUtf8("로드");
    QTest::newRow("Arabic") << QString::fromUtf8("مرحبا بالعالم") << QString::fromUtf8("العالم");
    QTest::newRow("Hebrew and Latin") << QString::fromUtf8("שלום step 3") << QString::fromUtf8("שלום");
    QTest::newRow("emoji") << QString::fromUtf8("🚀 launch 👩‍🔬") << QString::fromUtf8("🚀");
    QTest::newRow("combining marks") << QString::fromUtf8("e\u0301tape क्षण x\u0323\u0307")
                                     << QString::fromUtf8("क्षण");
}

void CliLanguagesTest::namesOfAnyScriptAreFoundAndWritten()
{
    QFETCH(QString, name);
    QFETCH(QString, part);
    const QTemporaryDir folder;
    const QString report = folder.filePath(name + ".sqlite");
    QVERIFY(QFile::copy(sample, report));
    QFile::setPermissions(report, QFile::ReadOwner | QFile::WriteOwner);
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(report.toUtf8(), &database), SQLITE_OK);
    const QByteArray change
        = "UPDATE NVTX_EVENTS SET text = '" + name.toUtf8() + "' WHERE text = 'sync pageable'";
    QCOMPARE(sqlite3_exec(database, change, nullptr, nullptr, nullptr), SQLITE_OK);
    QCOMPARE(sqlite3_close(database), SQLITE_OK);

    const auto rowsOf = [&](const QString& filter) {
        return runCli({"events", "--format", "json", "--where", filter, report}).rows();
    };
    QCOMPARE(rowsOf("name~\"" + part + '"').size(), 1);
    QCOMPARE(rowsOf("name=\"" + name + '"').first()["Name"].toString(), name);
    QVERIFY(runCli({"events", "--format", "csv", "--where", "name=\"" + name + '"', report})
                .output.contains(name.toUtf8()));
    const CliRun trace = runCli({"export", "--format", "chrome", "-o", "-", report});
    const QJsonArray traced = trace.document()["traceEvents"].toArray();
    QVERIFY2(std::ranges::any_of(traced, [&](const auto& each) { return each.toObject()["name"] == name; }),
        trace.errors.constData());
    const CliRun analysis = runCli({"analyze", "--format", "json", report});
    QCOMPARE(analysis.report()["file"].toString(), report);
    // By their code points, in the bytes of UTF-8 as in the table.
    std::vector<std::vector<char32_t>> sorted;
    for (const QJsonValue& row :
        runCli({"events", "--format", "json", "--sort", "name", "--where", "kind=nvtx", report}).rows()) {
        const QList<uint> letters = row.toObject()["Name"].toString().toUcs4();
        sorted.emplace_back(letters.begin(), letters.end());
    }
    QVERIFY(std::ranges::is_sorted(sorted));
    const QList<uint> letters = name.toUcs4();
    QCOMPARE(std::ranges::count(sorted, std::vector<char32_t>(letters.begin(), letters.end())), 1);
    const CliRun page = runCli({"report", "--language", "zh_CN", "--range", ":", "-o", "-", report});
    QVERIFY2(page.output.contains(name.toUtf8()), page.errors.constData());
    const QString picture = QString::fromUtf8(page.output).section("<svg", 1).section("</svg>", 0, 0);
    QVERIFY2(picture.contains(name), qPrintable(picture));
}

WARPLINE_TEST(CliLanguagesTest)

} // namespace tst_cli_languages

#include "tst_cli_languages.moc"
