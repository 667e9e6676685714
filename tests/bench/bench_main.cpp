// warpline-bench REPORT: Warpline's times on it, each compared with its minimum cost in the same run.
//
// Ratios are portable between machines, times are not. --once NAME runs one piece of work a single time, for
// callgrind:
//   valgrind --tool=callgrind --toggle-collect='*measuredOnce*' warpline-bench --once range REPORT

#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/cache/report_key.h"
#include "core/cache/trace_cache.h"
#include "core/coverage/coverage.h"
#include "core/coverage/coverage_cache.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/query/event_list.h"
#include "core/query/lod.h"
#include "core/query/range_stats.h"
#include "core/render/render.h"
#include "core/rows/row_kind.h"
#include "core/stats/fill_tables.h"
#include "core/store/trace.h"
#include "tests/bench/bare_scan.h"
#include "tests/bench/ratio_table.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace warpline::bench {
namespace {

constexpr int screenPixels = 1920;
constexpr std::size_t screenRows = 100;

/// The report under test and what the benchmarks share.
struct Benched {
    std::string path;
    unsigned threads = 0; ///< for loading; callgrind follows only the thread that calls
    std::vector<std::string> selects; ///< the reads of loading that go through SQLite
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const RowTree> rows;
    std::uint64_t events = 0;
    std::uint64_t loadPeak = 0; ///< bytes above the empty program while loading and building rows
    double firstRowsNs = 0; ///< until the first snapshot with events
    std::vector<std::pair<const EventTable*, Lane>> lanes; ///< those with the most events: a full screen
    std::vector<RowId> summaries; ///< rows with a coverage
    std::vector<RowId> leaves; ///< rows with events

    TimeRange part(int fraction) const
    {
        const Ns length = std::max<Ns>(1, trace->session.duration() / fraction);
        const Ns start = trace->session.start + (trace->session.duration() - length) / 2;
        return {start, start + length};
    }
};

std::shared_ptr<const Trace> load(const std::string& path, const LoadOptions& options = {})
{
    auto trace = loadReport(path, options);
    if (!trace.ok())
        throw std::runtime_error(plain(trace.error().message));
    return trace.take();
}

void collectScreen(Benched& subject)
{
    for (const EventKind kind : allEventKinds()) {
        const EventTable& table = subject.trace->table(kind);
        for (const Lane& lane : table.lanes)
            subject.lanes.emplace_back(&table, lane);
    }
    std::ranges::sort(subject.lanes, std::greater{}, [](const auto& entry) { return entry.second.count; });
    subject.lanes.resize(std::min(screenRows, subject.lanes.size()));
    for (const RowId id : subject.rows->subtree(RowTree::root)) {
        const Row& row = subject.rows->row(id);
        if (!row.tracks.empty())
            subject.leaves.push_back(id);
        if (row.coverage)
            subject.summaries.push_back(id);
    }
}

/// Loads once, watching memory, statements and the first snapshot. Before anything else, so that the peak is
/// that of opening.
Benched prepare(const std::string& path)
{
    using Clock = std::chrono::steady_clock;
    Benched subject;
    subject.path = path;
    resetPeakMemory();
    const std::uint64_t before = peakMemory();
    const auto started = Clock::now();
    LoadOptions options;
    std::shared_ptr<const Trace> shown; // the window holds the newest snapshot too
    std::shared_ptr<const RowTree> shownRows;
    CoverageCache coverages; // as the window's loader does
    options.snapshot = [&](const std::shared_ptr<const Trace>& snapshot) {
        if (snapshot->eventCount() == 0 || Clock::now() - started < options.firstSnapshot)
            return;
        shown = snapshot;
        shownRows = buildRows(*snapshot, coverages);
        if (subject.firstRowsNs == 0)
            subject.firstRowsNs = std::chrono::duration<double, std::nano>(Clock::now() - started).count();
    };
    subject.trace = load(path, options);
    subject.rows = buildRows(*subject.trace, coverages);
    subject.loadPeak = peakMemory() - before;
    subject.events = subject.trace->eventCount();
    collectScreen(subject);
    LoadOptions slow;
    slow.throughSqlite = true;
    subject.selects = recordSelects([&] { load(path, slow); });
    return subject;
}

/// A cached trace compared with reading the report.
struct Reopening {
    double keptNs = 0; ///< writing it took
    double kernelsNs = 0; ///< until all kernels could be shown, rows built
    double wholeNs = 0; ///< until everything could
    std::uint64_t bytes = 0;
};

Reopening reopen(const Benched& subject)
{
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point start) {
        return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    };
    const std::string folder = subject.path + ".kept";
    Reopening result;
    auto started = Clock::now();
    if (!keepTrace(folder, *keyOf(subject.path), *subject.trace, {0, ~std::uint64_t{0}}))
        return result;
    result.keptNs = since(started);
    result.bytes = cacheBytes(folder);
    for (int round = 0; round < 3; ++round) { // the best of three, as for loading
        started = Clock::now();
        double kernels = 0;
        const auto trace = findTrace(folder, subject.path, static_cast<unsigned>(processors()),
            [&](const std::shared_ptr<const Trace>& snapshot) {
                if (kernels > 0 || snapshot->kernels().size() != subject.trace->kernels().size())
                    return;
                benchmark::DoNotOptimize(buildRows(*snapshot));
                kernels = since(started);
            });
        if (!trace)
            break;
        benchmark::DoNotOptimize(buildRows(*trace));
        const double whole = since(started);
        result.kernelsNs = round == 0 ? kernels : std::min(result.kernelsNs, kernels);
        result.wholeNs = round == 0 ? whole : std::min(result.wholeNs, whole);
    }
    std::filesystem::remove_all(folder);
    return result;
}

/// All pieces of work, by name: each a benchmark, and each for --once.
using Work = std::function<void(const Benched&)>;

void frame(const Benched& subject, TimeRange window)
{
    std::vector<LodSlice> slices;
    for (const auto& [table, lane] : subject.lanes) {
        levelOfDetail(*table, lane, window, screenPixels, slices);
        benchmark::DoNotOptimize(slices.data());
    }
    std::vector<float> shares;
    for (const RowId id : subject.summaries) {
        rowBusyShare(*subject.trace, subject.rows->row(id), window, screenPixels, shares);
        benchmark::DoNotOptimize(shares.data());
    }
}

std::vector<TrackRef> tracksOf(const Trace& trace, EventKind kind)
{
    std::vector<TrackRef> tracks;
    for (std::uint32_t i = 0; i < trace.table(kind).tracks.size(); ++i)
        tracks.push_back({kind, i});
    return tracks;
}

void rowFiguresOfAll(const Benched& subject)
{
    for (const RowId id : subject.leaves)
        benchmark::DoNotOptimize(rowFigures(*subject.trace, subject.rows->row(id), subject.part(2)));
}

void nameFigures(const Benched& subject)
{
    // The kernels of half the session, like the SQL compared with it.
    const auto tracks = tracksOf(*subject.trace, EventKind::Kernel);
    benchmark::DoNotOptimize(rangeStats(*subject.trace, *subject.rows, {}, tracks, subject.part(2)));
}

std::string sqlOfNames(const Benched& subject)
{
    const TimeRange window = subject.part(2);
    const std::string from = std::to_string(window.start);
    const std::string to = std::to_string(window.end);
    return "SELECT demangledName, count(*), sum(min(\"end\", " + to + ") - max(start, " + from
        + ")) AS total, min(\"end\" - "
          "start), max(\"end\" - start) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE start < "
        + to + " AND \"end\" > " + from + " GROUP BY demangledName ORDER BY total DESC";
}

void summaryTables(const Benched& subject)
{
    std::vector<TableRequest> tables;
    for (const StatsTable* const table : allStatsTables()) {
        if (table->id.ends_with("_sum") && table->applies(*subject.trace))
            tables.push_back({table, {}});
    }
    fillTables(*subject.trace, tables, [](std::size_t, Cells cells) {
        benchmark::DoNotOptimize(cells);
        return true;
    });
}

void searchNames(const Benched& subject)
{
    EventQuery query;
    query.window = subject.trace->session;
    query.text = "memcpy";
    benchmark::DoNotOptimize(EventList(subject.trace, query));
}

void sortByDuration(const Benched& subject)
{
    EventQuery query;
    query.window = subject.trace->session;
    benchmark::DoNotOptimize(EventList(subject.trace, query));
}

void buildRowsAnew(const Benched& subject)
{
    benchmark::DoNotOptimize(buildRows(*subject.trace));
}

void loadAgain(const Benched& subject)
{
    LoadOptions options;
    options.threads = subject.threads;
    benchmark::DoNotOptimize(load(subject.path, options));
}

/// Five columns of the tables of kernels and CUDA calls, as far as the report has them.
std::vector<std::string> fiveColumns(const Benched& subject)
{
    std::vector<std::string> selects;
    if (!subject.trace->kernels().empty())
        selects.emplace_back(
            R"(SELECT start, "end", streamId, correlationId, shortName FROM CUPTI_ACTIVITY_KIND_KERNEL)");
    if (!subject.trace->apiCalls().empty())
        selects.emplace_back(
            R"(SELECT start, "end", globalTid, correlationId, nameId FROM CUPTI_ACTIVITY_KIND_RUNTIME)");
    return selects;
}

const std::vector<std::pair<std::string, Work>>& allWork()
{
    static const std::vector<std::pair<std::string, Work>> list{
        {"bare_scan", [](const Benched& s) { benchmark::DoNotOptimize(bareScan(s.path, s.selects)); }},
        {"column_scan", [](const Benched& s) { benchmark::DoNotOptimize(bareScan(s.path, fiveColumns(s))); }},
        {"load", loadAgain},
        {"build_rows", buildRowsAnew},
        {"frame_full", [](const Benched& s) { frame(s, s.part(1)); }},
        {"frame_middle", [](const Benched& s) { frame(s, s.part(100)); }},
        {"frame_deep", [](const Benched& s) { frame(s, s.part(10'000)); }},
        {"row_figures", rowFiguresOfAll},
        {"name_figures", nameFigures},
        {"name_figures_sql",
            [](const Benched& s) { benchmark::DoNotOptimize(runSql(s.path, sqlOfNames(s))); }},
        {"coverage",
            [](const Benched& s) {
                benchmark::DoNotOptimize(coverageOf(*s.trace, tracksOf(*s.trace, EventKind::Kernel)));
            }},
        {"sort_by_duration", sortByDuration},
        {"filter_by_text", searchNames},
        {"rules", [](const Benched& s) { benchmark::DoNotOptimize(runRules(*s.trace, s.trace->session)); }},
        {"summary_tables", summaryTables},
    };
    return list;
}

[[gnu::noinline]] void measuredOnce(const Work& work, const Benched& subject)
{
    work(subject);
}

int runOnce(const std::string& name, const Benched& subject)
{
    for (const auto& [known, work] : allWork()) {
        if (known == name) {
            measuredOnce(work, subject);
            return 0;
        }
    }
    std::fprintf(stderr, "warpline-bench: there is no work '%s'; there are:", name.c_str());
    for (const auto& entry : allWork())
        std::fprintf(stderr, " %s", entry.first.c_str());
    std::fputs("\n", stderr);
    return 2;
}

std::string milliseconds(double ns)
{
    return formatReal(ns / 1e6, ns < 1e7 ? 2 : 1) + " ms";
}

std::uint64_t columnBytes(const Trace& trace)
{
    std::uint64_t bytes = 0;
    for (const EventKind kind : allEventKinds())
        bytes += trace.table(kind).memoryBytes();
    return bytes;
}

/// One line of the table: work `name`, against work `against` where that is not empty.
struct Question {
    std::string what;
    std::string name;
    std::string against;
    std::string target;
};

const std::vector<Question>& questions()
{
    static const std::vector<Question> list{
        {"Full open, against a bare scan of the same cells on one thread", "load", "bare_scan", ""},
        {"Full open, against a bare scan of five columns of kernels and calls", "load", "column_scan", "0.9"},
        {"Rows and coverages after it", "build_rows", "bare_scan", ""},
        {"Level of detail of 100 rows, all shown", "frame_full", "", ""},
        {"Level of detail of 100 rows, a hundredth shown", "frame_middle", "frame_full", ""},
        {"Level of detail of 100 rows, a ten thousandth shown", "frame_deep", "frame_full", ""},
        {"Range statistics: figures of all rows, half the session", "row_figures", "name_figures_sql",
            "20 ms"},
        {"Range statistics: per name, against SQL's GROUP BY", "name_figures", "name_figures_sql", "150 ms"},
        {"Coverage of all kernels", "coverage", "bare_scan", ""},
        {"All events sorted by duration", "sort_by_duration", "bare_scan", "1 s"},
        {"Events filtered by text and sorted", "filter_by_text", "sort_by_duration", "300 ms"},
        {"All rules", "rules", "load", ""},
        {"All summary tables, against loading", "summary_tables", "load", "1.5"},
    };
    return list;
}

std::vector<RatioLine> linesOf(const Benched& subject, const KeepingReporter& reporter)
{
    std::vector<RatioLine> lines;
    for (const Question& question : questions()) {
        const double wall = reporter.timesOf(question.name).wall;
        const double base = question.against.empty() ? 0 : reporter.timesOf(question.against).wall;
        if (wall > 0)
            lines.push_back({question.what, milliseconds(wall), base > 0 ? milliseconds(base) : "",
                base > 0 ? formatReal(wall / base, 3) : "", question.target});
    }
    const double scan = reporter.timesOf("bare_scan").processor;
    if (const double processor = reporter.timesOf("load").processor; processor > 0 && scan > 0)
        lines.push_back({"Full open, processor time of all threads", milliseconds(processor),
            milliseconds(scan), formatReal(processor / scan, 3), "0.8"});
    lines.push_back(
        {"First rows there to be shown, after", milliseconds(subject.firstRowsNs), "", "", "300 ms"});
    const Reopening again = reopen(subject);
    const double open = reporter.timesOf("load").wall + reporter.timesOf("build_rows").wall;
    const auto against = [&](const char* what, double ns, const char* target) {
        lines.push_back({what, milliseconds(ns), milliseconds(open), formatReal(ns / open, 3), target});
    };
    against("Reopened from a kept trace: all kernels shown, against opening", again.kernelsNs, "500 ms");
    against("Reopened from a kept trace: everything, against opening", again.wholeNs, "");
    against("Keeping it, beside the user's work", again.keptNs, "");
    lines.push_back({"Size of the kept trace", formatBytes(again.bytes), "", "", ""});
    const auto perEvent = [&](std::uint64_t bytes) {
        return formatReal(static_cast<double>(bytes)
                       / static_cast<double>(std::max<std::uint64_t>(1, subject.events)),
                   1)
            + " B";
    };
    lines.push_back({"Memory of all columns, per event", perEvent(columnBytes(*subject.trace)), "", "", ""});
    lines.push_back({"Peak memory of opening above the empty program, per event", perEvent(subject.loadPeak),
        "", "", "48 B"});
    return lines;
}

int runAll(const Benched& subject)
{
    for (const auto& [name, work] : allWork()) {
        auto* const registered
            = benchmark::RegisterBenchmark(name.c_str(), [&subject, work = work](benchmark::State& state) {
                  for ([[maybe_unused]] const auto& step : state)
                      work(subject);
                  state.counters["events"] = static_cast<double>(subject.events);
              });
        registered->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
        if (name == "bare_scan" || name == "column_scan" || name == "load" || name == "name_figures_sql")
            registered->Iterations(1)->Repetitions(3);
    }
    KeepingReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    std::printf("\n%s: %s events, %s rows read\n\n%s", subject.path.c_str(),
        formatCount(subject.events).c_str(),
        formatCount(bareScan(subject.path, subject.selects).rows).c_str(),
        ratioTable(linesOf(subject, reporter)).c_str());
    return 0;
}

int run(int argc, char** argv)
{
    std::string path;
    std::string once;
    CLI::App app{
        "Measures Warpline on a report. Options of Google Benchmark (--benchmark_filter=...) are passed on.",
        "warpline-bench"};
    app.add_option("--once", once, "Do one piece of work a single time, for callgrind");
    app.add_option("REPORT", path, "The report")->required()->check(CLI::ExistingFile);
    benchmark::Initialize(&argc, argv);
    CLI11_PARSE(app, argc, argv);
    Benched subject = prepare(path);
    subject.threads = once.empty() ? 0 : 1;
    return once.empty() ? runAll(subject) : runOnce(once, subject);
}

} // namespace
} // namespace warpline::bench

int main(int argc, char** argv)
{
    try {
        return warpline::bench::run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "warpline-bench: %s\n", error.what());
        return 1;
    }
}
