#pragma once

#include "core/budget/gpu_budget.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace warpline {

/// Why the GPUs of a report idle at any time: the idle part of GpuBudgets, compact enough to keep while the
/// report is open. Consecutive gaps of one reason are merged, whatever runs between them: check first whether
/// the GPU works.
class IdleTimes {
public:
    explicit IdleTimes(const GpuBudgets& budgets);

    /// The idle times of `trace`: computed once per report for all callers, see keep(). Throws Stopped when
    /// `stop` is requested.
    static std::shared_ptr<const IdleTimes> of(const Trace& trace, const std::stop_token& stop = {});
    /// The same; nullptr while it has not been computed.
    static std::shared_ptr<const IdleTimes> known(const Trace& trace);
    /// Takes them from `budgets` of `trace`, which were computed for another purpose.
    static void keep(const Trace& trace, const GpuBudgets& budgets);

    /// The part (of group Idle) that `gpu` spends its time in at `time`, if it idles then; nullptr: it has no
    /// such time. O(log n).
    const BudgetPart* at(const GpuOfProcess& gpu, Ns time) const;
    /// The same in the middle of each of `pixels` columns of `window`, as numbers for partOf(); 0: nothing.
    /// `out` is resized. O(pixels log n).
    void along(const GpuOfProcess& gpu, TimeRange window, int pixels, std::vector<std::uint16_t>& out) const;
    /// The idle time of `gpu` in `window` by reason, the longest first; `busyIn` gives how long it works in a
    /// range. O(stretches in `window`) calls of it.
    std::vector<std::pair<const BudgetPart*, Ns>> within(
        const GpuOfProcess& gpu, TimeRange window, const std::function<Ns(TimeRange)>& busyIn) const;
    const BudgetPart& partOf(std::uint16_t number) const { return m_parts[number - 1U]; }
    GpuApi api() const { return m_api; } ///< the API that the parts name
    std::size_t stretches() const; ///< of all GPUs

private:
    struct Gpu {
        std::vector<Ns> start; ///< of each stretch, ascending; the last has no end
        std::vector<std::uint16_t> number; ///< for partOf()
    };

    GpuApi m_api;
    std::vector<BudgetPart> m_parts;
    std::map<GpuOfProcess, Gpu> m_gpus;
};

/// Whether both parts read the same: equal label, see labelOf(), and range.
bool isSameReason(const BudgetPart& a, const BudgetPart& b);
/// As in the bar of a run: "Idle: launching"; for time in a range its name, "Idle: load".
Message idleText(const BudgetPart& part, GpuApi api);

} // namespace warpline
