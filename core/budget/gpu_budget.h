#pragma once

#include "core/budget/budget_parts.h"
#include "core/budget/packed_times.h"
#include "core/coverage/gpu_times.h"

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

class Trace;
class TraceAnalysis;

/// Lengths of time by part; as many as BudgetParts has. They add up to the range that was asked about.
using Budget = std::vector<Ns>;

/// Where the time of one GPU went, as one process uses it: an index that splits any range into parts that are
/// disjoint and add up to it, to the nanosecond. About 7 bytes for each change of what the GPU does.
class GpuBudget {
public:
    GlobalId process = 0;
    std::int32_t device = -1; ///< CUDA ordinal of the process

    /// `range` by part. What lies outside of the session counts as idle with no work following. O(log n).
    Budget within(TimeRange range) const;
    /// The same of sorted, disjoint `ranges` together. O(log n + stretches and ranges between the first and
    /// the last). Throws Stopped when `stop` is requested.
    Budget within(std::span<const TimeRange> ranges, const std::stop_token& stop) const;
    /// The stretches of `range` in which the GPU spent its time in `part`. O(log n + stretches in it).
    Intervals stretchesOf(std::size_t part, TimeRange range) const;
    /// The part that counts at `time`.
    std::size_t partAt(Ns time) const;
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
    std::size_t m_outside = 0; ///< the part of what lies outside
    std::vector<Ns> m_before; ///< for stretches 0, 256, 512 ... the time of each part before them
};

/// Where the communication of GPUs waits for other ranks, by start, where more is known of it than the report
/// says by itself. A GPU that is not in it is told by its own fastest collectives.
using KnownWaits = std::map<GpuOfProcess, std::vector<TimeRange>>;

/// The budgets of all GPUs of a report.
class GpuBudgets {
public:
    /// Sweeps over all GPU work, and over what the launching threads did while GPUs idled. An idle stretch is
    /// told apart by what the thread did that launched the next work. Below a millisecond that is the pace of
    /// launching, as the rule launch_bound has it: what the thread did between launches prepares the next,
    /// but for waits, allocations and the like, and after its return the launch is on its way. In longer
    /// stretches each doing counts for itself, and work that is launched is queued from then on. O(n log
    /// lanes).
    /// Throws Stopped when `stop` is requested.
    explicit GpuBudgets(const Trace& trace, const KernelClassRules& rules = kernelClassRules(),
        const std::stop_token& stop = {}, const KnownWaits& knownWaits = {});
    /// The same of the trace of `facts`, by what they have where their window is the whole session.
    explicit GpuBudgets(TraceAnalysis& facts);

    const BudgetParts& parts() const { return m_parts; }
    const std::vector<GpuBudget>& gpus() const { return m_gpus; } ///< by process, then device
    /// nullptr: the GPU ran nothing for that process.
    const GpuBudget* find(GlobalId process, std::int32_t device) const;

private:
    void make(TraceAnalysis& facts, const KernelClassRules& rules, const KnownWaits& knownWaits);

    BudgetParts m_parts;
    std::vector<GpuBudget> m_gpus;
};

/// The parts of group `group` in `budget`.
Ns totalOf(const BudgetParts& parts, const Budget& budget, BudgetGroup group);

} // namespace warpline
