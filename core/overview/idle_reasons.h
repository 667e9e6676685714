#pragma once

#include "core/budget/gpu_budget.h"

#include <functional>
#include <string>
#include <vector>

namespace warpline {

/// One reason why a GPU idles: a range of the program, or what the host does outside of ranges. Launching and
/// the time between launches are one reason.
struct IdleReason {
    Ns time = 0;
    Message text; ///< completes "while ...": "the host loads data in the range load"
    Ns most = 0; ///< of its largest cause, where it has several
    IdleCause cause = IdleCause::NoWork; ///< the largest or only cause
    std::string range; ///< empty: the reason is not a range
    Message label; ///< short form of `text`: "load", "synchronization"
    Message mostly; ///< the largest cause, completes "while ..."; empty: there is only one
};

/// The idle time of `budget` by reason, the longest first; without idle time that no work follows.
std::vector<IdleReason> idleReasons(const BudgetParts& parts, const Budget& budget);

/// ", while the host loads data in the range load for 2.1 s, ...": the three longest reasons of at least a
/// tenth of `idle`. Leaves out the profiler's time where `idle` excludes it. Empty: there are none.
Message idleReasonsText(const BudgetParts& parts, const Budget& budget, Ns idle);

/// The mean over the GPUs of what `of` returns for each. There is at least one.
Budget meanBudget(const GpuBudgets& budgets, const std::function<Budget(const GpuBudget&)>& of);

/// Why each of several GPUs idles in `range`, averaged over `users` ("2 GPUs"): ". On average over 2 GPUs
/// each is idle for 150.2 ms, while ..."; empty: no reason is large.
Message meanIdleText(const GpuBudgets& budgets, TimeRange range, const Message& users);

} // namespace warpline
