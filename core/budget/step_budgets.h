#pragma once

#include "core/budget/gpu_budget.h"
#include "core/steps/edge_steps.h"
#include "core/steps/gpu_steps.h"
#include "core/steps/slow_steps.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A Budget that stores only nonzero parts: a step has about five of fifty, and a large report half a million
/// steps.
class SparseBudget {
public:
    SparseBudget() = default;
    explicit SparseBudget(const Budget& budget);

    /// The size of the Budget that it stores.
    std::size_t size() const { return m_size; }
    /// The time of `part` (below size()). O(parts that took time).
    Ns operator[](std::size_t part) const;
    void addTo(Budget& sums) const; ///< `sums` has size() parts or more
    Budget whole() const; ///< the full Budget

private:
    struct Part {
        Ns time;
        std::uint32_t part;
    };
    std::vector<Part> m_parts; ///< by part
    std::uint32_t m_size = 0;
};

/// One step and where its time went.
struct StepBudget {
    std::string name; ///< of the NVTX range, or of the call that begins it
    EventRef event; ///< that range or call
    TimeRange host;
    TimeRange gpu; ///< empty: it launched nothing on this GPU
    /// False for the last step, whose end is unknown (`gpu` ends with its work), and for steps without work.
    bool whole = true;
    bool warmUp = false; ///< by the times on the GPU
    bool outlier = false; ///< far slower than steps like it: see outlyingSteps()
    SparseBudget budget; ///< of `gpu`: adds up to its length
};

/// The steps of one GPU.
struct StepBudgets {
    GpuSteps found; ///< the steps, and their median on the GPU
    std::vector<StepBudget> steps; ///< one for each of found.host; none of stepMeans()
    std::vector<std::pair<EdgeStep, StepBudget>> edges; ///< of edgeSteps()
    Budget mean; ///< of the steady whole steps; rounded so that it adds up to the mean step. Where none is
                 ///< whole, of the last one, to the end of its work
    std::size_t steady = 0; ///< how many these are
    /// Median of the steady ranges on the host. Includes the last one, though no step on the GPU ends with
    /// it.
    Ns medianHost = 0;
};

/// Splits the time of every step in `found` by the GPU's activity. `slow` defines outliers.
std::vector<StepBudgets> stepBudgets(const Trace& trace, const GpuBudgets& budgets,
    std::vector<GpuSteps> found, const SlowStepLimits& slow = {});

/// The same without `steps`, which take 200 bytes each, and `medianHost`.
std::vector<StepBudgets> stepMeans(
    const Trace& trace, const GpuBudgets& budgets, std::vector<GpuSteps> found);

/// GPU time in steps; of the last one where none is whole.
Ns timeInSteps(const StepBudgets& steps);
/// The one with the most timeInSteps(); nullptr: there is none.
const StepBudgets* mainOf(const std::vector<StepBudgets>& all);

/// How the steady steps of a GPU vary, and where their time goes.
struct StepSummary {
    std::size_t steady = 0;
    double medianNs = 0; ///< of the steps on the GPU; of two in the middle their mean
    double p90Ns = 0; ///< interpolated between the nearest ranks
    double p99Ns = 0;
    double meanNs = 0;
    double medianHostNs = 0; ///< StepBudgets::medianHost
    double exposedCommunication = 0; ///< share of the steps' time, 0..1
    double idle = 0; ///< share
    double compute = 0; ///< share
};
StepSummary summaryOf(const StepBudgets& steps, const BudgetParts& parts);

} // namespace warpline
