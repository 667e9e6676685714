// CPU activity: samples with their call stacks, and thread states from the scheduler's switches.

#include "core/import/event_parts.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

namespace warpline::cpu_activity {

namespace {

constexpr std::string_view sampleTable = "COMPOSITE_EVENTS";
constexpr std::array<std::string_view, 1> sampleTables{sampleTable};
constexpr std::array<std::string_view, 4> sampleColumns{"start", "cpu", "globalTid", "id"};
namespace sample_column {
enum At : int { start = 1, cpu, thread, callchain };
}

constexpr std::string_view switchTable = "SCHED_EVENTS";
constexpr std::array<std::string_view, 1> switchTables{switchTable};
constexpr std::array<std::string_view, 6> switchColumns{
    "start", "cpu", "isSchedIn", "globalTid", "threadState", "threadBlock"};
namespace switch_column {
enum At : int { start = 1, cpu, isIn, thread, state, block };
}

/// A sample is named after the innermost function that has a symbol.
StringId sampledFunction(std::span<const StackFrame> stack, StringId unknown)
{
    for (const StackFrame& frame : stack) {
        if (!frame.unresolved)
            return frame.symbol;
    }
    return stack.empty() ? unknown : stack.front().symbol;
}

Result<void> importSamples(ImportJob& job)
{
    const auto trace = job.trace.snapshot();
    const StringId unknown = job.trace.pool().intern("CPU sample");
    const StringId source = job.trace.pool().intern(sampleTable);
    std::unordered_map<std::uint32_t, StringId> functions; // by stack, which any number of samples may have
    TableBuilder all(EventKind::Sample);
    const auto rows = scanEvents(
        job, sampleTable, sampleColumns, {sample_column::start},
        [&](const sqlite::Row& row, TimeRange time, RowChecks&) {
            TrackKey key{
                .owner = static_cast<GlobalId>(row.integer(sample_column::thread)), .source = source};
            const auto chain = callchainOf(row, sample_column::callchain);
            const auto [function, isNew] = functions.try_emplace(chain, unknown);
            if (isNew && trace->samplingChains)
                function->second = sampledFunction(trace->samplingChains->stack(chain), unknown);
            all.add(all.track(key), time.start, time.end, function->second, sourceRowOf(row));
            all.addAttribute(static_cast<std::uint32_t>(row.integer(sample_column::cpu)));
            all.addCallchain(chain);
        },
        [&] {
            publishWhenDue(job, all.size(), [&all] {
                TableBuilder soFar = all;
                return finish(soFar);
            });
        });
    return setTable(job, rows, all);
}

struct Switch {
    Ns time;
    std::uint32_t row;
    std::uint16_t cpu;
    bool in;
    StringId reason; ///< why the thread was switched out; empty: unknown
};

/// Labels of an ENUM_ table by id; empty when the report lacks it.
std::map<std::int64_t, StringId> labelsOf(ImportJob& job, std::string_view table)
{
    std::map<std::int64_t, StringId> labels;
    constexpr std::array<std::string_view, 2> columns{"id", "label"};
    enum At : int { AtId = 1, AtLabel };
    const auto read = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
        labels.emplace(row.integer(AtId), job.trace.pool().intern(row.text(AtLabel)));
    });
    return read.ok() ? labels : std::map<std::int64_t, StringId>{};
}

/// Turns one thread's switches into slices: running between in and out, waiting between out and the next in.
void addStates(
    TableBuilder& all, std::uint32_t track, std::span<const Switch> switches, Ns lastTime, StringPool& pool)
{
    const StringId running = pool.intern("Running");
    const StringId waiting = pool.intern("Waiting");
    for (std::size_t i = 0; i < switches.size(); ++i) {
        const Switch& at = switches[i];
        const bool last = i + 1 == switches.size();
        if (last && !at.in)
            break; // the end of its wait was not recorded
        const Ns end = last ? std::max(at.time, lastTime) : switches[i + 1].time;
        const StringId name = at.in ? running : (at.reason == StringId{} ? waiting : at.reason);
        all.add(track, at.time, end, name, at.row);
        all.addAttribute(at.cpu);
    }
}

using SwitchesOfThreads = std::map<GlobalId, std::vector<Switch>>;

/// The states of all threads; sorts the switches. `lastTime` ends open states.
TableBuilder statesOf(SwitchesOfThreads& threads, StringId source, Ns lastTime, StringPool& pool)
{
    TableBuilder all(EventKind::ThreadState);
    for (auto& [thread, switches] : threads) {
        std::ranges::stable_sort(switches, {}, &Switch::time);
        TrackKey key{.owner = thread, .source = source};
        addStates(all, all.track(key), switches, lastTime, pool);
    }
    return all;
}

Result<void> importSwitches(ImportJob& job)
{
    StringPool& pool = job.trace.pool();
    const auto states = labelsOf(job, "ENUM_SAMPLING_THREAD_STATE");
    const auto blocks = labelsOf(job, "ENUM_SCHEDULING_THREAD_BLOCK");
    const auto labelIn = [](const auto& labels, const sqlite::Row& row, int column) {
        if (row.isNull(column) || row.integer(column) == 0)
            return StringId{};
        const auto found = labels.find(row.integer(column));
        return found != labels.end() ? found->second : StringId{};
    };
    const StringId source = pool.intern(switchTable);
    SwitchesOfThreads threads;
    std::uint64_t switches = 0;
    Ns lastTime = std::numeric_limits<Ns>::min();
    const auto rows = scanEvents(
        job, switchTable, switchColumns, {switch_column::start},
        [&](const sqlite::Row& row, TimeRange time, RowChecks&) {
            StringId reason = labelIn(blocks, row, switch_column::block);
            if (reason == StringId{})
                reason = labelIn(states, row, switch_column::state);
            lastTime = std::max(lastTime, time.start);
            ++switches;
            threads[static_cast<GlobalId>(row.integer(switch_column::thread))].push_back(
                {time.start, sourceRowOf(row), static_cast<std::uint16_t>(row.integer(switch_column::cpu)),
                    row.integer(switch_column::isIn) != 0, reason});
        },
        [&] {
            publishWhenDue(job, switches, [&] {
                SwitchesOfThreads soFar = threads;
                TableBuilder all = statesOf(soFar, source, lastTime, pool);
                return finish(all);
            });
        });
    TableBuilder all = statesOf(threads, source, lastTime, pool);
    return setTable(job, rows, all);
}

} // namespace

extern constinit const Importer cpuSamples{
    .id = "cpu-samples", .progressText = "Reading CPU samples", .needs = sampleTables, .run = importSamples};

extern constinit const Importer contextSwitches{.id = "context-switches",
    .progressText = "Reading thread states",
    .needs = switchTables,
    .run = importSwitches};

} // namespace warpline::cpu_activity
