// What kernels that go through arrays element by element take, and what fusing them could save.

#include "core/overview/overview_elementwise.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/share.h"
#include "core/findings/elementwise_rows.h"
#include "core/findings/run_facts.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace warpline {

namespace {

constexpr double minShare = 0.2; // of the kernels' time: below, products and attention come first
constexpr double minWindowShare = 0.02; // a sentence of the overview is about so much of it
constexpr Ns asShortAsLaunches = 5'000; // what a launch takes the host
constexpr Ns longBesideLaunches = 4 * asShortAsLaunches;
constexpr std::uint64_t minLaunches = 100; // a handful is no habit of the program

/// What bounds such kernels of `each` on average, behind that figure.
std::string_view boundOf(Ns each)
{
    if (each < asShortAsLaunches)
        return ", so short that launch overhead dominates";
    if (each < longBesideLaunches)
        return ". The long ones are memory-bound, the short ones launch-bound";
    return ". They are memory-bound";
}

} // namespace

std::string textOfElementwise(
    const Trace& trace, RunFacts& facts, TimeRange window, const std::stop_token& stop)
{
    const ElementwiseKernels found = elementwiseKernels(trace, facts, window, stop);
    if (found.launches < minLaunches || shareOf(found.time, found.kernels) < minShare
        || shareOf(found.time, window.duration()) < minWindowShare)
        return {};
    const Ns each = found.time / static_cast<Ns>(found.launches);
    std::string text = fmt::format(
        "Elementwise kernels (arithmetic, activations, copies and casts) take {} of kernel time: {} in {} launches, {} on average{}.",
        formatShare(shareOf(found.time, found.kernels)), roundedDuration(found.time),
        formatCount(found.launches), roundedDuration(each), boundOf(each));
    if (found.following > 0)
        text += fmt::format(
            " {} of them directly follow another one on their stream. Fusing them (torch.compile, or your own kernel) could save up to {} of GPU time{}.",
            formatCount(found.following), roundedDuration(found.saved()),
            found.byGraph ? "" : ", and as many launches");
    return text;
}

} // namespace warpline
