// Tables of selected processes and GPUs: two halves of a report's tracks add up to the whole, and without
// tracks the table is empty.

#include "core/load/load_report.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace tst_table_tracks {

using namespace warpline;

namespace {

/// All events behind the rows of `table`, sorted.
std::vector<EventRef> eventsOf(
    const StatsTable& table, const std::shared_ptr<const Trace>& trace, TrackFilter covers)
{
    StatsQuery query;
    query.wantEvents = true;
    query.covers = std::move(covers);
    if (takesVariant(table, "rows=-1"))
        query.variant = "rows=-1"; // all of them, not the first few
    Cells cells = table.fill(*trace, query);
    cells.keep(trace);
    std::vector<EventRef> events;
    for (std::size_t row = 0; row < cells.rowCount(); ++row) {
        const auto ofRow = cells.events(row);
        events.insert(events.end(), ofRow.begin(), ofRow.end());
    }
    std::ranges::sort(events);
    return events;
}

bool isFirstHalf(const Track& track)
{
    return (processOf(track.owner) >> 24U ^ static_cast<std::uint64_t>(track.stream + 1)) % 2 == 0;
}

} // namespace

class TableTracksTest : public QObject {
    Q_OBJECT

private slots:
    void halvesMakeUpTheWhole_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* const name :
            {"reports/streams.sqlite", "reports/ddp_overlap_rank0.sqlite", "reports/um.sqlite",
                "reports/graph_nvtx.sqlite", "reports/payload.sqlite", "reports/halo_one.sqlite",
                "reports/openmp.sqlite", "reports/python_samples.sqlite", "traces/bert_stack.json.gz"})
            QTest::newRow(name) << QString(name);
    }

    void halvesMakeUpTheWhole()
    {
        QFETCH(QString, name);
        const auto loaded = loadReport((WARPLINE_TEST_DATA "/" + name).toStdString(), {});
        QVERIFY(loaded.ok());
        const std::shared_ptr<const Trace> trace = loaded.value();
        std::size_t tables = 0;
        for (const StatsTable* const table : allStatsTables()) {
            if (!table->followsTracks || !table->applies(*trace))
                continue;
            ++tables;
            const char* const id = table->id.data();
            StatsQuery none;
            none.covers = [](const Track&) { return false; };
            const bool hasTotal = table->id == "um_total_sum"; // one row, of nothing all zero
            QVERIFY2(table->fill(*trace, none).rowCount() == (hasTotal ? 1U : 0U), id);
            QVERIFY2(eventsOf(*table, trace, none.covers).empty(), id);
            const std::vector<EventRef> all = eventsOf(*table, trace, [](const Track&) { return true; });
            QVERIFY2(all == eventsOf(*table, trace, {}), id);
            if (table->shape != TableShape::Summary)
                continue; // rows of few
            std::vector<EventRef> halves = eventsOf(*table, trace, isFirstHalf);
            const std::vector<EventRef> others
                = eventsOf(*table, trace, [](const Track& track) { return !isFirstHalf(track); });
            halves.insert(halves.end(), others.begin(), others.end());
            std::ranges::sort(halves);
            QVERIFY2(halves == all, id);
        }
        QVERIFY(tables > 0);
    }
};

WARPLINE_TEST(TableTracksTest)

} // namespace tst_table_tracks

#include "tst_table_tracks.moc"
