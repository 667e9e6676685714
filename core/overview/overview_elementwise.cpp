// The time of elementwise kernels, and the potential saving of fusing them.

#include "core/overview/overview_elementwise.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/message_names.h"
#include "core/base/share.h"
#include "core/findings/elementwise_rows.h"
#include "core/store/trace.h"

#include <cstdint>

namespace warpline {

namespace {

constexpr double minShare = 0.2; // of the kernels' time: below, products and attention come first
constexpr double minWindowShare = 0.02; // the overview mentions nothing smaller
constexpr Ns asShortAsLaunches = 5'000; // the host's time for a launch
constexpr Ns longBesideLaunches = 4 * asShortAsLaunches;
constexpr std::uint64_t minLaunches = 100; // a handful is no habit of the program

} // namespace

Message textOfElementwise(
    const Trace& trace, TraceAnalysis& facts, TimeRange window, const std::stop_token& stop)
{
    const ElementwiseKernels found = elementwiseKernels(trace, facts, window, stop);
    if (found.launches < minLaunches || shareOf(found.time, found.kernels) < minShare
        || shareOf(found.time, window.duration()) < minWindowShare)
        return {};
    const Ns each = found.time / static_cast<Ns>(found.launches);
    Message text("overview.elementwise",
        "Elementwise kernels (arithmetic, activations, copies and casts) take {share} of kernel time: {time} in {launches} launches, {each} on average"
        "{bound, select, launch {, so short that launch overhead dominates} both {. The long ones are memory-bound, the short ones launch-bound} other {. They are memory-bound}}.",
        {{"share", Share{shareOf(found.time, found.kernels)}}, {"time", Duration{found.time}},
            {"launches", Count{found.launches}}, {"each", Duration{each}},
            {"bound",
                Name{each < asShortAsLaunches       ? "launch"
                        : each < longBesideLaunches ? "both"
                                                    : "memory"}}});
    if (found.following > 0)
        text += Message("overview.elementwise_fused",
            "{following} of them directly follow another one on their stream. Fusing them (torch.compile, or your own kernel) could save up to {saved} of GPU time{graph, select, yes {} other {, and as many launches}}.",
            {{"following", Count{found.following}}, {"saved", Duration{found.saved()}},
                {"graph", yesOrNo(found.byGraph)}});
    return text;
}

} // namespace warpline
