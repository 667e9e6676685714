// warpline-cli mcp: complete investigations by a client, and answers to invalid and hostile messages.

#include "tests/app/cli_runner.h"
#include "tests/app/mcp_client.h"
#include "tests/support/report_fixture.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>

namespace tst_cli_mcp {

using namespace warpline::test;

namespace {

const QString trained = QStringLiteral(WARPLINE_TEST_DATA "/reports/bert_fp32.sqlite");
const QString streams = QStringLiteral(WARPLINE_TEST_DATA "/reports/streams.sqlite");
const QString pairs = QStringLiteral(WARPLINE_SOURCE_DIR "/../shared/pairs/");

/// The report in a document of one, in an envelope or not.
QJsonObject reportIn(const QJsonObject& document)
{
    return document.contains("reports") ? document["reports"][0].toObject() : document;
}

} // namespace

class CliMcpTest : public QObject {
    Q_OBJECT

private slots:
    void versionsAreNegotiated();
    void toolsAreListed();
    void answersFitTheirSchemas();
    void theBottleneckIsFound();
    void aChangeIsJudged();
    void theLateRankIsFound();
    void sqlIsBounded();
    void onlyOpenReportsAreRead();
    void badRequestsAreAnswered();
    void hostileMessagesAreAnswered();
    void cancelledCallsGetNoAnswer();
    void batchesAreAnswered();
    void answersBeforeTheEnd();
    void picturesAreDrawn();
    void languageIsThatOfTheServer();
};

void CliMcpTest::versionsAreNegotiated()
{
    for (const auto& [asked, given] : std::initializer_list<std::pair<QString, QString>>{
             {"2025-06-18", "2025-06-18"}, {"2024-11-05", "2024-11-05"}, {"1999-01-01", "2025-11-25"}}) {
        McpClient client;
        const QJsonObject result = client.initialize(asked)["result"].toObject();
        QCOMPARE(result["protocolVersion"].toString(), given);
        QVERIFY(result["capabilities"].toObject().contains("tools"));
        QCOMPARE(result["serverInfo"]["name"].toString(), QString("warpline"));
        QVERIFY(client.request("ping").contains("result"));
        QCOMPARE(client.end(), 0);
        QVERIFY(client.strayOutput().isEmpty());
    }
}

void CliMcpTest::toolsAreListed()
{
    McpClient client;
    client.initialize();
    const QJsonArray tools = client.request("tools/list").value("result")["tools"].toArray();
    QSet<QString> names;
    for (const QJsonValue& tool : tools) {
        names << tool["name"].toString();
        QCOMPARE(tool["inputSchema"]["type"].toString(), QString("object"));
        QCOMPARE(tool["outputSchema"]["type"].toString(), QString("object"));
        QVERIFY(tool["annotations"]["readOnlyHint"].toBool());
        QVERIFY(!tool["description"].toString().isEmpty());
        for (const QJsonValue& needed : tool["inputSchema"]["required"].toArray())
            QVERIFY(tool["inputSchema"]["properties"].toObject().contains(needed.toString()));
    }
    QCOMPARE(names.size(), tools.size());
    for (const char* name : {"open_reports", "overview", "findings", "evidence", "events", "names", "steps",
             "budget", "compare", "ranks", "sql", "words", "picture", "more"})
        QVERIFY2(names.contains(name), name);
    // A client of an older version knows no schemas of output.
    McpClient old;
    old.initialize("2024-11-05");
    for (const QJsonValue& tool : old.request("tools/list").value("result")["tools"].toArray())
        QVERIFY(!tool.toObject().contains("outputSchema"));
}

/// An answer, which is a part of a command's document, fits the schema that its tool has.
void CliMcpTest::answersFitTheirSchemas()
{
    const QString python = "/usr/bin/python3";
    QProcess check;
    check.start(python, {"-c", "import jsonschema"});
    if (!check.waitForFinished() || check.exitCode() != 0)
        QSKIP("Python's jsonschema is not there: apt-get install python3-jsonschema");
    McpClient client;
    client.initialize();
    client.open({trained, streams});
    QJsonObject schemas;
    for (const QJsonValue& tool : client.request("tools/list").value("result")["tools"].toArray())
        schemas[tool["name"].toString()] = tool["outputSchema"];
    const QJsonObject r1{{"report", "r1"}};
    const auto with = [&](QJsonObject more) {
        more.insert("report", "r1");
        return more;
    };
    const std::vector<std::pair<QString, QJsonObject>> calls{{"info", r1}, {"overview", r1}, {"findings", r1},
        {"evidence", with({{"finding", "top_kernels"}})}, {"steps", r1}, {"budget", r1},
        {"steps", with({{"critical_path", true}})}, {"range", with({{"range", "100ms:200ms"}})},
        {"events", with({{"where", "kind=kernel"}})}, {"names", with({{"table", "cuda_gpu_kern_sum"}})},
        {"name", with({{"name", "*gemm*"}})}, {"compare", {{"a", QJsonArray{"r1"}}, {"b", QJsonArray{"r2"}}}},
        {"ranks", {{"reports", QJsonArray{"r1"}}}}, {"sql", with({{"sql", "select * from kernels"}})},
        {"sql_tables", r1}, {"words", {{"term", "occupancy"}}}};
    QJsonArray pairs;
    for (const auto& [tool, arguments] : calls) {
        const QJsonObject result = client.call(tool, arguments);
        if (tool == "evidence" && result["isError"].toBool())
            continue; // the report has no such finding
        QVERIFY2(
            !result["isError"].toBool(), qPrintable(tool + ' ' + result["content"][0]["text"].toString()));
        QVERIFY2(result["content"][0]["text"].toString().size() < 40'000, qPrintable(tool));
        QVERIFY(schemas.value(tool)["required"].toArray().contains("reports"));
        pairs.append(QJsonArray{tool, schemas.value(tool), result["structuredContent"]});
    }
    QProcess validate;
    validate.start(python,
        {"-c",
            "import json, sys, jsonschema\n"
            "for tool, schema, answer in json.load(sys.stdin):\n"
            "    jsonschema.Draft202012Validator.check_schema(schema)\n"
            "    for error in jsonschema.Draft202012Validator(schema).iter_errors(answer):\n"
            "        sys.exit(f'{tool}: {error.message[:300]} at {list(error.absolute_path)}')\n"});
    validate.write(QJsonDocument(pairs).toJson());
    validate.closeWriteChannel();
    QVERIFY(validate.waitForFinished());
    QVERIFY2(validate.exitCode() == 0, validate.readAllStandardError().constData());
}

void CliMcpTest::theBottleneckIsFound()
{
    McpClient client;
    client.initialize();
    const QStringList reports = client.open({trained});
    QCOMPARE(reports, QStringList{"r1"});
    const QJsonObject r1{{"report", "r1"}};
    // The command line is the oracle: the same document, cut.
    const QJsonObject whole = runCli({"analyze", "--format", "json", trained}).report();
    const QJsonObject overview = reportIn(client.ask("overview", r1));
    QCOMPARE(overview["overview"]["sentences"].toArray(), whole["overview"]["sentences"].toArray());
    QVERIFY(!overview.contains("findings"));

    const QJsonObject answer = client.ask("findings", r1);
    const QJsonArray findings = reportIn(answer)["findings"].toArray();
    QCOMPARE(findings.size(), whole["findings"].toArray().size());
    const QJsonObject first = findings[0].toObject();
    QCOMPARE(first["saving_ns"].toInteger(), whole["findings"][0]["saving_ns"].toInteger());
    QVERIFY(!first.contains("events"));
    QVERIFY(QJsonDocument(answer).toJson().size() < 20'000);

    const QJsonObject evidence
        = client.ask("evidence", {{"report", "r1"}, {"finding", first["id"]}, {"items", 4}});
    const QJsonObject shown = reportIn(evidence)["findings"][0].toObject();
    QCOMPARE(shown["why"].toString(), whole["findings"][0]["why"].toString());
    const QJsonArray allEvents = whole["findings"][0]["events"].toArray();
    QVERIFY(allEvents.size() > 4);
    QVERIFY(shown["events"].toArray().size() < allEvents.size());
    // Omitted parts are listed, and can be read piece by piece.
    QString at;
    for (const QJsonValue& cut : evidence["more"].toArray()) {
        if (cut["at"].toString().endsWith("/findings/0/events")) {
            at = cut["at"].toString();
            QCOMPARE(cut["of"].toInt(), allEvents.size());
        }
    }
    QVERIFY(!at.isEmpty());
    QJsonArray gathered;
    while (gathered.size() < allEvents.size()) {
        const QJsonObject piece = client.ask(
            "more", {{"answer", evidence["answer"]}, {"at", at}, {"from", gathered.size()}, {"items", 30}});
        QVERIFY(!piece["items"].toArray().isEmpty());
        for (const QJsonValue& event : piece["items"].toArray())
            gathered.append(event);
    }
    QCOMPARE(gathered, allEvents);

    // The events that the evidence names are those that other tools find.
    const QJsonObject event = allEvents[0].toObject();
    const QJsonObject budget = reportIn(client.ask("budget", r1));
    qint64 sum = 0;
    for (const QJsonValue& part : budget["budget_mean"].toObject())
        sum += part.toInteger();
    QVERIFY(std::abs(sum - budget["median_gpu_ns"].toInteger()) < budget["median_gpu_ns"].toInteger() / 20);
    QVERIFY(!reportIn(client.ask("steps", r1))["steps"].toArray().isEmpty());
    const qint64 start = event["start_ns"].toInteger();
    const QString from = QString::number(start);
    const QString to = QString::number(start + std::max<qint64>(event["duration_ns"].toInteger(), 1));
    QVERIFY(client.problem("range", {{"report", "r1"}, {"range", from + ":" + to}}).isEmpty());
    QVERIFY(!client.ask("events", {{"report", "r1"}, {"range", from + ":" + to}, {"top", 5}}).isEmpty());
    QVERIFY(!client.ask("names", {{"report", "r1"}, {"table", "cuda_gpu_kern_sum"}}).isEmpty());
    QVERIFY(client.call("words", {{"term", "occupancy"}})["content"][0]["text"].toString().size() > 40);
    QCOMPARE(client.end(), 0);
    QVERIFY2(client.strayOutput().isEmpty(), client.strayOutput());
}

void CliMcpTest::aChangeIsJudged()
{
    McpClient client;
    client.initialize();
    // Two reports of the tree, compared with the output of compare.
    QCOMPARE(client.open({streams, trained}), (QStringList{"r1", "r2"}));
    const QJsonObject whole = runCli({"compare", "--format", "json", streams, trained}).report();
    const QJsonObject answer
        = reportIn(client.ask("compare", {{"a", QJsonArray{"r1"}}, {"b", QJsonArray{"r2"}}}));
    QCOMPARE(answer["verdict"].toString(), whole["verdict"].toString());
    QCOMPARE(answer["comparable"].toBool(), whole["comparable"].toBool());
    if (!QDir(pairs).exists())
        QSKIP("the shared pairs are not there: ../shared/pairs");
    const QStringList pair = client.open({pairs + "alloc_before.sqlite", pairs + "alloc_after.sqlite"});
    const QJsonObject judged
        = reportIn(client.ask("compare", {{"a", QJsonArray{pair[0]}}, {"b", QJsonArray{pair[1]}}}));
    QCOMPARE(judged["verdict"].toString(), QString("faster"));
    QVERIFY(judged["change_percent"].toDouble() < -40);
}

void CliMcpTest::theLateRankIsFound()
{
    const QString first = QString::fromStdString(sharedReport("ddp_straggler_rank0"));
    if (first.isEmpty())
        QSKIP("the shared reports are not there: ../shared/reports");
    McpClient client;
    client.initialize();
    const QStringList reports
        = client.open({first, QString::fromStdString(sharedReport("ddp_straggler_rank1"))});
    const QJsonObject ranks = client.ask("ranks", {{"reports", QJsonArray::fromStringList(reports)}});
    const QJsonObject judged = ranks.contains("late_rank") ? ranks : reportIn(ranks);
    QCOMPARE(judged["late_rank"].toInt(), 1);
    QCOMPARE(judged["cause"]["part"].toString(), QString("data_load"));
}

void CliMcpTest::sqlIsBounded()
{
    McpClient client;
    client.initialize();
    client.open({trained});
    const auto sql = [](const QString& statement, int rows = 5) {
        return QJsonObject{{"report", "r1"}, {"sql", statement}, {"rows", rows}, {"seconds", 1}};
    };
    const QJsonObject count = client.ask("sql", sql("select count(*) as n from kernels"));
    const QString text = QJsonDocument(count).toJson(QJsonDocument::Compact);
    QVERIFY2(text.contains("\"n\":3755"), qPrintable(text));
    // Rows are limited, and the answer mentions it.
    const QJsonObject cut = client.ask("sql", sql("select start from kernels"));
    QVERIFY(QJsonDocument(cut).toJson().contains("--rows"));
    // Nothing can be written, and nothing runs for ever.
    QVERIFY(!client.problem("sql", sql("delete from StringIds")).isEmpty());
    QVERIFY(!client.problem("sql", sql("attach '/etc/passwd' as x")).isEmpty());
    const QJsonObject endless = client.call(
        "sql", sql("with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"));
    QVERIFY(QJsonDocument(endless).toJson().contains("--seconds"));
    QVERIFY(client.problem("sql", sql("select strat from kernels")).contains("start"));
    // Standard input is the protocol, and no statement.
    QVERIFY(client.problem("sql", sql("-")).contains("syntax error"));
}

void CliMcpTest::onlyOpenReportsAreRead()
{
    McpClient client;
    client.initialize();
    QVERIFY(client.problem("overview", {{"report", "r1"}}).contains("open_reports"));
    QVERIFY(client.problem("overview", {{"report", trained}}).contains("open_reports"));
    QVERIFY(client.problem("open_reports", {{"paths", QJsonArray{"/nowhere/at/all.sqlite"}}})
                .contains("nowhere"));
    QVERIFY(client.problem("open_reports", {{"paths", QJsonArray{"/dev/zero"}}}).contains("/dev/zero"));
    QVERIFY(!client.problem("open_reports", {{"paths", QJsonArray{"/etc/passwd"}}}).isEmpty());
    client.open({trained});
    QVERIFY(client.problem("overview", {{"report", trained}}).contains("r1"));
    QVERIFY(client.problem("compare", {{"a", QJsonArray{"r1"}}, {"b", QJsonArray{"r9"}}}).contains("r9"));
    // Arguments that look like options are not.
    QVERIFY(!client.problem("name", {{"report", "r1"}, {"name", "--help"}}).isEmpty());
    // Names are stable; the same file has one name.
    QCOMPARE(client.open({trained}), QStringList{"r1"});
}

void CliMcpTest::badRequestsAreAnswered()
{
    McpClient client;
    QCOMPARE(client.request("tools/list").value("error")["code"].toInt(), -32600); // before initialize
    client.initialize();
    QCOMPARE(client.request("resources/list").value("error")["code"].toInt(), -32601);
    QCOMPARE(client.request("tools/call", {{"name", "overveiw"}}).value("error")["code"].toInt(), -32602);
    QVERIFY(client.request("tools/call", {{"name", "overveiw"}})
                .value("error")["message"]
                .toString()
                .contains("overview"));
    QCOMPARE(client.request("tools/call").value("error")["code"].toInt(), -32602);
    client.open({trained});
    QVERIFY(client.problem("overview", {}).contains("report"));
    QVERIFY(client.problem("overview", {{"report", 7}}).contains("text"));
    QVERIFY(client.problem("overview", {{"report", "r1"}, {"rnage", "1s:2s"}}).contains("range"));
    QVERIFY(client.problem("overview", {{"report", "r1"}, {"range", "1s"}}).contains("range"));
    // An empty text is none.
    for (const auto& [tool, argument] : std::initializer_list<std::pair<QString, QString>>{
             {"overview", "range"}, {"overview", "steps"}, {"findings", "rules"}, {"steps", "steps"},
             {"events", "where"}, {"events", "range"}, {"events", "sort"}})
        QVERIFY2(!client.ask(tool, {{"report", "r1"}, {argument, ""}}).isEmpty(), qPrintable(tool));
    QVERIFY(client.problem("range", {{"report", "r1"}, {"range", ""}}).contains("'range' must not be empty"));
    QVERIFY(client.problem("overview", {{"report", "r1"}, {"items", 0}}).contains("from 1"));
    QVERIFY(client.problem("events", {{"report", "r1"}, {"sort", "size"}}).contains("bytes"));
    QVERIFY(!client.problem("events", {{"report", "r1"}, {"where", "dur >>> x"}}).isEmpty());
    QVERIFY(client.problem("evidence", {{"report", "r1"}, {"finding", "none"}}).contains("There are"));
    QVERIFY(!client.problem("names", {{"report", "r1"}, {"table", "cuda_kern"}}).isEmpty());
    QVERIFY(client.problem("more", {{"answer", "a999"}, {"at", ""}}).contains("a999"));
    const QJsonObject info = client.ask("info", {{"report", "r1"}});
    QVERIFY(client.problem("more", {{"answer", info["answer"]}, {"at", "/no/such"}}).contains("/no/such"));
    QVERIFY(
        client.problem("more", {{"answer", info["answer"]}, {"at", "not a pointer"}}).contains("pointer"));
    QCOMPARE(client.end(), 0);
    QVERIFY2(client.strayOutput().isEmpty(), client.strayOutput());
}

void CliMcpTest::hostileMessagesAreAnswered()
{
    McpClient client;
    client.initialize();
    const QByteArray deep = R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": )"
        + QByteArray(1'000'000, '[') + QByteArray(1'000'000, ']') + "}}";
    const std::vector<std::pair<QByteArray, int>> messages{
        {"no json", -32700}, {R"({"jsonrpc": "2.0", "id": 1, "method": "pi)", -32700},
        {R"({"jsonrpc": "2.0", "id": 1e999, "method": "ping"})", -32700}, {"\xff\xfe", -32700},
        {QByteArray("{\0}", 3), -32700}, {R"("text")", -32600}, {"[]", -32600},
        {R"({"id": 1, "method": "ping"})", -32600},
        {R"({"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"})", -32600},
        {R"({"jsonrpc": "2.0", "id": 1, "method": 5})", -32600},
        {R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]})", -32600},
        {QByteArray(1'000'000, '['), -32600}, {deep, -32600},
        {QByteArray(9'000'000, 'x'), -32600}, // too long
    };
    for (const auto& [line, code] : messages) {
        client.sendLine(line);
        const QJsonObject answer = client.next();
        QVERIFY2(answer["error"]["code"].toInt() == code, line.left(200).constData());
    }
    // A notification gets no answer, known or not, and neither does an answer to no request.
    client.sendLine(R"({"jsonrpc": "2.0", "method": "notifications/unknown"})");
    client.sendLine(
        R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}})");
    client.sendLine(R"({"jsonrpc": "2.0", "id": 5, "result": {}})");
    client.sendLine("");
    QVERIFY(client.request("ping").contains("result"));
    // Ids may be texts.
    client.sendLine(R"({"jsonrpc": "2.0", "id": "seven", "method": "ping"})");
    QCOMPARE(client.next()["id"].toString(), QString("seven"));
    QCOMPARE(client.end(), 0);
    QVERIFY2(client.strayOutput().isEmpty(), client.strayOutput());
}

void CliMcpTest::cancelledCallsGetNoAnswer()
{
    McpClient client;
    client.initialize();
    client.open({trained});
    const QString endless
        = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n";
    const QJsonObject arguments{{"report", "r1"}, {"sql", endless}, {"seconds", 60}};
    const int running = client.send("tools/call", {{"name", "sql"}, {"arguments", arguments}});
    const int waiting
        = client.send("tools/call", {{"name", "info"}, {"arguments", QJsonObject{{"report", "r1"}}}});
    QVERIFY(client.request("ping").contains("result")); // at once, while a call runs
    for (const int id : {waiting, running})
        client.sendObject({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"},
            {"params", QJsonObject{{"requestId", id}}}});
    QElapsedTimer timer;
    timer.start();
    const int last
        = client.send("tools/call", {{"name", "info"}, {"arguments", QJsonObject{{"report", "r1"}}}});
    QCOMPARE(client.next()["id"].toInt(), last); // neither of those before it
    QVERIFY(timer.elapsed() < 30'000); // not the minute that the question may take
}

void CliMcpTest::batchesAreAnswered()
{
    const QByteArray batch = R"([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, 5,)"
                             R"( {"jsonrpc": "2.0", "method": "notifications/unknown"},)"
                             R"( {"jsonrpc": "2.0", "id": 2, "method": "none"}])";
    McpClient old;
    old.initialize("2025-03-26");
    old.sendLine(batch);
    const QJsonArray answers = old.next()["batch"].toArray();
    QCOMPARE(answers.size(), 3);
    QVERIFY(answers[0].toObject().contains("result"));
    QCOMPARE(answers[1]["error"]["code"].toInt(), -32600);
    QCOMPARE(answers[2]["error"]["code"].toInt(), -32601);
    McpClient client; // later versions have no batches
    client.initialize("2025-06-18");
    client.sendLine(batch);
    QCOMPARE(client.next().value("error")["code"].toInt(), -32600);
}

void CliMcpTest::answersBeforeTheEnd()
{
    McpClient client;
    client.initialize();
    const int id = client.send(
        "tools/call", {{"name", "open_reports"}, {"arguments", QJsonObject{{"paths", QJsonArray{trained}}}}});
    QCOMPARE(client.next()["id"].toInt(), id);
    client.send("tools/call", {{"name", "info"}, {"arguments", QJsonObject{{"report", "r1"}}}});
    QCOMPARE(client.end(), 0);
}

void CliMcpTest::picturesAreDrawn()
{
    const QString window = QFileInfo(QStringLiteral(WARPLINE_CLI)).path() + "/warpline";
    McpClient client(QStringList{"PATH=/nowhere", "HOME=" + QDir::tempPath()});
    client.initialize();
    client.open({streams});
    const QJsonObject arguments{{"report", "r1"}, {"width", 800}, {"height", 600}};
    const QJsonObject result = client.call("picture", arguments);
    if (!QFileInfo::exists(window)) {
        QVERIFY(result["isError"].toBool());
        QVERIFY(result["content"][0]["text"].toString().contains("warpline"));
        QSKIP("the program warpline is not built");
    }
    QCOMPARE(result["content"][0]["type"].toString(), QString("image"));
    QCOMPARE(result["content"][0]["mimeType"].toString(), QString("image/png"));
    const QByteArray png = QByteArray::fromBase64(
        result["content"][0]["data"].toString().toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    QVERIFY(png.startsWith("\x89PNG\r\n"));
    // The size, as PNG's first chunk has it.
    QCOMPARE(png.mid(16, 8).toHex(), QByteArray("0000032000000258"));
}

/// Each call runs a command, which must not fall back to the language of the environment.
void CliMcpTest::languageIsThatOfTheServer()
{
    static const QRegularExpression chinese("[\u4e00-\u9fff]");
    McpClient client({}, {"--language", "zh_CN"});
    client.initialize();
    client.open({streams});
    for (int i = 0; i < 2; ++i) {
        const QJsonArray findings
            = reportIn(client.ask("findings", {{"report", "r1"}}))["findings"].toArray();
        QVERIFY(!findings.isEmpty());
        QVERIFY(findings[0]["title"].toString().contains(chinese));
    }
    for (const QJsonObject& wrong : {QJsonObject{{"report", "r9"}}, {}, {{"report", 7}},
             {{"report", "r1"}, {"range", "1s"}}, {{"report", "r1"}, {"rnage", "1s:2s"}}})
        QVERIFY(client.problem("overview", wrong).contains(chinese));
}

WARPLINE_TEST(CliMcpTest)

} // namespace tst_cli_mcp

#include "tst_cli_mcp.moc"
