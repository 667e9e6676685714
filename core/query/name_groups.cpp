#include "core/query/name_groups.h"

#include "core/base/message_names.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/filter/enclosing_ranges.h"
#include "core/query/event_passes.h"
#include "core/store/attributes.h"
#include "core/store/gpu_names.h"
#include "core/store/payload_fields.h"
#include "core/store/place_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

namespace warpline {

namespace {

constexpr std::array<NameGroupingInfo, 9> groupings{{
    {NameGrouping::Stream, "stream", "Stream"},
    {NameGrouping::Device, "device", "GPU"},
    {NameGrouping::Process, "process", "Process"},
    {NameGrouping::Thread, "thread", "Thread"},
    {NameGrouping::Parent, "parent", "NVTX range around"},
    {NameGrouping::Path, "path", "NVTX path"},
    {NameGrouping::Grid, "grid", "Grid and block"},
    {NameGrouping::Bytes, "bytes", "Bytes"},
    {NameGrouping::Payload, "payload", "Payload"},
}};

/// Gives facts numbers: equal ones the same.
class Labels {
public:
    std::uint32_t numberOf(Message label)
    {
        const auto [place, added] = m_numbers.try_emplace(identityOf(label), size());
        if (added) {
            m_labels.push_back(std::move(label));
            m_identities.push_back(place->first);
        }
        return place->second;
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_labels.size()); }
    const Message& of(std::uint32_t number) const { return m_labels[number]; }
    bool isBefore(std::uint32_t a, std::uint32_t b) const { return m_identities[a] < m_identities[b]; }

private:
    std::unordered_map<std::string, std::uint32_t> m_numbers;
    std::vector<Message> m_labels;
    std::vector<std::string_view> m_identities; ///< the keys of m_numbers
};

/// The group of each event, by number.
using GroupOf = std::function<std::uint32_t(EventIndex)>;

using TrackLabel = std::function<Message(const Track&)>;

GroupOf byTrack(const EventTable& table, Labels& labels, const TrackLabel& label)
{
    std::vector<std::uint32_t> groups;
    for (const Track& track : table.tracks)
        groups.push_back(labels.numberOf(label(track)));
    return [&table, groups = std::move(groups)](EventIndex i) { return groups[table.trackIndexOf(i)]; };
}

GroupOf byAttribute(const EventTable& table, std::size_t records, Labels& labels,
    const std::function<std::string(std::size_t)>& name)
{
    std::vector<std::uint32_t> groups;
    for (std::size_t i = 0; i < records; ++i)
        groups.push_back(labels.numberOf(nameMessage(name(i))));
    return [&table, groups = std::move(groups)](EventIndex i) { return groups[table.attribute[i]]; };
}

Message threadText(const Trace& trace, GlobalId owner)
{
    return tidOf(owner) != 0 ? threadLabel(trace, owner) : Message();
}

/// Process, GPU and number of a stream.
using StreamNumber = std::tuple<GlobalId, std::int32_t, std::int32_t>;

StreamNumber streamNumberOf(const Track& track)
{
    return {track.owner, track.device, track.stream};
}

/// The numbers that streams of several contexts have.
std::set<StreamNumber> sharedNumbersIn(const EventTable& table)
{
    std::map<StreamNumber, std::int32_t> contexts;
    std::set<StreamNumber> shared;
    for (const Track& track : table.tracks) {
        const auto [place, added] = contexts.try_emplace(streamNumberOf(track), track.context);
        if (!added && place->second != track.context)
            shared.insert(place->first);
    }
    return shared;
}

/// The property that groups whole tracks; nothing where events of one track may belong to several groups.
TrackLabel labelOfTracks(const Trace& trace, EventKind kind, NameGrouping grouping)
{
    switch (grouping) {
    case NameGrouping::Stream:
        return [&trace, shared = sharedNumbersIn(trace.table(kind))](const Track& track) {
            if (track.stream < 0)
                return Message();
            Message stream = streamLabel(trace, track);
            if (shared.contains(streamNumberOf(track)))
                stream = {"place.context_stream", "{stream} of context {context}",
                    {{"stream", std::move(stream)}, {"context", Ordinal{track.context}}}};
            return placeWithin(nameMessage(gpuName(trace, track.owner, track.device)), std::move(stream));
        };
    case NameGrouping::Device:
        return [&trace](const Track& track) {
            return track.device < 0 ? Message() : nameMessage(gpuName(trace, track.owner, track.device));
        };
    case NameGrouping::Process:
        return [&trace](const Track& track) {
            return track.owner == 0 ? Message() : processLabel(trace, processOf(track.owner));
        };
    case NameGrouping::Thread:
        if (!runsOnDevice(kind))
            return [&trace](const Track& track) { return threadText(trace, track.owner); };
        return {};
    default:
        return {};
    }
}

GroupOf byLaunchingThread(const Trace& trace, EventKind kind, Labels& labels)
{
    const std::uint32_t none = labels.numberOf({});
    const GroupOf ofCall = byTrack(
        trace.apiCalls(), labels, [&](const Track& track) { return threadText(trace, track.owner); });
    return [&trace, kind, none, ofCall](EventIndex i) {
        const EventRef call = trace.apiCallOf({kind, i});
        return call.valid() ? ofCall(call.index) : none;
    };
}

GroupOf byRange(
    const Trace& trace, EventKind kind, bool wholePath, Labels& labels, const std::stop_token& stop)
{
    const auto ranges = std::make_shared<const EnclosingRanges>(trace, stop);
    const auto groups = std::make_shared<std::unordered_map<std::uint32_t, std::uint32_t>>();
    const bool isRange = kind == EventKind::Nvtx || kind == EventKind::NvtxProjected;
    return [&trace, &labels, ranges, groups, kind, wholePath, isRange](EventIndex i) {
        std::uint32_t path = ranges->pathOf({kind, i});
        if (isRange) // a range is not around itself
            path = ranges->nodes()[path].parent;
        const auto [place, added] = groups->try_emplace(path, 0);
        if (added)
            place->second = labels.numberOf(nameMessage(toUtf8(
                wholePath ? ranges->textOf(path) : std::string(trace.text(ranges->nodes()[path].name)))));
        return place->second;
    };
}

GroupOf byBytes(const Trace& trace, EventKind kind, Labels& labels)
{
    const EventTable& table = trace.table(kind);
    const auto text = [](std::int64_t bytes) { return bytes >= 0 ? std::to_string(bytes) : std::string(); };
    if (kind == EventKind::Nvtx)
        return byAttribute(table, trace.nvtx().attributes.size(), labels,
            [&](std::size_t i) { return text(trace.nvtx().attributes[i].payloadBytes); });
    if (kind == EventKind::Library)
        return byAttribute(table, trace.libraryCalls().messages.size(), labels,
            [&](std::size_t i) { return text(trace.libraryCalls().messages[i].bytes); });
    const auto groups = std::make_shared<std::unordered_map<std::uint64_t, std::uint32_t>>();
    return [&table, &labels, groups](EventIndex i) {
        const auto [place, added] = groups->try_emplace(table.bytes[i], 0);
        if (added)
            place->second = labels.numberOf(nameMessage(std::to_string(table.bytes[i])));
        return place->second;
    };
}

std::string payloadText(const Trace& trace, const NvtxAttributes& attributes, std::string_view field)
{
    const std::string_view payload = trace.text(attributes.payload);
    if (field.empty())
        return toUtf8(payload);
    const auto found = findPayloadField(payload, field);
    return found ? toUtf8(found->value) : std::string();
}

std::string launchText(const KernelLaunch& launch)
{
    return fmt::format("{}x{}x{}, {}x{}x{}", launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
        launch.block.y, launch.block.z);
}

GroupOf groupOf(const Trace& trace, EventKind kind, NameGrouping grouping, std::string_view field,
    Labels& labels, const std::stop_token& stop)
{
    const EventTable& table = trace.table(kind);
    switch (grouping) {
    case NameGrouping::Thread:
        return byLaunchingThread(trace, kind, labels);
    case NameGrouping::Parent:
    case NameGrouping::Path:
        return byRange(trace, kind, grouping == NameGrouping::Path, labels, stop);
    case NameGrouping::Grid:
        return byAttribute(table, trace.kernels().launches.size(), labels,
            [&](std::size_t i) { return launchText(trace.kernels().launches[i]); });
    case NameGrouping::Bytes:
        return byBytes(trace, kind, labels);
    case NameGrouping::Payload:
        return byAttribute(table, trace.nvtx().attributes.size(), labels,
            [&](std::size_t i) { return payloadText(trace, trace.nvtx().attributes[i], field); });
    default: // whole tracks
        return [](EventIndex) { return 0U; };
    }
}

/// The events of each group, in their order.
struct Sorted {
    std::vector<EventIndex> moved; ///< the parts that changed their order
    std::vector<std::span<const EventIndex>> parts;
};

/// Groups of whole tracks: most are one run of `events`, which stays in place.
Sorted sortedByTrack(
    const EventTable& table, std::span<const EventIndex> events, const TrackLabel& label, Labels& labels)
{
    std::vector<std::vector<std::span<const EventIndex>>> stretches;
    std::size_t begin = 0;
    for (const Track& track : table.tracks) {
        const auto end = static_cast<std::size_t>(
            std::ranges::lower_bound(events.subspan(begin), track.firstEvent + track.eventCount)
            - events.begin());
        if (end == begin)
            continue;
        const std::uint32_t group = labels.numberOf(label(track));
        stretches.resize(labels.size());
        auto& of = stretches[group];
        if (!of.empty() && of.back().data() + of.back().size() == events.data() + begin)
            of.back() = std::span(of.back().data(), of.back().size() + (end - begin));
        else
            of.push_back(events.subspan(begin, end - begin));
        begin = end;
    }
    Sorted sorted;
    std::size_t scattered = 0;
    for (const auto& of : stretches) {
        for (const auto& stretch : of)
            scattered += of.size() > 1 ? stretch.size() : 0;
    }
    sorted.moved.reserve(scattered); // parts point into it
    for (const auto& of : stretches) {
        if (of.size() == 1) {
            sorted.parts.push_back(of.front());
            continue;
        }
        const std::size_t first = sorted.moved.size();
        for (const auto& stretch : of)
            sorted.moved.insert(sorted.moved.end(), stretch.begin(), stretch.end());
        sorted.parts.push_back(std::span(sorted.moved).subspan(first));
    }
    return sorted;
}

Sorted sortedByGroup(std::span<const EventIndex> events, const GroupOf& group, const Labels& labels,
    const std::stop_token& stop)
{
    std::vector<std::uint32_t> groups;
    groups.reserve(events.size());
    for (const EventIndex i : stoppableItems(events, stop))
        groups.push_back(group(i));
    std::vector<std::size_t> next(labels.size() + 1);
    for (const std::uint32_t each : groups)
        ++next[each + 1];
    for (std::size_t g = 1; g < next.size(); ++g)
        next[g] += next[g - 1];
    Sorted sorted;
    sorted.moved.resize(events.size());
    for (std::uint32_t g = 0; g < labels.size(); ++g)
        sorted.parts.push_back(std::span(sorted.moved).subspan(next[g], next[g + 1] - next[g]));
    for (std::size_t i = 0; i < events.size(); ++i)
        sorted.moved[next[groups[i]]++] = events[i];
    return sorted;
}

constexpr std::size_t fewEvents = 20'000; // fewer are sorted sooner than counted by classes

DurationFigures figuresOf(
    const EventTable& table, std::span<const EventIndex> events, const std::stop_token& stop)
{
    if (events.size() > fewEvents)
        return durationFigures(table, events, stop);
    std::vector<Ns> durations;
    durations.reserve(events.size());
    EventIndex shortest = events.front();
    EventIndex longest = events.front();
    for (const EventIndex i : events) {
        durations.push_back(table.duration[i]);
        shortest = table.duration[i] < table.duration[shortest] ? i : shortest;
        longest = table.duration[i] > table.duration[longest] ? i : longest;
    }
    DurationFigures figures = durationFigures(durations);
    figures.shortest = shortest;
    figures.longest = longest;
    return figures;
}

Ns totalOf(const EventTable& table, std::span<const EventIndex> events, const std::stop_token& stop)
{
    struct Sum {
        Ns total = 0;
        void join(const Sum& later) { total += later.total; }
    };
    return overDurations(table, events, Sum(), stop,
        [](Sum& to, std::span<const EventIndex>, std::span<const Ns> durations) {
            to.total = std::accumulate(durations.begin(), durations.end(), to.total);
        })
        .total;
}

} // namespace

std::span<const NameGroupingInfo> allNameGroupings()
{
    return groupings;
}

const NameGroupingInfo& infoOf(NameGrouping grouping)
{
    return *std::ranges::find(groupings, grouping, &NameGroupingInfo::grouping);
}

bool canGroup(const Trace& trace, EventKind kind, NameGrouping grouping)
{
    const EventTable& table = trace.table(kind);
    const bool isRange = kind == EventKind::Nvtx;
    switch (grouping) {
    case NameGrouping::Stream:
        return std::ranges::any_of(table.tracks, [](const Track& track) { return track.stream >= 0; });
    case NameGrouping::Device:
        return std::ranges::any_of(table.tracks, [](const Track& track) { return track.device >= 0; });
    case NameGrouping::Parent:
    case NameGrouping::Path:
        return !trace.nvtx().empty() && kind != EventKind::CpuCore;
    case NameGrouping::Grid:
        return kind == EventKind::Kernel;
    case NameGrouping::Bytes:
        return !table.bytes.empty() || isRange || kind == EventKind::Library;
    case NameGrouping::Payload:
        return isRange;
    default:
        return true;
    }
}

std::vector<NameGroup> groupsOf(const Trace& trace, EventKind kind, std::span<const EventIndex> events,
    const NameGroupQuery& query, const std::stop_token& stop)
{
    std::vector<NameGroup> groups;
    if (events.empty() || !canGroup(trace, kind, query.grouping))
        return groups;
    const EventTable& table = trace.table(kind);
    Labels labels;
    const TrackLabel ofTracks = labelOfTracks(trace, kind, query.grouping);
    const Sorted sorted = ofTracks
        ? sortedByTrack(table, events, ofTracks, labels)
        : sortedByGroup(
            events, groupOf(trace, kind, query.grouping, query.field, labels, stop), labels, stop);
    std::vector<std::pair<Ns, std::uint32_t>> order;
    Ns total = 0;
    for (std::uint32_t g = 0; g < sorted.parts.size(); ++g) {
        if (sorted.parts[g].empty())
            continue;
        const bool isAll = query.ofAll && sorted.parts[g].size() == events.size();
        order.emplace_back(isAll ? query.ofAll->total : totalOf(table, sorted.parts[g], stop), g);
        total += order.back().first;
    }
    std::ranges::sort(order, [&](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : labels.isBefore(a.second, b.second);
    });
    const auto add = [&](Message label, std::span<const EventIndex> members, std::uint64_t others) {
        NameGroup& out = groups.emplace_back();
        out.label = std::move(label);
        out.others = others;
        out.figures
            = query.ofAll && members.size() == events.size() ? *query.ofAll : figuresOf(table, members, stop);
        for (std::size_t i = 0; query.addTo && i < members.size(); ++i) {
            if (i % stepsBetweenStops == 0)
                throwIfStopped(stop);
            query.addTo(members[i], out.sums);
        }
        out.share = total > 0 ? static_cast<double>(out.figures.total) / static_cast<double>(total) : 0;
    };
    for (std::size_t g = 0; g < std::min(order.size(), query.most); ++g)
        add(labels.of(order[g].second), sorted.parts[order[g].second], 0);
    std::vector<EventIndex> rest;
    for (std::size_t g = query.most; g < order.size(); ++g) {
        const auto part = sorted.parts[order[g].second];
        rest.insert(rest.end(), part.begin(), part.end());
    }
    if (!rest.empty())
        add({}, rest, order.size() - query.most);
    return groups;
}

} // namespace warpline
