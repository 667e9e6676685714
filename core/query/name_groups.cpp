#include "core/query/name_groups.h"

#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/filter/enclosing_ranges.h"
#include "core/store/attributes.h"
#include "core/store/gpu_names.h"
#include "core/store/payload_fields.h"
#include "core/store/place_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
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
    std::uint32_t numberOf(std::string label)
    {
        const auto [place, added] = m_numbers.try_emplace(std::move(label), size());
        if (added)
            m_labels.push_back(place->first);
        return place->second;
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_labels.size()); }
    const std::vector<std::string>& all() const { return m_labels; }

private:
    std::unordered_map<std::string, std::uint32_t> m_numbers;
    std::vector<std::string> m_labels;
};

/// The group of each event, by number.
using GroupOf = std::function<std::uint32_t(EventIndex)>;

GroupOf byTrack(
    const EventTable& table, Labels& labels, const std::function<std::string(const Track&)>& label)
{
    std::vector<std::uint32_t> groups;
    for (const Track& track : table.tracks)
        groups.push_back(labels.numberOf(label(track)));
    return [&table, groups = std::move(groups)](EventIndex i) { return groups[table.trackIndexOf(i)]; };
}

GroupOf byAttribute(const EventTable& table, std::size_t records, Labels& labels,
    const std::function<std::string(std::size_t)>& label)
{
    std::vector<std::uint32_t> groups;
    for (std::size_t i = 0; i < records; ++i)
        groups.push_back(labels.numberOf(label(i)));
    return [&table, groups = std::move(groups)](EventIndex i) { return groups[table.attribute[i]]; };
}

std::string threadText(const Trace& trace, GlobalId owner)
{
    return tidOf(owner) != 0 ? threadLabel(trace, owner) : std::string();
}

GroupOf byThread(const Trace& trace, EventKind kind, Labels& labels)
{
    const auto label = [&](const Track& track) { return threadText(trace, track.owner); };
    const EventTable& table = trace.table(kind);
    if (!runsOnDevice(kind))
        return byTrack(table, labels, label);
    const std::uint32_t none = labels.numberOf({});
    const GroupOf ofCall = byTrack(trace.apiCalls(), labels, label);
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
            place->second = labels.numberOf(toUtf8(
                wholePath ? ranges->textOf(path) : std::string(trace.text(ranges->nodes()[path].name))));
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
            place->second = labels.numberOf(std::to_string(table.bytes[i]));
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
    case NameGrouping::Stream:
        return byTrack(table, labels, [&](const Track& track) {
            return track.stream < 0
                ? std::string()
                : gpuName(trace, track.owner, track.device) + ", " + streamLabel(trace, track);
        });
    case NameGrouping::Device:
        return byTrack(table, labels, [&](const Track& track) {
            return track.device < 0 ? std::string() : gpuName(trace, track.owner, track.device);
        });
    case NameGrouping::Process:
        return byTrack(table, labels, [&](const Track& track) {
            return track.owner == 0 ? std::string() : processLabel(trace, processOf(track.owner));
        });
    case NameGrouping::Thread:
        return byThread(trace, kind, labels);
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
    }
    return [](EventIndex) { return 0U; };
}

/// The events of each group, one group after another, in their order.
struct Sorted {
    std::vector<EventIndex> events;
    std::vector<std::size_t> begins; ///< one more than groups
};

Sorted sortedByGroup(std::span<const EventIndex> events, const GroupOf& group, const Labels& labels,
    const std::stop_token& stop)
{
    std::vector<std::uint32_t> groups;
    groups.reserve(events.size());
    for (const EventIndex i : stoppableItems(events, stop))
        groups.push_back(group(i));
    Sorted sorted;
    sorted.begins.assign(labels.size() + 1, 0);
    for (const std::uint32_t each : groups)
        ++sorted.begins[each + 1];
    for (std::size_t g = 1; g < sorted.begins.size(); ++g)
        sorted.begins[g] += sorted.begins[g - 1];
    std::vector<std::size_t> next(sorted.begins.begin(), sorted.begins.end() - 1);
    sorted.events.resize(events.size());
    for (std::size_t i = 0; i < events.size(); ++i)
        sorted.events[next[groups[i]]++] = events[i];
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
    NameGrouping grouping, std::string_view field, std::size_t most, const std::stop_token& stop)
{
    std::vector<NameGroup> groups;
    if (events.empty() || !canGroup(trace, kind, grouping))
        return groups;
    const EventTable& table = trace.table(kind);
    Labels labels;
    const GroupOf group = groupOf(trace, kind, grouping, field, labels, stop);
    const Sorted sorted = sortedByGroup(events, group, labels, stop);
    const auto part = [&](std::uint32_t g) {
        return std::span(sorted.events).subspan(sorted.begins[g], sorted.begins[g + 1] - sorted.begins[g]);
    };
    std::vector<std::pair<Ns, std::uint32_t>> order;
    Ns total = 0;
    for (std::uint32_t g = 0; g < labels.size(); ++g) {
        Ns time = 0;
        for (const EventIndex i : part(g))
            time += table.duration[i];
        if (!part(g).empty())
            order.emplace_back(time, g);
        total += time;
    }
    std::ranges::sort(order, [&](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : labels.all()[a.second] < labels.all()[b.second];
    });
    const auto add = [&](std::string label, std::span<const EventIndex> members, std::uint64_t others) {
        NameGroup& out = groups.emplace_back();
        out.label = std::move(label);
        out.others = others;
        out.figures = figuresOf(table, members, stop);
        out.share = total > 0 ? static_cast<double>(out.figures.total) / static_cast<double>(total) : 0;
    };
    for (std::size_t g = 0; g < std::min(order.size(), most); ++g)
        add(labels.all()[order[g].second], part(order[g].second), 0);
    std::vector<EventIndex> rest;
    for (std::size_t g = most; g < order.size(); ++g)
        rest.insert(rest.end(), part(order[g].second).begin(), part(order[g].second).end());
    if (!rest.empty())
        add({}, rest, order.size() - most);
    return groups;
}

} // namespace warpline
