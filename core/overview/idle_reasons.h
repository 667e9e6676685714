#pragma once

#include "core/budget/gpu_budget.h"

#include <string>
#include <vector>

namespace warpline {

/// One reason why a GPU idles: a range of the program, or what the host does outside of any; launching and
/// getting to the next launch are one.
struct IdleReason {
    Ns time = 0;
    Message text; ///< completes "while ...": "the host loads data in the range load"
    Ns most = 0; ///< of it for one cause, where it has several
    IdleCause cause = IdleCause::NoWork; ///< that one, or the only one
    std::string range; ///< empty: it is no range's
    Message label; ///< the same in a word or two: "load", "synchronization"
    Message mostly; ///< that cause, completes "while ..."; empty: it has but one
};

/// The idle time of `budget` by reason, longest first; without what is named by no work that follows.
std::vector<IdleReason> idleReasons(const BudgetParts& parts, const Budget& budget);

/// ", while the host loads data in the range load for 2.1 s, ..."; the three longest that are a tenth of
/// `idle` and more; not the profiler's own time where `idle` is told without it. Empty: there is none.
Message idleReasonsText(const BudgetParts& parts, const Budget& budget, Ns idle);

/// Why each of several GPUs idles in `range`, on average over `users`, "2 GPUs": ". On average over 2 GPUs
/// each is idle for 150.2 ms, while ..."; empty: no reason stands out.
Message meanIdleText(const GpuBudgets& budgets, TimeRange range, const Message& users);

} // namespace warpline
