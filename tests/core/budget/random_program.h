#pragma once

#include "core/analysis/time_by_name.h"
#include "core/budget/budget_parts.h"
#include "core/replay/data_loading.h"
#include "core/steps/steps.h"
#include "tests/core/findings/drawn_program.h"
#include "tests/core/findings/told_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpline::test {

/// A random program, with its activity at any moment computed by brute force.
class RandomProgram {
public:
    explicit RandomProgram(unsigned seed)
        : m_random(seed)
    {
        const Ns end = 400 * unit;
        for (int i = 0; i < 25; ++i)
            addWork(end);
        for (int i = 0; i < 6; ++i) {
            const Ns start = (i * 66 + pick(0, 20)) * unit + ++m_count;
            const TimeRange outer{start, start + pick(1, 40) * unit};
            addRange(i % 2 == 0 ? "data_load" : "prepare_" + std::to_string(i), outer);
            const Ns half = outer.duration() / 2;
            if (half > 10)
                addRange("inner", {outer.start + 3, outer.start + half});
        }
        for (int i = 0; i < 12; ++i)
            addHost(end);
        m_trace = m_drawn.finish();
    }

    const Trace& trace() const { return *m_trace; }

    /// The id of the part that counts at `time`; `session` is the budget's.
    std::string partAt(Ns time) const
    {
        if (const std::string busy = busyAt(time); !busy.empty())
            return busy;
        return idleAt(time);
    }

    /// The cause of HostTimeline::split() that counts at `time` on thread `tid`.
    IdleCause causeAt(Ns time, std::uint32_t tid) const
    {
        const Ns begin
            = std::ranges::min(m_works, {}, [](const Work& work) { return work.runs.start; }).runs.start;
        const bool mayCompile = time >= begin && hostAt(time, tid).first != IdleCause::Profiler;
        const IdleCause doing = mayCompile ? hostWithin(time, std::numeric_limits<Ns>::max(), tid).first
                                           : hostAt(time, tid, false).first;
        return doing == IdleCause::RankStart ? IdleCause::OtherRanks : doing;
    }

    /// The times of the pieces of work that run in `window`, by start.
    std::vector<TimeRange> worksIn(TimeRange window) const
    {
        std::vector<TimeRange> works;
        for (const Work& work : m_works) {
            if (window.touches(work.runs.start, work.runs.end))
                works.push_back(work.runs);
        }
        std::ranges::sort(works, {}, &TimeRange::start);
        return works;
    }

    std::vector<Ns> boundaries() const
    {
        std::set<Ns> times;
        for (const Work& work : m_works)
            times.insert({work.runs.start, work.runs.end, work.call.start, work.call.end});
        for (const auto& list : {m_ranges, m_host}) {
            for (const Doing& each : list)
                times.insert({each.when.start, each.when.end});
        }
        return {times.begin(), times.end()};
    }

private:
    static constexpr Ns unit = 100 * us;

    struct Work {
        TimeRange runs;
        TimeRange call;
        std::uint32_t tid = 1;
        int rank = 0; ///< the lowest that runs counts
        std::string part;
        IdleCause calling = IdleCause::Launch;
    };
    struct Doing {
        TimeRange when;
        std::uint32_t tid = 1;
        IdleCause doing = IdleCause::OwnCode;
        std::string name;
    };

    Ns pick(Ns low, Ns high) { return std::uniform_int_distribution<Ns>(low, high)(m_random); }
    /// Starts are distinct, so that one piece of work ends an idle stretch.
    TimeRange anyRange(Ns end, Ns longest)
    {
        const Ns start = pick(0, end / unit) * unit + ++m_count;
        return {start, start + pick(1, longest / us) * us};
    }

    void addWork(Ns end)
    {
        struct Look {
            std::string_view name;
            std::string_view part;
        };
        // In the order of precedence.
        static constexpr std::array<Look, 4> looks{
            {{"flash_fwd_kernel", "compute_attention"}, {"my_gemm_kernel", "compute_gemm"},
                {"softmax_warp_forward", "compute_softmax"}, {"mystery", "compute_unclassified"}}};
        Work work;
        work.runs = anyRange(end, 8 * unit);
        const Ns launched = std::max<Ns>(0, work.runs.start - pick(0, 12) * unit / 2);
        const int kind = static_cast<int>(pick(0, 6));
        if (kind < 4) {
            work.rank = kind;
            work.part = looks[static_cast<std::size_t>(kind)].part;
            work.tid = static_cast<std::uint32_t>(pick(1, 2));
            work.call = {launched, launched + 2 * us};
            m_drawn.kernel(looks[static_cast<std::size_t>(kind)].name, launched, work.runs,
                {.stream = static_cast<std::int32_t>(pick(1, 3)), .tid = work.tid});
        } else if (kind < 6) {
            work.rank = kind;
            work.part = kind == 4 ? "copy_to_gpu" : "copy_to_host";
            work.call = {launched, launched + pick(1, 9) * 10 * us};
            work.calling = IdleCause::CopyCall;
            m_drawn.copy(
                work.call, work.runs, {.kind = kind == 4 ? CopyKind::HtoD : CopyKind::DtoH, .stream = 20});
        } else {
            work.rank = 6;
            work.part = "set";
            work.call = work.runs;
            work.calling = IdleCause::CopyCall;
            m_drawn.set("cudaMemsetAsync", MemoryKind::Device, work.runs);
        }
        m_works.push_back(work);
    }

    void addRange(const std::string& name, TimeRange when)
    {
        m_drawn.range(name, when);
        m_ranges.push_back(
            {when, 1, isDataLoading(name) ? IdleCause::DataLoading : IdleCause::OwnCode, name});
    }

    void addHost(Ns end)
    {
        const TimeRange when = anyRange(end, 30 * unit);
        const auto tid = static_cast<std::uint32_t>(pick(1, 2));
        struct Look {
            std::string_view name;
            IdleCause doing;
        };
        static constexpr std::array<Look, 4> calls{
            {{"cudaStreamSynchronize", IdleCause::HostWait}, {"cudaMalloc", IdleCause::Allocation},
                {"cuModuleLoadData", IdleCause::CodeLoading}, {"cudaEventQuery", IdleCause::OtherCall}}};
        const auto kind = static_cast<std::size_t>(pick(0, 8));
        if (kind < 4)
            m_drawn.call(calls[kind].name, when, tid);
        else if (kind == 4)
            m_drawn.event(EventKind::OsRuntime, "nanosleep", when, tid);
        else if (kind == 5)
            m_drawn.event(EventKind::Overhead, "flush", when, tid);
        else if (kind < 8)
            m_drawn.libraryCall("MPI", kind == 6 ? "MPI_Wait" : "MPI_Init_thread", when, tid);
        else
            m_drawn.event(EventKind::ThreadState, "Blocked", when, tid);
        constexpr std::array rest{IdleCause::OsCall, IdleCause::Profiler, IdleCause::OtherRanks,
            IdleCause::RankStart, IdleCause::OffCpu};
        m_host.push_back({when, tid, kind < 4 ? calls[kind].doing : rest[kind - 4], {}});
    }

    std::string busyAt(Ns time) const
    {
        const Work* best = nullptr;
        for (const Work& work : m_works) {
            if (work.runs.contains(time) && (!best || work.rank < best->rank))
                best = &work;
        }
        return best ? best->part : std::string();
    }

    /// The activity of `tid` at `time`, and its range. With `recorder`, its own work hides all else.
    std::pair<IdleCause, std::string> hostAt(Ns time, std::uint32_t tid, bool recorder = true) const
    {
        IdleCause doing = IdleCause::NoWork;
        for (const Work& work : m_works) {
            if (work.tid == tid && work.call.contains(time))
                doing = std::min(doing, work.calling);
        }
        for (const Doing& each : m_host) {
            if (each.tid == tid && each.when.contains(time)
                && (recorder || each.doing != IdleCause::Profiler))
                doing = std::min(doing, each.doing);
        }
        const Doing* inner = nullptr;
        const Doing* loading = nullptr;
        for (const Doing& each : m_ranges) {
            if (each.tid != tid || !each.when.contains(time))
                continue;
            inner = !inner || each.when.start >= inner->when.start ? &each : inner;
            if (each.doing == IdleCause::DataLoading)
                loading = !loading || each.when.start >= loading->when.start ? &each : loading;
        }
        if (loading)
            doing = std::min(doing, IdleCause::DataLoading);
        if (doing == IdleCause::DataLoading)
            return {doing, loading->name};
        doing = std::min(doing, IdleCause::OwnCode);
        return {doing, inner && isByRange(doing) ? inner->name : std::string()};
    }

    std::string rangeAt(Ns time, std::uint32_t tid) const
    {
        const Doing* inner = nullptr;
        for (const Doing& each : m_ranges) {
            if (each.tid == tid && each.when.contains(time))
                inner = !inner || each.when.start >= inner->when.start ? &each : inner;
        }
        return inner ? inner->name : std::string();
    }

    /// hostAt(), with own code before code is loaded, in the same range and before `until`, as loading. Other
    /// calls and waits for a CPU may lie between.
    std::pair<IdleCause, std::string> hostWithin(Ns time, Ns until, std::uint32_t tid) const
    {
        const auto now = hostAt(time, tid);
        if (now.first != IdleCause::OwnCode && now.first != IdleCause::OsCall)
            return now;
        for (const Ns later : boundaries()) {
            if (later <= time)
                continue;
            if (later >= until || rangeAt(later, tid) != rangeAt(time, tid))
                break;
            const IdleCause doing = hostAt(later, tid).first;
            if (doing == IdleCause::CodeLoading)
                return {IdleCause::CodeLoading, {}};
            if (doing != IdleCause::OwnCode && doing != IdleCause::OsCall && doing != IdleCause::OtherCall
                && doing != IdleCause::OffCpu)
                break;
        }
        return now;
    }

    std::string idleAt(Ns time) const
    {
        Ns from = m_trace->session.start;
        const Work* next = nullptr;
        for (const Work& work : m_works) {
            if (work.runs.end <= time)
                from = std::max(from, work.runs.end);
            if (work.runs.start > time && (!next || work.runs.start < next->runs.start))
                next = &work;
        }
        static const BudgetParts parts{kernelClassRules()};
        if (!next)
            return behindAllWork(time, from, parts);
        const TimeRange gap{from, next->runs.start};
        const bool pace = isPace(gap, std::min(gap.end, next->call.end), next->tid);
        if (time >= next->call.end)
            return parts[parts.idle(pace ? IdleCause::Launch : IdleCause::Queued)].id;
        const auto [doing, name] = hostWithin(time, std::min(gap.end, next->call.end), next->tid);
        if (pace && paces(doing))
            return parts[parts.idle(
                             doing == IdleCause::Launch ? IdleCause::Launch : IdleCause::BetweenLaunches)]
                .id;
        return idOf(doing, name, parts);
    }

    static std::string idOf(IdleCause doing, const std::string& name, const BudgetParts& parts)
    {
        const std::string id = parts[parts.idle(doing)].id;
        return name.empty() ? id : id + ":" + withoutNumbers(name);
    }

    /// Until the steady steps end, the thread that launched the last work counts, which ended at `from`.
    std::string behindAllWork(Ns time, Ns from, const BudgetParts& parts) const
    {
        const Work& last = std::ranges::max(m_works, {}, [](const Work& work) { return work.runs.start; });
        for (const auto& [process, steps] : findSteps(*m_trace, wholeOf(*m_trace))) {
            if (from < steps.ranges[steps.firstSteady].start || time >= steps.span().end)
                continue;
            const auto [doing, name] = hostWithin(time, std::numeric_limits<Ns>::max(), last.tid);
            return idOf(doing, name, parts);
        }
        return idOf(IdleCause::NoWork, {}, parts);
    }

    static bool paces(IdleCause doing)
    {
        return doing == IdleCause::Launch || doing == IdleCause::OtherCall || doing == IdleCause::OsCall
            || doing == IdleCause::OwnCode || doing == IdleCause::Queued;
    }

    bool isPace(TimeRange gap, Ns until, std::uint32_t tid) const
    {
        if (gap.duration() >= 1 * ms || until <= gap.start)
            return false;
        std::map<IdleCause, Ns> by;
        std::vector<Ns> times{gap.start, until};
        for (const Ns time : boundaries()) {
            if (time > gap.start && time < until)
                times.push_back(time);
        }
        std::ranges::sort(times);
        for (std::size_t i = 1; i < times.size(); ++i)
            by[hostWithin(times[i - 1], until, tid).first] += times[i] - times[i - 1];
        by[IdleCause::Queued] += gap.end - until;
        const auto most = std::ranges::max_element(by, {}, [](const auto& each) { return each.second; });
        return paces(most->first);
    }

    std::mt19937 m_random;
    Ns m_count = 0;
    DrawnProgram m_drawn;
    std::vector<Work> m_works;
    std::vector<Doing> m_ranges;
    std::vector<Doing> m_host;
    std::shared_ptr<const Trace> m_trace;
};

} // namespace warpline::test
