// The most frequent sequences of kernels on a stream: candidates for fusing, or for CUDA graphs. Each place
// where a sequence of the requested length begins counts once, so that sequences overlap.

#include "core/base/saturate.h"
#include "core/kernels/kernel_label.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace warpline::kernel_sequences {

namespace {

constexpr std::array<TableArgument, 2> arguments{{{"length", "<kernels>"}, {"rows", "<limit>"}}};
constexpr std::int64_t usualLength = 3;
constexpr std::int64_t usualRows = 50;

struct Sequence {
    std::vector<EventIndex> first; ///< where it is met first
    std::int64_t count = 0;
    Ns kernels = 0; ///< time of its kernels
    Ns whole = 0; ///< from the start of the first to the end of the last
    std::vector<EventRef> events; ///< the first kernels
};

/// Process, device, context, stream.
using StreamOfKernels = std::tuple<GlobalId, std::int32_t, std::int32_t, std::int32_t>;

/// The kernels of each stream, in order of time.
std::map<StreamOfKernels, std::vector<EventIndex>> kernelsByStream(
    const Trace& trace, const StatsQuery& query)
{
    const KernelTable& kernels = trace.kernels();
    std::map<StreamOfKernels, std::vector<EventIndex>> streams;
    for (const Track& track : kernels.tracks) {
        auto& ofStream = streams[{processOf(track.owner), track.device, track.context, track.stream}];
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            if (isAsked(kernels, i, query))
                ofStream.push_back(i);
        }
    }
    for (auto& [stream, ofStream] : streams) {
        throwIfStopped(query.stop);
        std::ranges::stable_sort(ofStream, {}, [&](EventIndex i) { return kernels.start[i]; });
    }
    return streams;
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    const auto length = static_cast<std::size_t>(
        std::clamp<std::int64_t>(argumentOf(query.variant, "length", usualLength), 2, 64));
    const std::int64_t rows = argumentOf(query.variant, "rows", usualRows);
    const KernelTable& kernels = trace.kernels();
    std::map<std::vector<StringId>, Sequence> found;
    for (const auto& [stream, ofStream] : kernelsByStream(trace, query)) {
        for (std::size_t first = 0; first + length <= ofStream.size(); ++first) {
            if ((first & 0xFFFU) == 0)
                throwIfStopped(query.stop);
            std::vector<StringId> names;
            Ns time = 0;
            for (std::size_t i = first; i < first + length; ++i) {
                names.push_back(kernels.name[ofStream[i]]);
                time += kernels.duration[ofStream[i]];
            }
            Sequence& sequence = found[names];
            if (sequence.count++ == 0)
                sequence.first.assign(ofStream.begin() + static_cast<std::ptrdiff_t>(first),
                    ofStream.begin() + static_cast<std::ptrdiff_t>(first + length));
            sequence.kernels = saturatingAdd(sequence.kernels, time); // each kernel counts several times
            sequence.whole = saturatingAdd(
                sequence.whole, kernels.end(ofStream[first + length - 1]) - kernels.start[ofStream[first]]);
            if (query.wantEvents)
                sequence.events.push_back({EventKind::Kernel, ofStream[first]});
        }
    }
    std::vector<const Sequence*> order;
    for (const auto& [names, sequence] : found) {
        if (sequence.count > 1)
            order.push_back(&sequence);
    }
    std::ranges::stable_sort(order, std::greater{},
        [](const Sequence* sequence) { return std::pair(sequence->count, sequence->kernels); });
    Cells cells;
    cells.columns = {{"Count", Unit::Count}, {"Kernel Time (ns)", Unit::Nanoseconds},
        {"With Pauses (ns)", Unit::Nanoseconds}, {"Kernels", Unit::Text}};
    for (const Sequence* const sequence : order) {
        if (rows >= 0 && static_cast<std::int64_t>(cells.rowCount()) >= rows)
            break;
        std::string text;
        for (const EventIndex kernel : sequence->first)
            text += (text.empty() ? "" : " > ")
                + std::string(kernelLabel(
                    trace.text(kernels.name[kernel]), trace.text(kernels.launch(kernel).shortName)));
        cells.addRow(
            {sequence->count, sequence->kernels, sequence->whole, std::move(text)}, sequence->events);
    }
    return cells;
}

} // namespace

extern constinit const StatsTable kernelSequences{.id = "kernel_sequences",
    .title = "Frequent Kernel Sequences",
    .description
    = "Which kernels follow one another most often on a stream? Sequences of three kernels, or of "
      "length=N, by how often they run.",
    .arguments = arguments,
    .applies = [](const Trace& trace) { return !trace.kernels().empty(); },
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Gpu,
    .shape = TableShape::Breakdown};

} // namespace warpline::kernel_sequences
