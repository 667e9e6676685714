#pragma once

#include "core/replay/cure.h"
#include "core/replay/cure_costs.h"
#include "core/replay/replay_graph.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace warpline {

/// Which end of what is uncertain in a cure is taken.
enum class Estimate : std::uint8_t {
    Optimistic,
    Expected,
    Pessimistic,
};

/// A gap of the host that is longer than this is work of its own, not the way to the next launch.
inline constexpr Ns longestWay = 1'000'000;

/// What the kinds of cures share to change a graph: which events an edit means, and how calls and work leave
/// their thread or stream. For one edit; a change of what `cure` means needs another one.
class GraphEdit {
public:
    GraphEdit(const Trace& trace, const CureEdit& cure, Estimate estimate, ReplayGraph& graph);

    const Trace& trace;
    const CureEdit& cure;
    const Estimate estimate;
    ReplayGraph& graph;

    Ns pick(const cost::Range& range) const;
    double factor() const; ///< of `cure`

    bool fits(EventRef event);
    bool fits(const ReplayCall& call) { return fits({EventKind::ApiCall, call.call}); }
    /// A copy between host and GPU that still runs.
    bool isHostCopy(const ReplayWork& work) const;
    bool isUpload(const ReplayWork& work) const;

    /// Takes `call` out, with the queries right before it. Of the two stretches of the host's own time beside
    /// it one remains, the longer: the other one is the way to the call and back. Of calls that go one behind
    /// another one remains in all.
    void remove(std::uint32_t call);
    /// Takes `work` out of its stream, and its call where it launches nothing else.
    void removeWork(std::uint32_t work);
    /// Takes the wait out that follows `call` on its thread, if one does; noNode: nothing.
    void removeWaitBehind(std::uint32_t call);
    /// What `call` launches, with what was removed.
    const std::vector<std::uint32_t>& worksOf(std::uint32_t call);
    /// The call of a copy that no longer waits for it.
    void unblock(std::uint32_t call);

    /// Moves `work` to `stream`, where `last` ran before it, which it becomes. What waited for it on its old
    /// stream waits for what was before it there, once closeRanks() was called.
    void move(std::uint32_t work, std::uint32_t stream, std::uint32_t& last);
    /// Lets all that depended on moved work depend on what was before it.
    void closeRanks();
    /// A stream that no work is on.
    std::uint32_t newStream() const;

private:
    bool namesFit(EventRef event);

    std::vector<std::uint32_t> m_next; ///< of each call, on its thread
    std::vector<std::vector<std::uint32_t>> m_worksOf; ///< of each call; empty: nobody asked
    std::map<std::uint32_t, std::uint32_t> m_replaced; ///< moved work, and what was before it
    std::map<std::pair<EventKind, StringId>, bool> m_fits;
};

/// What is still there, and was launched in the time that is replayed.
constexpr bool isRunning(const ReplayWork& work)
{
    return !work.removed && work.call != noNode;
}

/// `call` is as long as it takes by itself.
void stopWaiting(ReplayCall& call);
Ns scaled(Ns length, double factor);

} // namespace warpline
