#include "core/derive/nccl_calls.h"

#include "core/base/words.h"
#include "core/store/payload_fields.h"
#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

namespace {

std::string fieldOf(const Trace& trace, EventIndex range, std::string_view name)
{
    const std::string_view payload = trace.text(trace.nvtx().attributesOf(range).payload);
    const auto field = findPayloadField(payload, name);
    return field ? field->value : std::string();
}

/// The number in `text`, `otherwise` when it is none.
std::int64_t numberIn(const std::string& text, std::int64_t otherwise)
{
    return wholeNumber<std::int64_t>(text).value_or(otherwise);
}

} // namespace

NcclCalls::NcclCalls(const Trace& trace)
    : m_trace(trace)
{
    const NvtxTable& nvtx = trace.nvtx();
    for (std::uint32_t i = 0; i < nvtx.tracks.size(); ++i) {
        if (!isOfNccl(nvtx.tracks[i]))
            continue;
        m_tracks.emplace(nvtx.tracks[i].owner, i);
        readCommunicators(nvtx.tracks[i]);
    }
}

/// Recordings that begin late hold the ranges of NCCL's domain, but not its name.
bool NcclCalls::isOfNccl(const Track& track) const
{
    if (m_trace.text(track.family) == "NCCL")
        return true;
    constexpr std::string_view prefix
        = "nccl"; // and an operation: "ncclGroupStart", not torch's "nccl:all_reduce"
    const std::string_view first
        = track.eventCount > 0 ? m_trace.text(m_trace.nvtx().name[track.firstEvent]) : std::string_view();
    return first.size() > prefix.size() && first.starts_with(prefix) && first[prefix.size()] >= 'A'
        && first[prefix.size()] <= 'Z';
}

void NcclCalls::readCommunicators(const Track& track)
{
    const NvtxTable& nvtx = m_trace.nvtx();
    for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
        if (!m_trace.text(nvtx.name[i]).starts_with("ncclComm"))
            continue;
        const Communicator communicator{numberIn(fieldOf(m_trace, i, "No. of ranks"), 0),
            numberIn(fieldOf(m_trace, i, "Rank"), -1),
            static_cast<std::int32_t>(numberIn(fieldOf(m_trace, i, "CUDA device"), -1)),
            processOf(track.owner)};
        if (communicator.ranks > 0)
            m_communicators.emplace(fieldOf(m_trace, i, "NCCL communicator ID"), communicator);
    }
}

EventIndex NcclCalls::rangeAt(GlobalId thread, Ns time) const
{
    const NvtxTable& nvtx = m_trace.nvtx();
    const auto [first, last] = m_tracks.equal_range(thread);
    for (auto track = first; track != last; ++track) {
        for (const Lane& lane : nvtx.lanesOf(nvtx.tracks[track->second])) {
            const EventIndex i = nvtx.firstEndingAfter(lane, time);
            if (i < lane.first + lane.count && nvtx.start[i] <= time)
                return i;
        }
    }
    return noIndex;
}

NcclCalls::Operation NcclCalls::operation(EventIndex range) const
{
    const NvtxTable& nvtx = m_trace.nvtx();
    return {std::string(m_trace.text(nvtx.name[range])), fieldOf(m_trace, range, "NCCL communicator ID"),
        nvtx.attributesOf(range).payloadBytes, numberIn(fieldOf(m_trace, range, "Peer rank"), -1),
        numberIn(fieldOf(m_trace, range, "No. of ranks"), 0),
        numberIn(fieldOf(m_trace, range, "Sequence number"), -1)};
}

std::int64_t NcclCalls::ranksOf(const Operation& operation) const
{
    if (operation.ranks > 0)
        return operation.ranks;
    const auto made = m_communicators.find(operation.communicator);
    return made != m_communicators.end() ? made->second.ranks : 0;
}

/// The operations between the ncclGroupStart before range `end` and that, in order of time.
const NcclCalls::Group& NcclCalls::groupOf(GlobalId thread, EventIndex end) const
{
    constexpr std::size_t most = 16'384; // an all-to-all of 8192 ranks
    if (m_group.end == end)
        return m_group;
    const NvtxTable& nvtx = m_trace.nvtx();
    std::vector<EventIndex> members;
    const auto [first, last] = m_tracks.equal_range(thread);
    for (auto track = first; track != last; ++track) {
        for (const Lane& lane : nvtx.lanesOf(nvtx.tracks[track->second])) {
            EventIndex i = nvtx.firstStartingAt(lane, nvtx.start[end]);
            while (i-- > lane.first) {
                const std::string_view name = m_trace.text(nvtx.name[i]);
                if (name == "ncclGroupStart" || name == "ncclGroupEnd" || members.size() == most)
                    break;
                members.push_back(i);
            }
        }
    }
    std::ranges::reverse(members);
    m_group = {end, std::move(members)};
    return m_group;
}

std::vector<EventIndex> NcclCalls::rangesOf(EventIndex kernel) const
{
    const EventRef call = m_trace.apiCallOf({EventKind::Kernel, kernel});
    if (!call.valid() || m_tracks.empty())
        return {};
    const GlobalId thread = m_trace.apiCalls().trackOf(call.index).owner;
    const EventIndex range = rangeAt(thread, m_trace.apiCalls().start[call.index]);
    if (range == noIndex)
        return {};
    if (m_trace.text(m_trace.nvtx().name[range]) == "ncclGroupEnd") {
        const std::vector<EventIndex>& members = groupOf(thread, range).members;
        if (!members.empty())
            return members;
    }
    return {range};
}

KernelCommunication NcclCalls::communicationOf(EventIndex kernel) const
{
    const KernelCommunication known = warpline::communicationOf(m_trace.text(m_trace.kernels().name[kernel]));
    const EventRef call = m_trace.apiCallOf({EventKind::Kernel, kernel});
    const bool isVague = known.kind == Communication::PointToPoint || known.operation == "NCCL";
    if (!isVague || !call.valid())
        return known;
    const NvtxTable& nvtx = m_trace.nvtx();
    const GlobalId thread = m_trace.apiCalls().trackOf(call.index).owner;
    const Ns time = m_trace.apiCalls().start[call.index];
    for (const Track& track : nvtx.tracks) {
        if (track.owner != thread || track.device >= 0)
            continue;
        for (const Lane& lane : nvtx.lanesOf(track)) {
            const EventIndex i = nvtx.firstEndingAfter(lane, time);
            if (i >= lane.first + lane.count || nvtx.start[i] > time)
                continue;
            const KernelCommunication range = collectiveOfRange(m_trace.text(nvtx.name[i]));
            if (range.kind == Communication::Collective)
                return range;
        }
    }
    return known;
}

const std::vector<NcclCalls::Operation>& NcclCalls::of(EventIndex kernel) const
{
    std::vector<EventIndex> ranges = rangesOf(kernel);
    std::erase_if(
        ranges, [&](EventIndex range) { return m_trace.text(m_trace.nvtx().name[range]) == "ncclGroupEnd"; });
    if (ranges != m_ranges) {
        m_operations.clear();
        for (const EventIndex range : ranges)
            m_operations.push_back(operation(range));
        m_ranges = std::move(ranges);
    }
    return m_operations;
}

} // namespace warpline
