#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/time.h"
#include "core/store/event_kind.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpline {

class Trace;

/// A function, a range or a call, as a level of a stack.
struct TimeFrame {
    StringId name{};
    StringId module{}; ///< of functions: the file it is from; empty: does not apply
    GlobalId thread = 0; ///< the frame is this thread; 0: it is not

    friend bool operator==(const TimeFrame&, const TimeFrame&) = default;
};

/// Stands for all frames below the deepest that a tree holds.
inline constexpr TimeFrame deeperFrames{.name = StringId{noIndex}};
/// Levels of a tree above deeperFrames: what a stack is written as grows with its depth.
inline constexpr std::uint32_t deepestLevel = 500;

struct TimeNode {
    TimeFrame frame;
    std::uint32_t parent = noIndex; ///< noIndex: the root
    std::uint32_t level = 0; ///< 0: the root
    std::int64_t self = 0; ///< the frame's own amount, in the tree's unit
    std::int64_t total = 0; ///< including the frames inside it
};

/// Where time went by stacks: the data of a flame graph. Node 0 is the root; parents come before their
/// children.
class TimeTree {
public:
    TimeTree() { m_nodes.emplace_back(); }

    std::span<const TimeNode> nodes() const { return m_nodes; }
    std::int64_t total() const { return m_nodes.front().total; }
    /// Children of each node, those with the highest total first. O(n log n).
    std::vector<std::vector<std::uint32_t>> children() const;
    /// The frames of `node` without the root, outermost first.
    std::vector<TimeFrame> path(std::uint32_t node) const;

    /// The child of `parent` with that frame, made where there is none. Below deepestLevel all are one.
    std::uint32_t child(std::uint32_t parent, const TimeFrame& frame);
    /// Adds to the own amount of `node`.
    void addSelf(std::uint32_t node, std::int64_t amount) { m_nodes[node].self += amount; }
    /// Sums up the totals; call once, after the last addSelf().
    void finish();

private:
    struct Key {
        std::uint32_t parent;
        TimeFrame frame;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };

    std::vector<TimeNode> m_nodes;
    std::unordered_map<Key, std::uint32_t, Hash> m_children;
};

/// The node of the stack of `event` below `node`: its functions, outermost first. Functions without a symbol
/// go by their module.
std::uint32_t stackBelow(const Trace& trace, EventRef event, std::uint32_t node, TimeTree& tree);

/// The inverted stacks of `tree`: the first level are frames with own amounts, below each its callers.
/// Threads are left out. Of very many deep stacks only the first callers are kept. Throws Stopped.
TimeTree callersFirst(const TimeTree& tree, const std::stop_token& stop = {});

/// A frame with its amounts over all stacks.
struct FlatFrame {
    TimeFrame frame;
    std::int64_t self = 0;
    std::int64_t total = 0; ///< a frame inside itself counts once
};

/// All frames but threads, those with the most of their own first. O(n log n).
std::vector<FlatFrame> flatFrames(const TimeTree& tree);

/// The frame's name for people: UTF-8, one line.
Message textOf(const Trace& trace, const TimeFrame& frame);

} // namespace warpline
