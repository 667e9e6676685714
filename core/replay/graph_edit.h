#pragma once

#include "core/replay/cure.h"
#include "core/replay/replay_graph.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace warpline {

/// Costs that a recording does not show. docs/whatif.md has the sources.
namespace cost {

/// cudaMallocAsync and cudaFreeAsync of a pool that has grown.
inline constexpr ExpectedTime pooledCall{1'000, 2'000, 5'000};
/// A copy from pinned memory that does not block, where the recording has none.
inline constexpr ExpectedTime copyCall{3'000, 6'000, 12'000};
/// The launch of a CUDA graph (ns): the call, and each node.
inline constexpr ExpectedTime graphCall{2'500, 2'500, 10'000};
inline constexpr ExpectedTime graphNode{1, 200, 300};
/// Gap between consecutive nodes of a graph (ns).
inline constexpr ExpectedTime nodeGap{0, 150, 300};
/// A page fault on the host whose page comes from a GPU, with the copy (ns).
inline constexpr ExpectedTime hostPageFault{20'000, 35'000, 50'000};
/// Upper bound of the code around a call that can be removed with it, such as a wrapper in Python (ns).
inline constexpr Ns maxWrapper = 20'000;
/// Bytes a second between host and GPU, where no large copy shows the rate.
inline constexpr double linkRate = 25e9;
/// More than any recording takes (ns): a report may state any number of bytes.
inline constexpr double longest = 1e17;

} // namespace cost

/// Which end of a cure's uncertainty is used.
enum class Estimate : std::uint8_t {
    Optimistic,
    Expected,
    Pessimistic,
};

/// A longer gap of the host (ns) is work of its own, not the way to the next launch.
inline constexpr Ns longestWay = 1'000'000;

/// Shared by the kinds of cures: which events an edit selects, and removal of calls and work from their
/// thread or stream. For one edit only.
class GraphEdit {
public:
    GraphEdit(const Trace& trace, const CureEdit& cure, Estimate estimate, ReplayGraph& graph);

    const Trace& trace;
    const CureEdit& cure;
    const Estimate estimate;
    ReplayGraph& graph;

    Ns pick(const ExpectedTime& range) const;
    double factor() const; ///< of `cure`

    bool fits(EventRef event);
    bool fits(const ReplayCall& call) { return fits({EventKind::ApiCall, call.call}); }
    /// A copy between host and GPU that still runs.
    bool isHostCopy(const ReplayWork& work) const;
    bool isUpload(const ReplayWork& work) const;

    /// Removes `call`, with the queries right before it. Keeps the longer of the two stretches of the host's
    /// own time around it: the other one is the way to the call and back. Consecutive removed calls leave one
    /// stretch.
    void remove(std::uint32_t call);
    /// Takes `work` out of its stream, and its call where it launches nothing else.
    void removeWork(std::uint32_t work);
    /// Takes the wait out that follows `call` on its thread, if one does; noNode: nothing.
    void removeWaitBehind(std::uint32_t call);
    /// The GPU work of `call`, including removed work.
    const std::vector<std::uint32_t>& worksOf(std::uint32_t call);
    /// `length` times `factor`, at most the longer of `length` and longestScaled: then the graph is capped.
    Ns scaled(Ns length, double factor);
    /// The call of a copy that no longer waits for it.
    void unblock(std::uint32_t call);

    /// Moves `work` to `stream`, after `last`, which becomes `work`. After closeRanks(), work that waited for
    /// it on its old stream waits for its predecessor there.
    void move(std::uint32_t work, std::uint32_t stream, std::uint32_t& last);
    /// Redirects dependencies on moved work to its predecessor.
    void closeRanks();
    /// A stream that no work is on.
    std::uint32_t newStream() const;

private:
    bool namesFit(EventRef event);

    std::vector<std::uint32_t> m_next; ///< of each call, on its thread
    std::vector<std::vector<std::uint32_t>> m_worksOf; ///< by call; empty: not computed yet
    std::map<std::uint32_t, std::size_t> m_firstLeft; ///< of worksOf() a call: place of the first not removed
    std::map<std::uint32_t, std::uint32_t> m_replaced; ///< moved work, and its predecessor
    std::map<std::pair<EventKind, StringId>, bool> m_fits;
};

/// Whether it is not removed, and was launched in the replayed time.
constexpr bool isRunning(const ReplayWork& work)
{
    return !work.removed && work.call != noNode;
}

/// Sets `call` to its length without waiting.
void stopWaiting(ReplayCall& call);

} // namespace warpline
