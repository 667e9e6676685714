#include "core/operators/recorded_sizes.h"

#include "core/operators/operator_names.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

void RecordedSizes::read()
{
    m_read = true;
    const NvtxTable& nvtx = m_trace.nvtx();
    for (const Track& track : nvtx.tracks) {
        for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
            const std::string_view name = m_trace.text(nvtx.name[i]);
            if (name.find(", op_id = ") == std::string_view::npos)
                continue;
            const auto inputs = inputNumbersOf(name);
            const OperatorCall call = callOfRange(name);
            for (std::size_t k = 0; k < inputs.size() && k < call.arguments.size(); ++k) {
                const Tensor* const tensor = call.tensor(k);
                if (inputs[k].first > 0 && inputs[k].second == 0 && tensor != nullptr)
                    m_sizes.try_emplace({processOf(track.owner), inputs[k].first}, tensor->dims);
            }
        }
    }
}

Dims RecordedSizes::sizeOf(GlobalId process, EventIndex event) const
{
    const auto found = m_sizes.find({process, operatorNumberOf(m_trace.text(m_trace.nvtx().name[event]))});
    return found == m_sizes.end() ? Dims() : found->second;
}

Dims RecordedSizes::resultOf(EventIndex event)
{
    if (!m_read)
        read();
    const NvtxTable& nvtx = m_trace.nvtx();
    const Track& track = nvtx.trackOf(event);
    const GlobalId process = processOf(track.owner);
    if (Dims own = sizeOf(process, event); !own.empty())
        return own;
    const auto isConvolution = [&](EventIndex i) {
        return withoutOperatorNumbers(m_trace.text(nvtx.name[i])).find("conv") != std::string_view::npos;
    };
    const TimeRange range = nvtx.range(event);
    for (const EventIndex i : eventsIn(nvtx, track, range)) {
        if (i == event || !isConvolution(i))
            continue;
        if (Dims size = sizeOf(process, i); !size.empty())
            return size;
    }
    return {};
}

} // namespace warpline
