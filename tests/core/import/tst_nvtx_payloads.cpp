// Payloads of NVTX events in all forms: a number, JSON, bytes with a layout, separate tables; and their use.

#include "core/query/event_list.h"
#include "core/stats/stats_table.h"
#include "core/store/payload_fields.h"
#include "core/store/problem.h"
#include "core/store/trace.h"
#include "tests/core/import/import_helpers.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

namespace tst_nvtx_payloads {

using namespace warpline;
using namespace warpline::test;

namespace {

std::string payloadOf(const Trace& trace, EventIndex event)
{
    return std::string(trace.text(trace.nvtx().attributesOf(event).payload));
}

std::uint64_t unreadPayloads(const Trace& trace)
{
    std::uint64_t unread = 0;
    for (const Problem& problem : trace.info.problems)
        unread += problem.kind == ProblemKind::PayloadUnreadable ? problem.count : 0;
    return unread;
}

} // namespace

class NvtxPayloadsTest : public QObject {
    Q_OBJECT

private slots:
    void fieldsOfAPayload();
    void scalarAndJsonPayloads();
    void manyFieldsAreCounted();
    void binaryPayloadsEqualTheirJson_data();
    void binaryPayloadsEqualTheirJson();
    void binaryPayloadsOfEveryType();
    void smallPayloadsMakeNoLongTexts();
    void damagedPayloadsAreCounted();
    void payloadTablesAreJoined();
    void payloadsSortAndGroup();
};

void NvtxPayloadsTest::fieldsOfAPayload()
{
    QVERIFY(payloadFields("").empty());
    const auto scalar = payloadFields("-1.5e3");
    QCOMPARE(scalar.size(), 1U);
    QCOMPARE(scalar[0].name, std::string("Payload"));
    QCOMPARE(scalar[0].value, std::string("-1.5e3"));
    const auto fields = payloadFields(
        R"({ "a b":1, "t":"x \"y\" \u00e9", "list":[1,{"k":"}"}], "n":null,"last" : {"z":[]} })");
    const std::vector<std::pair<std::string, std::string>> expected{{"a b", "1"}, {"t", "x \"y\" \u00e9"},
        {"list", R"([1,{"k":"}"}])"}, {"n", "null"}, {"last", R"({"z":[]})"}};
    QCOMPARE(fields.size(), expected.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
        QCOMPARE(fields[i].name, expected[i].first);
        QCOMPARE(fields[i].value, expected[i].second);
    }
    // A surrogate pair; a lone surrogate is no reason to stop.
    QCOMPARE(payloadFields(R"({"clef":"\ud834\udd1e."})")[0].value, std::string("\U0001D11E."));
    QCOMPARE(payloadFields(R"({"half":"\ud834","next":1})").size(), 2U);
    // Truncated: the fields before the end.
    for (const char* const broken :
        {"{", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":[", "{,}", "{\"a\":\"\\", "\"", "["})
        QVERIFY2(payloadFields(broken).size() <= 1, broken);
}

/// Each field would be a line of a text that the window's thread lays out.
void NvtxPayloadsTest::manyFieldsAreCounted()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    QString fields;
    for (int i = 0; i < 5000; ++i)
        fields += QString("%1\"f%2\": %2").arg(i == 0 ? "" : ", ").arg(i);
    fixture.run(
        "DROP TABLE NVTX_EVENTS; CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, "
        "category INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER, jsonText TEXT);"
        "INSERT INTO NVTX_EVENTS VALUES (10, 20, 59, 5, 'a', 1677721701, NULL, 0, '{"
        + fields.toStdString() + "}');");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QVERIFY(tooltipOf(*trace, {EventKind::Nvtx, 0}).size() < 120);
    QCOMPARE(factOf(*trace, {EventKind::Nvtx, 0}, "f99"), std::string("99"));
    QCOMPARE(factOf(*trace, {EventKind::Nvtx, 0}, "More fields"), std::string("4,900"));
}

void NvtxPayloadsTest::scalarAndJsonPayloads()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(
        "DROP TABLE NVTX_EVENTS; CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, "
        "category INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER, "
        "doubleValue REAL, int32Value INTEGER, jsonText TEXT);"
        "INSERT INTO NVTX_EVENTS VALUES (1, NULL, 33, 5, 'io', 1677721701, NULL, 0, NULL, NULL, NULL),"
        "(10, 20, 59, 5, 'a', 1677721701, NULL, 0, 2.5, NULL, NULL),"
        "(30, 40, 59, 6, 'b', 1677721701, NULL, 0, NULL, -7, NULL),"
        "(50, 60, 59, 0, 'c', 1677721701, NULL, 0, NULL, NULL, '{\"shape\":\"[2,3]\",\"n\":3}');");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(factOf(*trace, {EventKind::Nvtx, 0}, "Payload"), std::string("2.5"));
    QCOMPARE(factOf(*trace, {EventKind::Nvtx, 0}, "Category"), std::string("io"));
    QCOMPARE(factOf(*trace, {EventKind::Nvtx, 1}, "Payload"), std::string("-7"));
    QCOMPARE(factOf(*trace, {EventKind::Nvtx, 1}, "Category"), std::string("6")); // it has no name
    QCOMPARE(factOf(*trace, {EventKind::Nvtx, 2}, "shape"), std::string("[2,3]"));
    QCOMPARE(factOf(*trace, {EventKind::Nvtx, 2}, "n"), std::string("3"));
    QCOMPARE(trace->nvtx().payloadFields.size(), 3U);
}

void NvtxPayloadsTest::binaryPayloadsEqualTheirJson_data()
{
    QTest::addColumn<int>("payloads");
    QTest::newRow("ddp_json_rank0") << 72;
    QTest::newRow("ddp_json_rank1") << 72;
    QTest::newRow("fsdp_rank0") << 192;
    QTest::newRow("fsdp_rank1") << 192;
    QTest::newRow("pipe_rank0") << 64;
    QTest::newRow("pipe_rank1") << 64;
}

void NvtxPayloadsTest::binaryPayloadsEqualTheirJson()
{
    QFETCH(int, payloads);
    const std::string path = moreReport(QTest::currentDataTag());
    if (path.empty())
        QSKIP("The shared report is not there.");
    const auto said = load(path);
    ReportFixture fixture;
    copyInto(fixture, path);
    fixture.run("UPDATE NVTX_EVENTS SET jsonText = NULL");
    const auto decoded = load(fixture.path());
    QVERIFY(said && decoded);
    int compared = 0;
    int sizes = 0;
    for (EventIndex i = 0; i < said->nvtx().size(); ++i) {
        const std::string json = payloadOf(*said, i);
        compared += json.empty() ? 0 : 1;
        sizes += said->nvtx().attributesOf(i).payloadBytes > 0 ? 1 : 0;
        QCOMPARE(payloadOf(*decoded, i), json);
        QCOMPARE(decoded->nvtx().attributesOf(i).payloadBytes, said->nvtx().attributesOf(i).payloadBytes);
    }
    QCOMPARE(compared, payloads);
    QVERIFY(sizes > 0);
    QCOMPARE(unreadPayloads(*decoded), 0U);
}

void NvtxPayloadsTest::binaryPayloadsOfEveryType()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    // Two parts. Schema 1000: a signed byte, a float, three shorts, a text, flags, and a list with the length
    // of entry 5, of another schema whose second entry has a fixed offset.
    fixture.run(R"sql(
        CREATE TABLE NVTX_PAYLOAD_SCHEMAS (domainId INTEGER, schemaId INTEGER, name TEXT, type INTEGER,
            flags INTEGER, numEntries INTEGER, payloadSize INTEGER, alignTo INTEGER);
        CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER, schemaId INTEGER, idx INTEGER, flags INTEGER,
            type INTEGER, name TEXT, description TEXT, arrayOrUnionDetail INTEGER, offset INTEGER);
        CREATE TABLE NVTX_PAYLOAD_ENUMS (domainId INTEGER, schemaId INTEGER, name TEXT, numEntries INTEGER,
            size INTEGER);
        CREATE TABLE NVTX_PAYLOAD_ENUM_ENTRIES (domainId INTEGER, schemaId INTEGER, idx INTEGER, name TEXT,
            value INTEGER, isFlag INTEGER);
        INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (0, 1000, NULL, 2, NULL, 7, NULL, NULL),
            (0, 1001, NULL, 1, NULL, 2, 4, 2), (0, 1003, NULL, 1, NULL, 1, 8, NULL);
        INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES
            (0, 1000, 6, 48, 1001, 'list', NULL, 5, 28), (0, 1000, 0, NULL, 11, 'i8', NULL, NULL, NULL),
            (0, 1000, 1, NULL, 19, 'f', NULL, NULL, 4), (0, 1000, 2, 16, 13, 'shorts', NULL, 3, 8),
            (0, 1000, 3, 16, 1, 'text', NULL, 6, 14), (0, 1000, 4, NULL, 1002, 'flags', NULL, NULL, 20),
            (0, 1000, 5, NULL, 6, 'count', NULL, NULL, 24),
            (0, 1001, 0, NULL, 12, 'a', NULL, NULL, NULL), (0, 1001, 1, NULL, 14, 'b', NULL, NULL, NULL),
            (0, 1003, 0, NULL, 23, 'where', NULL, NULL, NULL);
        INSERT INTO NVTX_PAYLOAD_ENUMS VALUES (0, 1002, NULL, 2, 4);
        INSERT INTO NVTX_PAYLOAD_ENUM_ENTRIES VALUES (0, 1002, 0, 'read', 1, 1), (0, 1002, 1, 'write', 2, 1);
        DROP TABLE NVTX_EVENTS;
        CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER,
            textId INTEGER, domainId INTEGER, binaryData TEXT);
    )sql");
    // Heads of two parts, at 56 (36 bytes) and at 92 (8 bytes); then their data.
    fixture.run("INSERT INTO NVTX_EVENTS VALUES (10, 20, 59, 'a', 1677721701, NULL, 0, x'"
                "0200000000000000e80300000000000024000000000000003800000000000000"
                "eb0300000000000008000000000000005c00000000000000"
                "ff0000000000c03f0100feff0300686900000000030000000200000007"
                "00e80308000100efbe000000000000')");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(payloadOf(*trace, 0),
        std::string(R"({"i8":-1,"f":1.5,"shorts":[1,-2,3],"text":"hi","flags":"read|write","count":2,)"
                    R"("list":[{"a":7,"b":1000},{"a":8,"b":1}],"where":"0xbeef"})"));
}

void NvtxPayloadsTest::smallPayloadsMakeNoLongTexts()
{
    // A list of a hundred values of no size, whose field has a name of 10,000 letters.
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(R"sql(
        CREATE TABLE NVTX_PAYLOAD_SCHEMAS (domainId INTEGER, schemaId INTEGER, payloadSize INTEGER, alignTo INTEGER);
        CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER, schemaId INTEGER, idx INTEGER, flags INTEGER,
            type INTEGER, name TEXT, arrayOrUnionDetail INTEGER, offset INTEGER);
        INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (0, 1000, 0, 1), (0, 1001, 0, 1), (0, 1002, 0, 1);
        INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (0, 1000, 0, 0, 18, 'v', NULL, 0),
            (0, 1000, 1, 16, 1001, 'a', 100, 8), (0, 1001, 0, 0, 1002, hex(zeroblob(5000)), NULL, 0);
        DROP TABLE NVTX_EVENTS;
        CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER,
            textId INTEGER, domainId INTEGER, binaryData TEXT);
        INSERT INTO NVTX_EVENTS VALUES (10, 20, 59, 'a', 1677721701, NULL, 0,
            x'0100000000000000e80300000000000008000000000000002000000000000000' || x'0700000000000000');
    )sql");
    fixture.run("UPDATE NVTX_EVENTS SET binaryData = CAST(binaryData AS BLOB)");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(payloadOf(*trace, 0), std::string());
    QCOMPARE(unreadPayloads(*trace), 1U);
}

void NvtxPayloadsTest::damagedPayloadsAreCounted()
{
    const std::string path = moreReport("ddp_json_rank0");
    if (path.empty())
        QSKIP("The shared report ddp_json_rank0 is not there.");
    // Cut off after any byte, and counts, sizes and places that lie: no crash, and all are counted.
    std::vector<std::string> damages;
    for (int cut = 1; cut < 56; cut += 9)
        damages.push_back("substr(binaryData, 1, " + std::to_string(cut) + ")");
    for (const char* const head :
        {"00", "ff", "ffffffffffffffff", "01000000000000000500000100000000ffffffffffffff7f",
            "0100000000000000050000010000000018000000000000000000000000000080"})
        damages.push_back("CAST(x'" + std::string(head) + "' || substr(binaryData, "
            + std::to_string(std::string_view(head).size() / 2 + 1) + ") AS BLOB)");
    for (const std::string& damage : damages) {
        ReportFixture fixture;
        copyInto(fixture, path);
        fixture.run("UPDATE NVTX_EVENTS SET jsonText = NULL, binaryData = " + damage
            + " WHERE binaryData IS NOT NULL");
        const auto trace = load(fixture.path());
        QVERIFY(trace);
        QVERIFY2(unreadPayloads(*trace) == 72, damage.c_str());
    }
    ReportFixture fixture;
    copyInto(fixture, path);
    fixture.run("UPDATE NVTX_EVENTS SET jsonText = NULL;"
                "UPDATE NVTX_PAYLOAD_SCHEMA_ENTRIES SET offset = 1000000 WHERE idx = 1");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(unreadPayloads(*trace), 72U);
}

void NvtxPayloadsTest::payloadTablesAreJoined()
{
    ReportFixture fixture;
    fixture.addSmallReport();
    fixture.run(R"sql(
        DROP TABLE NVTX_EVENTS;
        CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER,
            textId INTEGER, domainId INTEGER, binaryData TEXT, eventId INTEGER NOT NULL PRIMARY KEY);
        INSERT INTO NVTX_EVENTS VALUES (10, 20, 59, 'a', 1677721701, NULL, 3, NULL, 7),
            (30, 40, 59, 'b', 1677721701, NULL, 3, NULL, 5), (50, 60, 59, 'c', 1677721701, NULL, 3, NULL, 6);
        CREATE TABLE NVTX_EVENTS_PAYLOAD_SCHEMAS (eventId INTEGER, globalPid INTEGER, domainId INTEGER,
            payloadSchemaID INTEGER);
        INSERT INTO NVTX_EVENTS_PAYLOAD_SCHEMAS VALUES (7, 1677721600, 3, 900);
        CREATE TABLE DYNAMIC_NVTXPAYLOAD_DATATYPE_1677721600_3_900 (eventId INTEGER, size INTEGER, op TEXT,
            rate REAL);
        INSERT INTO DYNAMIC_NVTXPAYLOAD_DATATYPE_1677721600_3_900 VALUES (7, 4096, 'Sum', 0.5), (5, 1, NULL, NULL);
        CREATE TABLE DYNAMIC_NVTXPAYLOAD_DATATYPE_1677721600_3_900_shape (eventId INTEGER, idx INTEGER,
            value INTEGER);
        INSERT INTO DYNAMIC_NVTXPAYLOAD_DATATYPE_1677721600_3_900_shape VALUES (7, 1, 3), (7, 0, 2);
    )sql");
    const auto trace = load(fixture.path());
    QVERIFY(trace);
    QCOMPARE(payloadOf(*trace, 0),
        std::string(R"({"size":4096,"op":"Sum","rate":0.5,"shape":[{"value":2},{"value":3}]})"));
    QCOMPARE(payloadOf(*trace, 1), std::string(R"({"size":1})"));
    QCOMPARE(payloadOf(*trace, 2), std::string());
    for (const SourceTable& table : trace->info.tables)
        QVERIFY2(table.known, table.name.c_str());
}

void NvtxPayloadsTest::payloadsSortAndGroup()
{
    const std::string path = moreReport("payload");
    if (path.empty())
        QSKIP("The shared report payload is not there.");
    const auto trace = load(path);
    QVERIFY(trace);
    QCOMPARE(trace->nvtx().payloadFields.size(), 1U);
    EventQuery query;
    query.window = {trace->session.start, trace->session.end + 1};
    query.kind = EventKind::Nvtx;
    query.column = EventColumn::Payload;
    query.field = trace->nvtx().payloadFields.front();
    query.descending = false;
    const EventList sorted(trace, query);
    QCOMPARE(sorted.size(), trace->nvtx().size());
    double last = -std::numeric_limits<double>::infinity();
    for (const EventRef& event : sorted.events()) {
        const std::string payload = payloadOf(*trace, event.index);
        const double value = payload.empty() ? -std::numeric_limits<double>::infinity() : std::stod(payload);
        QVERIFY(value >= last);
        last = value;
    }
    QVERIFY(last > 0);

    const StatsTable* const table = findStatsTable("nvtx_payload_sum");
    QVERIFY(table && table->applies(*trace));
    const Cells cells = table->fill(*trace, {});
    long long instances = 0;
    long long groups = 0;
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        const Cell field = cells.at(row, cells.columns.size() - 2);
        if (std::get<std::string>(field) != "Payload")
            continue;
        const Cell count = cells.at(row, 2);
        ++groups;
        instances += std::get<std::int64_t>(count);
    }
    const std::string ranges
        = "FROM NVTX_EVENTS WHERE eventType IN (59, 60) AND doubleValue IS NOT NULL AND \"end\" IS NOT NULL";
    QCOMPARE(instances, sqlInteger(path, "SELECT count(*) " + ranges));
    QCOMPARE(groups,
        sqlInteger(path,
            "SELECT count(*) FROM (SELECT DISTINCT domainId, text, textId, doubleValue " + ranges + ")"));
}

WARPLINE_TEST(NvtxPayloadsTest)

} // namespace tst_nvtx_payloads

#include "tst_nvtx_payloads.moc"
