#include "core/timetree/time_tree.h"

#include "core/base/message_names.h"
#include "core/base/path_names.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/store/place_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <tuple>
#include <utility>

namespace warpline {

namespace {

using FrameKey = std::tuple<std::uint32_t, std::uint32_t, GlobalId>;

FrameKey keyOf(const TimeFrame& frame)
{
    return {raw(frame.name), raw(frame.module), frame.thread};
}

/// How many callers of each frame the inverted stacks of `nodes` hold, so that they are about a million
/// nodes at most.
std::uint32_t callersKept(std::span<const TimeNode> nodes)
{
    constexpr std::size_t most = 1'000'000;
    constexpr std::uint32_t fewest = 16;
    std::vector<std::size_t> ends(deepestLevel + 2, 0); // stacks by the level of their end
    for (const TimeNode& node : nodes)
        ends[node.level] += node.self != 0 ? 1 : 0;
    std::size_t deeper = std::accumulate(ends.begin(), ends.end(), std::size_t{0});
    std::size_t made = 0;
    std::uint32_t level = 0;
    for (; level <= deepestLevel && (level <= fewest || made <= most); ++level) {
        deeper -= ends[level];
        made += deeper;
    }
    return level;
}

} // namespace

std::size_t TimeTree::Hash::operator()(const Key& key) const
{
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15; // 2^64 / golden ratio: spreads neighbours
    std::uint64_t mixed = key.parent;
    for (const std::uint64_t part :
        {std::uint64_t{raw(key.frame.name)}, std::uint64_t{raw(key.frame.module)}, key.frame.thread})
        mixed = (mixed ^ part) * factor;
    return mixed ^ mixed >> 32U;
}

std::uint32_t TimeTree::child(std::uint32_t parent, const TimeFrame& frame)
{
    const std::uint32_t level = m_nodes[parent].level + 1;
    if (level > deepestLevel && m_nodes[parent].frame == deeperFrames)
        return parent;
    const auto [found, isNew] = m_children.try_emplace(
        {parent, level > deepestLevel ? deeperFrames : frame}, static_cast<std::uint32_t>(m_nodes.size()));
    if (isNew)
        m_nodes.push_back({found->first.frame, parent, level, 0, 0});
    return found->second;
}

void TimeTree::finish()
{
    for (TimeNode& node : m_nodes)
        node.total = node.self;
    for (std::size_t i = m_nodes.size(); i-- > 1;)
        m_nodes[m_nodes[i].parent].total += m_nodes[i].total;
}

std::vector<std::vector<std::uint32_t>> TimeTree::children() const
{
    std::vector<std::vector<std::uint32_t>> children(m_nodes.size());
    for (std::uint32_t i = 1; i < m_nodes.size(); ++i)
        children[m_nodes[i].parent].push_back(i);
    for (auto& each : children) {
        std::ranges::stable_sort(
            each, [&](std::uint32_t a, std::uint32_t b) { return m_nodes[a].total > m_nodes[b].total; });
    }
    return children;
}

std::vector<TimeFrame> TimeTree::path(std::uint32_t node) const
{
    std::vector<TimeFrame> frames;
    for (; node != 0; node = m_nodes[node].parent)
        frames.push_back(m_nodes[node].frame);
    std::ranges::reverse(frames);
    return frames;
}

std::uint32_t stackBelow(const Trace& trace, EventRef event, std::uint32_t node, TimeTree& tree)
{
    for (const StackFrame& frame : trace.stackOf(event) | std::views::reverse) {
        if (tree.nodes()[node].level > deepestLevel)
            break; // many events may share a stack of any depth
        node = tree.child(node, {frame.unresolved ? StringId{} : frame.symbol, frame.module, 0});
    }
    return node;
}

TimeTree callersFirst(const TimeTree& tree, const std::stop_token& stop)
{
    TimeTree turned;
    const std::span<const TimeNode> nodes = tree.nodes();
    const std::uint32_t most = callersKept(nodes);
    StopCheck check(stop);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].self == 0)
            continue;
        std::uint32_t at = 0;
        for (std::uint32_t frame = i; frame != 0; frame = nodes[frame].parent) {
            check.step();
            if (nodes[frame].frame.thread != 0)
                continue;
            const bool isDeeper = turned.nodes()[at].level == most;
            at = turned.child(at, isDeeper ? deeperFrames : nodes[frame].frame);
            if (isDeeper)
                break;
        }
        turned.addSelf(at, nodes[i].self);
    }
    turned.finish();
    return turned;
}

std::vector<FlatFrame> flatFrames(const TimeTree& tree)
{
    const std::span<const TimeNode> nodes = tree.nodes();
    std::vector<std::uint32_t> firstChild(nodes.size(), noIndex);
    std::vector<std::uint32_t> nextChild(nodes.size(), noIndex);
    for (std::uint32_t i = 1; i < nodes.size(); ++i)
        nextChild[i] = std::exchange(firstChild[nodes[i].parent], i);
    struct Counted {
        FlatFrame flat;
        std::uint32_t open = 0; // nodes with this frame on the way from the root
    };
    std::map<FrameKey, Counted> frames;
    // From each node to its first child, else to the next of its parent.
    for (std::uint32_t node = firstChild[0]; node != noIndex;) {
        const bool isFrame = nodes[node].frame.thread == 0;
        if (isFrame) {
            Counted& counted = frames[keyOf(nodes[node].frame)];
            counted.flat.frame = nodes[node].frame;
            counted.flat.self += nodes[node].self;
            counted.flat.total += counted.open++ == 0 ? nodes[node].total : 0;
        }
        std::uint32_t next = firstChild[node];
        for (; next == noIndex && node != 0; node = nodes[node].parent) {
            if (nodes[node].frame.thread == 0)
                --frames[keyOf(nodes[node].frame)].open;
            next = nextChild[node];
        }
        node = next;
    }
    std::vector<FlatFrame> sorted;
    sorted.reserve(frames.size());
    for (const auto& [key, counted] : frames)
        sorted.push_back(counted.flat);
    std::ranges::stable_sort(sorted, [](const FlatFrame& a, const FlatFrame& b) {
        return std::pair(a.self, a.total) > std::pair(b.self, b.total);
    });
    return sorted;
}

Message textOf(const Trace& trace, const TimeFrame& frame)
{
    if (frame.thread != 0) {
        const bool isMain = tidOf(frame.thread) == pidOf(frame.thread);
        return placeWithin(processLabel(trace, processOf(frame.thread)),
            isMain ? Message() : threadLabel(trace, frame.thread));
    }
    if (frame == deeperFrames)
        return {"frame.deeper", "[deeper]"};
    std::string text = toUtf8(trace.text(frame.name));
    if (text.empty() && frame.module != StringId{}) {
        const std::string_view module = trace.text(frame.module);
        const std::string_view file = baseName(module);
        text = "[" + toUtf8(file.empty() ? module : file) + "]";
    }
    if (text == "<module>" && frame.module != StringId{})
        text += " " + toUtf8(lastParts(trace.text(frame.module)));
    return text.empty() ? Message("frame.no_name", "[no name]") : nameMessage(std::move(text));
}

} // namespace warpline
