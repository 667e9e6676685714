// What kernels that go through arrays element by element take, and what fusing them could save.

#include "core/overview/overview_elementwise.h"

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/findings/elementwise_rows.h"
#include "core/findings/run_facts.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace warpline {

namespace {

constexpr double leastShare = 0.2; // of the kernels' time: below, products and attention come first
constexpr double leastOfWindow = 0.02; // a sentence of the overview is about so much of it
constexpr Ns asShortAsLaunches = 5'000; // what a launch takes the host
constexpr Ns longBesideLaunches = 4 * asShortAsLaunches;
constexpr std::uint64_t fewestLaunches = 100; // a handful is no habit of the program

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
    const ElementwiseKernels found = elementwiseKernels(trace, facts, window, stop);
    if (found.launches < fewestLaunches || shareOf(found.time, found.kernels) < leastShare
        || shareOf(found.time, window.duration()) < leastOfWindow)
        return {};
    const Ns each = found.time / static_cast<Ns>(found.launches);
    std::string text = fmt::format(
        "Elementwise kernels (arithmetic, activations, copies and casts, a launch each) take {} of the "
        "kernels' time: {} in {} launches, {} on average{}.",
        formatShare(shareOf(found.time, found.kernels)), formatDuration(found.time),
        formatCount(found.launches), formatDuration(each), boundOf(each));
    if (found.following > 0)
        text += fmt::format(
            " {} of them come right behind another one on their stream: fused with it (torch.compile, or a kernel "
            "of your own) they save {} of the GPU's time at most{}, for of each row the shortest is left.",
            formatCount(found.following), formatDuration(found.saved()),
            found.byGraph ? "" : ", and as many launches");
    return text;
}

} // namespace warpline
