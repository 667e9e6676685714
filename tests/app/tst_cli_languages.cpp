// The command line in other languages: chosen by option and locale, with the keys and numbers of English; and
// names of any script in a report, which are found and written out as they are.

#include "tests/app/cli_runner.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <sqlite3.h>

namespace tst_cli_languages {

using namespace warpline::test;

namespace {

const QString sample = WARPLINE_SOURCE_DIR "/resources/sample.sqlite";

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
    QVERIFY2(trace.output.contains(name.toUtf8()), trace.errors.constData());
    const CliRun page = runCli({"report", "--language", "zh_CN", "-o", "-", report});
    QVERIFY2(page.output.contains(name.toUtf8()), page.errors.constData());
}

WARPLINE_TEST(CliLanguagesTest)

} // namespace tst_cli_languages

#include "tst_cli_languages.moc"
