// What kernels that go through arrays element by element take, and what fusing them could save.

#include "core/overview/overview_elementwise.h"

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/derive/communication.h"
#include "core/findings/run_facts.h"
#include "core/kernels/short_name.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpline {

namespace {

constexpr double leastShare = 0.2; // of the kernels' time: below, products and attention come first
constexpr double leastOfWindow = 0.02; // a sentence of the overview is about so much of it
constexpr Ns asShortAsLaunches = 5'000; // what a launch takes the host
constexpr Ns longBesideLaunches = 4 * asShortAsLaunches;
constexpr std::uint64_t fewestLaunches = 100; // a handful is no habit of the program

/// PyTorch's templates that run one operation on every element; not those that an index looks up. What
/// compilers have fused already has names of their own.
bool isElementwise(std::string_view kernel)
{
    const std::string_view function = shortNameOf(kernel);
    return function.ends_with("elementwise_kernel") && !function.starts_with("index_")
        && kernel.find("at::native::") != std::string_view::npos;
}

/// Whether the kernels of each name are elementwise: names are few, and each is looked at once.
class Names {
public:
    explicit Names(const Trace& trace)
        : m_trace(trace),
          m_known(trace.pool->size(), Unknown)
    {
    }

    bool areElementwise(StringId name)
    {
        Answer& known = m_known[raw(name)];
        if (known == Unknown)
            known = isElementwise(m_trace.text(name)) ? Yes : No;
        return known == Yes;
    }

private:
    enum Answer : std::uint8_t { Unknown, No, Yes };

    const Trace& m_trace;
    std::vector<Answer> m_known;
};

struct Found {
    Ns kernels = 0; ///< time of all that compute
    Ns time = 0; ///< of those that are elementwise
    std::uint64_t launches = 0;
    Ns saved = 0; ///< all but the longest of each Row
    bool byGraph = false; ///< some are nodes of a CUDA graph, which no launch of their own starts
    std::uint64_t following = 0; ///< launches that come right behind another one of these
};

/// Which step the launch of a kernel lies in: what different steps do cannot be fused. 0 without steps.
class StepNumbers {
public:
    StepNumbers(RunFacts& facts, const Trace& trace, const Track& track)
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
    RunFacts& m_facts;
    const EventTable& m_calls;
    const StepSeries& m_steps;
};

/// Neighbours on a stream, as long as they are elementwise and of one step.
struct Row {
    std::size_t step = 0;
    Ns sum = 0;
    Ns longest = 0;
    std::uint64_t count = 0;

    void endIn(Found& found)
    {
        found.saved += sum - longest;
        found.following += count > 0 ? count - 1 : 0;
        *this = {};
    }
};

Found find(const Trace& trace, RunFacts& facts, TimeRange window, const std::stop_token& stop)
{
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    Names names(trace);
    Found found;
    for (const Track& track : kernels.tracks) {
        const StepNumbers steps(facts, trace, track);
        for (const Lane& lane : kernels.lanesOf(track)) {
            Row row;
            const auto [first, last] = kernels.touching(lane, window);
            for (const EventIndex i : stoppable(first, last, stop)) {
                const Ns length = kernels.range(i).clippedTo(window).duration();
                found.kernels += communicates[i] ? 0 : length;
                if (!names.areElementwise(kernels.name[i])) {
                    row.endIn(found);
                    continue;
                }
                const std::size_t step = steps.of(i);
                if (step != row.step)
                    row.endIn(found);
                row = {step, row.sum + length, std::max(row.longest, length), row.count + 1};
                found.time += length;
                ++found.launches;
                found.byGraph |= kernels.launch(i).graphNodeId != 0;
            }
            row.endIn(found);
        }
    }
    return found;
}

/// What bounds such kernels of `each` on average, behind that figure.
std::string_view boundOf(Ns each)
{
    if (each < asShortAsLaunches)
        return ", so short that their launches matter more than what they compute";
    if (each < longBesideLaunches)
        return "; each reads and writes all of its data: memory bounds the long ones, the launch the short ones";
    return "; each reads and writes all of its data, so that memory bounds them";
}

} // namespace

std::string textOfElementwise(
    const Trace& trace, RunFacts& facts, TimeRange window, const std::stop_token& stop)
{
    const Found found = find(trace, facts, window, stop);
    if (found.launches < fewestLaunches || shareOf(found.time, found.kernels) < leastShare
        || shareOf(found.time, window.duration()) < leastOfWindow)
        return {};
    const Ns each = found.time / static_cast<Ns>(found.launches);
    std::string text = fmt::format(
        "Elementwise kernels of PyTorch (arithmetic, activations, copies and casts, a launch each) take {} of the "
        "kernels' time: {} in {} launches, {} on average{}.",
        formatShare(shareOf(found.time, found.kernels)), formatDuration(found.time),
        formatCount(found.launches), formatDuration(each), boundOf(each));
    if (found.following > 0)
        text += fmt::format(
            " {} of them come right behind another one on their stream: fused with it (torch.compile, or a kernel "
            "of your own) they save {} of the GPU's time at most{}, for of each row the longest is left.",
            formatCount(found.following), formatDuration(found.saved),
            found.byGraph ? "" : ", and as many launches");
    return text;
}

} // namespace warpline
