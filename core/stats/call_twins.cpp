#include "core/stats/call_twins.h"

#include "core/derive/kept_answers.h"
#include "core/store/trace.h"

#include <algorithm>
#include <bit>
#include <map>

namespace warpline {

namespace {

/// A set of ids without false negatives (Bloom filter). Ids of a recording ascend: those of consecutive calls
/// share a cache line.
class SeenIds {
public:
    explicit SeenIds(std::size_t mostIds)
        : m_bits(std::bit_ceil(std::clamp(mostIds * bitsAnId, minBits, maxBits)) / 64)
    {
    }

    void add(std::uint32_t id) { m_bits[wordOf(id)] |= std::uint64_t{1} << (id % 64); }
    bool mayHave(std::uint32_t id) const { return (m_bits[wordOf(id)] >> (id % 64) & 1) != 0; }

private:
    static constexpr std::size_t bitsAnId = 16; // one of 16 other ids is a false positive
    static constexpr std::size_t minBits = std::size_t{1} << 12U;
    static constexpr std::size_t maxBits = std::size_t{1} << 28U; // 32 MiB

    std::size_t wordOf(std::uint32_t id) const { return id / 64 & (m_bits.size() - 1); }

    std::vector<std::uint64_t> m_bits;
};

/// nsys records one. Tables have a row or a sum for each pair of a kernel and a call: of an id with thousands
/// of both they would take gigabytes.
constexpr std::size_t mostTwins = 16;

struct NumberedCall {
    std::uint32_t id;
    EventIndex call;
};

/// The calls of one process.
class CallsOfProcess {
public:
    CallsOfProcess(const Trace& trace, const std::stop_token& stop)
        : m_trace(trace),
          m_api(trace.apiCalls()),
          m_work(trace.links->firstWork),
          m_stop(stop)
    {
    }

    void add(const Track& track) { m_tracks.push_back(&track); }

    /// Appends (linked call, twin) for each twin.
    void findTwins(std::vector<std::pair<EventIndex, EventIndex>>& twins) const
    {
        const std::vector<NumberedCall> candidates = unlinkedOfLinkedIds();
        if (candidates.empty())
            return;
        SeenIds wanted(candidates.size());
        for (const NumberedCall& each : candidates)
            wanted.add(each.id);
        forEachLinked([&](std::uint32_t id, EventIndex call) {
            if (!wanted.mayHave(id))
                return;
            const auto ofId = std::ranges::equal_range(candidates, id, {}, &NumberedCall::id);
            if (ofId.size() > mostTwins && worksOf(call) > mostTwins)
                return;
            for (const NumberedCall& twin : ofId)
                twins.emplace_back(call, twin.call);
        });
    }

private:
    std::size_t worksOf(EventIndex call) const
    {
        std::size_t works = 0;
        m_trace.visitWork(call, [&](EventRef) { ++works; });
        return works;
    }

    template <typename Visit> void forEachLinked(Visit visit) const
    {
        for (const Track* const track : m_tracks) {
            for (const EventIndex i : eventsOf(*track, m_stop)) {
                if (m_work[i] != noIndex)
                    visit(m_api.correlation[i], i);
            }
        }
    }

    /// The calls without GPU work whose id a linked call may share, by id.
    std::vector<NumberedCall> unlinkedOfLinkedIds() const
    {
        std::size_t linked = 0;
        forEachLinked([&](std::uint32_t, EventIndex) { ++linked; });
        SeenIds seen(linked);
        forEachLinked([&](std::uint32_t id, EventIndex) { seen.add(id); });
        std::vector<NumberedCall> candidates;
        for (const Track* const track : m_tracks) {
            for (const EventIndex i : eventsOf(*track, m_stop)) {
                const std::uint32_t id = m_api.correlation[i];
                if (m_work[i] == noIndex && id != 0 && seen.mayHave(id))
                    candidates.push_back({id, i});
            }
        }
        std::ranges::sort(candidates, {}, &NumberedCall::id);
        return candidates;
    }

    const Trace& m_trace;
    const EventTable& m_api;
    const std::vector<std::uint32_t>& m_work;
    const std::stop_token& m_stop;
    std::vector<const Track*> m_tracks;
};

} // namespace

CallTwins::CallTwins(const Trace& trace, const std::stop_token& stop)
{
    const EventTable& api = trace.apiCalls();
    if (!trace.links || api.correlation.empty())
        return;
    std::map<std::uint32_t, CallsOfProcess> processes;
    for (const Track& track : api.tracks)
        processes.try_emplace(pidOf(track.owner), trace, stop).first->second.add(track);
    for (const auto& [process, calls] : processes)
        calls.findTwins(m_twins);
    std::ranges::sort(m_twins);
}

std::shared_ptr<const CallTwins> callTwinsOf(const Trace& trace, const std::stop_token& stop)
{
    static KeptAnswers<Links, CallTwins> kept;
    if (!trace.links)
        return std::make_shared<const CallTwins>(trace, stop);
    return kept.of(trace.links, [&] { return CallTwins(trace, stop); });
}

std::size_t CallTwins::firstOf(EventIndex call) const
{
    if (m_twins.empty())
        return 0;
    const auto found = std::ranges::lower_bound(m_twins, std::pair<EventIndex, EventIndex>{call, 0});
    return static_cast<std::size_t>(found - m_twins.begin());
}

} // namespace warpline
