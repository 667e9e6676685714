#include "core/findings/elementwise_rows.h"

#include "core/analysis/trace_analysis.h"
#include "core/derive/communication.h"
#include "core/kernels/kernel_names.h"
#include "core/kernels/short_name.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

enum class ElementKind : std::uint8_t { Other, Elementwise, Fill };

/// True for templates of PyTorch, CuPy and Eigen that apply one operation to every element, without indexed
/// ones. Kernels that a compiler fused have other names. O(length).
bool isElementwise(std::string_view kernel)
{
    const std::string_view function = shortNameOf(kernel);
    const auto holds = [&](std::string_view part) { return kernel.find(part) != std::string_view::npos; };
    if (function.starts_with("cupy_") && function.find("__") != std::string_view::npos)
        return true; // a ufunc: cupy_multiply__float64_float64_float64
    if (holds("EigenMetaKernel<") && holds("TensorCwise"))
        return true; // TensorFlow
    return function.ends_with("elementwise_kernel") && !function.starts_with("index_")
        && holds("at::native::");
}

ElementKind kindOf(std::string_view name)
{
    if (!isElementwise(name))
        return ElementKind::Other;
    return isFill(name) ? ElementKind::Fill : ElementKind::Elementwise;
}

/// The step of a kernel's launch: kernels of different steps cannot be fused. 0 without steps.
class StepNumbers {
public:
    StepNumbers(TraceAnalysis& facts, const Trace& trace, const Track& track)
        : m_facts(facts),
          m_calls(trace.apiCalls()),
          m_steps(facts.steps(processOf(track.owner)))
    {
    }

    std::size_t of(EventIndex kernel) const
    {
        if (m_steps.empty())
            return 0;
        const EventIndex call = m_facts.callOf({EventKind::Kernel, kernel});
        return call != noIndex ? m_steps.at(m_calls.start[call]) : 0;
    }

private:
    TraceAnalysis& m_facts;
    const EventTable& m_calls;
    const StepSeries& m_steps;
};

/// Neighbours on a stream, as long as they are elementwise and of one step.
struct OpenRow {
    std::size_t step = 0;
    std::uint64_t count = 0; ///< with those that fill memory
    ElementwiseRow row;

    void add(EventIndex kernel, Ns length, bool fills)
    {
        ++count;
        if (fills)
            return;
        row.shortest = row.kernels.empty() ? length : std::min(row.shortest, length);
        row.sum += length;
        row.kernels.push_back(kernel);
    }
    void endIn(ElementwiseKernels& found)
    {
        found.following += count > 0 ? count - 1 : 0;
        if (row.kernels.size() > 1)
            found.rows.push_back(std::move(row));
        *this = {};
    }
};

} // namespace

Ns ElementwiseKernels::saved() const
{
    Ns sum = 0;
    for (const ElementwiseRow& row : rows)
        sum += row.saved();
    return sum;
}

ElementwiseKernels elementwiseKernels(const Trace& trace, TraceAnalysis& facts, TimeRange window,
    const std::stop_token& stop, GlobalId process, std::int32_t device)
{
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    OncePerName kindOfName([&](StringId name) { return kindOf(trace.text(name)); });
    ElementwiseKernels found;
    for (const Track& track : kernels.tracks) {
        if (process != 0 && (track.owner != process || track.device != device))
            continue;
        const StepNumbers steps(facts, trace, track);
        for (const Lane& lane : kernels.lanesOf(track)) {
            OpenRow open;
            const auto [first, last] = kernels.touching(lane, window);
            for (const EventIndex i : stoppable(first, last, stop)) {
                const Ns length = kernels.range(i).clippedTo(window).duration();
                found.kernels += communicates[i] ? 0 : length;
                const ElementKind kind = kindOfName(kernels.name[i]);
                if (kind == ElementKind::Other) {
                    open.endIn(found);
                    continue;
                }
                const std::size_t step = steps.of(i);
                if (step != open.step)
                    open.endIn(found);
                open.step = step;
                open.add(i, length, kind == ElementKind::Fill);
                found.time += length;
                ++found.launches;
                found.byGraph |= kernels.launch(i).graphNodeId != 0;
            }
            open.endIn(found);
        }
    }
    return found;
}

} // namespace warpline
