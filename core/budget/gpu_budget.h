#pragma once

#include "core/budget/budget_parts.h"
#include "core/coverage/gpu_times.h"
#include "core/coverage/packed_times.h"

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

class Trace;
class TraceAnalysis;

/// Time in ns per part of BudgetParts. Adds up to the range that was asked for.
using Budget = std::vector<Ns>;

/// Where the time of one GPU went for one process: an index that splits any range into disjoint parts that
/// add up to it, to the nanosecond. About 7 bytes for each change of the GPU's activity.
class GpuBudget {
public:
    GlobalId process = 0;
    std::int32_t device = -1; ///< CUDA ordinal of the process

    /// Splits `range` by part. Time outside of the session counts as idle time that no work follows. O(log
    /// n).
    Budget within(TimeRange range) const;
    /// The same of sorted, disjoint `ranges` together. O(log n + stretches and ranges between the first and
    /// the last). Throws Stopped when `stop` is requested.
    Budget within(std::span<const TimeRange> ranges, const std::stop_token& stop) const;
    std::size_t stretches() const { return m_start.size(); }
    /// Where stretch `i` begins, and its part; it lasts until the next one begins.
    std::pair<Ns, std::size_t> stretch(std::size_t i) const { return {m_start[i], m_part[i]}; }

private:
    friend class GpuBudgets;
    static constexpr std::size_t blockSize = 256;

    void append(Ns start, std::size_t part);
    void finish(Ns end, const BudgetParts& parts);
    std::size_t stretchAt(Ns time) const;
    void addInside(TimeRange range, Budget& sums) const;
    void addBefore(Ns time, std::size_t at, Ns sign, Budget& sums) const; ///< `at`: stretchAt(time)
    Ns endOf(std::size_t stretch) const
    {
        return stretch + 1 < m_start.size() ? m_start[stretch + 1] : m_end;
    }

    PackedTimes m_start;
    std::vector<std::uint16_t> m_part;
    Ns m_end = 0;
    std::size_t m_parts = 0;
    std::size_t m_outside = 0; ///< part of time outside of the session
    std::vector<Ns> m_before; ///< for stretches 0, 256, 512 ... the time of each part before them
};

/// Ranges, by start, in which communication of GPUs waits for other ranks, from sources beyond the report.
/// Without an entry, a GPU's own fastest collectives decide.
using KnownWaits = std::map<GpuOfProcess, std::vector<TimeRange>>;

/// The budgets of all GPUs of a report.
class GpuBudgets {
public:
    /// Sweeps over all GPU work, and over the launching threads while GPUs idled. Idle time is split by the
    /// activity of the thread that launched the next work. Below a millisecond it is launch pace, as in the
    /// rule launch_bound: activity between launches prepares the next one, except waits, allocations and
    /// similar; after its return the launch is on its way. In longer gaps each activity counts, and launched
    /// work is queued. Behind the last work the thread that launched it counts until the steady steps end;
    /// `stepGlob` names them, empty: they are found. O(n log lanes). Throws Stopped when `stop` is requested.
    explicit GpuBudgets(const Trace& trace, const KernelClassRules& rules = kernelClassRules(),
        const std::stop_token& stop = {}, const KnownWaits& knownWaits = {},
        const std::string& stepGlob = {});
    /// The same for the trace and the steps of `facts`; reuses other facts where their window is the whole
    /// session.
    explicit GpuBudgets(TraceAnalysis& facts);

    const BudgetParts& parts() const { return m_parts; }
    const std::vector<GpuBudget>& gpus() const { return m_gpus; } ///< by process, then device
    /// nullptr: the GPU ran nothing for that process.
    const GpuBudget* find(GlobalId process, std::int32_t device) const;

private:
    /// `ofSteps` has the steps, `facts` of the session the rest.
    void make(TraceAnalysis& facts, TraceAnalysis& ofSteps, const KernelClassRules& rules,
        const KnownWaits& knownWaits);

    BudgetParts m_parts;
    std::vector<GpuBudget> m_gpus;
};

/// The mean of `sums` over `count` steps in whole nanoseconds that add up to the mean of their sum: the
/// largest remainders absorb the rounding error.
Budget meanOf(const Budget& sums, std::size_t count);

/// The parts of group `group` in `budget`.
Ns totalOf(const BudgetParts& parts, const Budget& budget, BudgetGroup group);

} // namespace warpline
