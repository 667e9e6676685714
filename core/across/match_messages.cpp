// Matches the two ends of messages. Send and receive kernels are matched with those of their peers, in order.
// Both run until the transfer is complete, so their durations show who waited. MPI calls that wait
// (MPI_Waitall ...) wait for earlier posts: there the clocks show which peer arrived last.

#include "core/across/judging.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace warpline {

namespace {

/// Messages of one direction between two ranks that keep their order.
struct Channel {
    std::string_view group;
    std::int64_t from = -1;
    std::int64_t to = -1;
    std::int64_t tag = -1;
    friend auto operator<=>(const Channel&, const Channel&) = default;
};

/// The ends of the messages of a channel, in order.
struct Ends {
    std::vector<ExchangeAt> sends;
    std::vector<ExchangeAt> receives;
};

using Channels = std::map<Channel, Ends>;

bool carriesMessage(const ExchangeType& type)
{
    return type.kind == ExchangeKind::PointToPoint || type.kind == ExchangeKind::Post;
}

/// The only other rank of a group of two; -1: there are more.
std::int64_t onlyOther(const Judging& judging, std::uint32_t rank)
{
    return judging.ranks.size() == 2 ? judging.ranks[1 - rank].rank : -1;
}

Channels channelsOf(const Judging& judging)
{
    Channels channels;
    for (std::uint32_t r = 0; r < judging.ranks.size(); ++r) {
        const ParticipantSummary& facts = *judging.ranks[r].facts;
        const std::int64_t own = judging.ranks[r].rank;
        for (std::uint32_t i = 0; i < facts.exchanges.size(); ++i) {
            const Exchange& exchange = facts.exchanges[i];
            const ExchangeType& type = facts.types[exchange.type];
            if (!carriesMessage(type))
                continue;
            for (std::uint32_t p = 0; p < exchange.peers; ++p) {
                const ExchangePeer& peer = facts.peers[exchange.firstPeer + p];
                const std::int64_t other = peer.rank >= 0 ? peer.rank : onlyOther(judging, r);
                const Channel channel{type.group, peer.sends ? own : other, peer.sends ? other : own,
                    type.onHost ? exchange.tag : -1};
                Ends& ends = channels[channel];
                (peer.sends ? ends.sends : ends.receives).push_back({r, i});
            }
            // Without a payload that names the sender, the order of the kernels of two ranks decides.
            if (exchange.peers == 0 && !type.onHost && onlyOther(judging, r) >= 0)
                (r == 0 ? channels[{type.group, -1, -1, -1}].sends
                        : channels[{type.group, -1, -1, -1}].receives)
                    .push_back({r, i});
        }
    }
    return channels;
}

/// The two ends of each message of a channel: all when both sides have equally many, else those of steps in
/// which both do.
std::vector<std::pair<ExchangeAt, ExchangeAt>> pairsOf(const Judging& judging, const Ends& ends)
{
    std::vector<std::pair<ExchangeAt, ExchangeAt>> pairs;
    const auto pairUp = [&](const std::vector<ExchangeAt>& sends, const std::vector<ExchangeAt>& receives) {
        if (sends.size() != receives.size())
            return;
        for (std::size_t i = 0; i < sends.size(); ++i)
            pairs.emplace_back(sends[i], receives[i]);
    };
    if (ends.sends.size() == ends.receives.size()) {
        pairUp(ends.sends, ends.receives);
        return pairs;
    }
    std::map<std::uint32_t, Ends> steps;
    for (const ExchangeAt at : ends.sends)
        steps[judging.step(at)].sends.push_back(at);
    for (const ExchangeAt at : ends.receives)
        steps[judging.step(at)].receives.push_back(at);
    for (const auto& [step, ofStep] : steps) {
        if (step != noIndex)
            pairUp(ofStep.sends, ofStep.receives);
    }
    return pairs;
}

/// For each call or kernel that carries messages, its counterparts at the other ends.
using Counterparts = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<ExchangeAt>>;

class MessageMatcher {
public:
    explicit MessageMatcher(Judging& judging)
        : m_judging(judging)
    {
    }

    void match()
    {
        for (const auto& [channel, ends] : channelsOf(m_judging)) {
            throwIfStopped(m_judging.stop);
            for (const auto& [send, receive] : pairsOf(m_judging, ends)) {
                m_counterparts[{send.rank, send.exchange}].push_back(receive);
                m_counterparts[{receive.rank, receive.exchange}].push_back(send);
            }
        }
        for (std::uint32_t rank = 0; rank < m_judging.ranks.size(); ++rank)
            matchRank(rank);
    }

private:
    void matchRank(std::uint32_t rank)
    {
        std::vector<ExchangeAt> posted; // since the last call that waited
        const auto& exchanges = m_judging.ranks[rank].facts->exchanges;
        for (std::uint32_t i = 0; i < exchanges.size(); ++i) {
            const ExchangeAt at{rank, i};
            switch (m_judging.type(at).kind) {
            case ExchangeKind::Post:
                posted.push_back(at);
                break;
            case ExchangeKind::Wait:
                addHostWait(at, posted);
                posted.clear();
                break;
            case ExchangeKind::PointToPoint:
                if (m_judging.type(at).onHost)
                    addHostWait(at, {at});
                else
                    addKernels(at);
                break;
            default:
                break;
            }
        }
    }

    /// A call that returns when all that `begun` is through.
    void addHostWait(ExchangeAt wait, const std::vector<ExchangeAt>& begun)
    {
        if (!m_judging.clock(wait).aligned)
            return;
        std::optional<ExchangeAt> latest;
        std::set<std::uint32_t> peers;
        for (const ExchangeAt each : begun) {
            const auto found = m_counterparts.find({each.rank, each.exchange});
            if (found == m_counterparts.end())
                continue;
            for (const ExchangeAt other : found->second) {
                if (!m_judging.clock(other).aligned || other.rank == wait.rank)
                    continue;
                peers.insert(other.rank);
                if (!latest || m_judging.commonStart(other) > m_judging.commonStart(*latest))
                    latest = other;
            }
        }
        if (!latest)
            return;
        const Ns duration = m_judging.exchange(wait).range.duration();
        const Ns behind = m_judging.commonStart(*latest) - m_judging.commonStart(wait);
        add({wait, *latest}, std::clamp<Ns>(behind, 0, duration), peers);
        m_judging.matches.back().knownLead = std::max<Ns>(0, -behind);
    }

    /// Kernels run until all their messages are through: of several peers the one that came last counts.
    void addKernels(ExchangeAt at)
    {
        const auto found = m_counterparts.find({at.rank, at.exchange});
        if (found == m_counterparts.end())
            return;
        const auto last = std::ranges::min_element(
            found->second, {}, [&](ExchangeAt other) { return m_judging.exchange(other).range.duration(); });
        const ExchangeAt other = *last;
        // Add each pair once, unless one of the two also waited for another rank.
        const auto back = m_counterparts.find({other.rank, other.exchange});
        const bool mutual = back != m_counterparts.end() && back->second.size() == 1;
        if (found->second.size() == 1 && mutual && other.rank < at.rank)
            return;
        std::set<std::uint32_t> peers;
        for (const ExchangeAt each : found->second)
            peers.insert(each.rank);
        const Ns longer
            = m_judging.exchange(at).range.duration() - m_judging.exchange(other).range.duration();
        if (found->second.size() == 1 && mutual) {
            add({at, other}, -1, peers);
        } else {
            add({at, other}, std::max<Ns>(0, longer), peers);
            m_judging.matches.back().knownLead = std::max<Ns>(0, -longer);
        }
    }

    /// `peers`: all ranks that the first of `members` exchanges with.
    void add(std::vector<ExchangeAt> members, Ns knownWait, std::set<std::uint32_t> peers)
    {
        Match match;
        match.group = groupPlace(m_judging, m_judging.type(members.front()).group);
        for (const ExchangeAt at : members) {
            auto& ranks = m_judging.out.groups[match.group].ranks;
            if (const auto place = std::ranges::lower_bound(ranks, at.rank);
                place == ranks.end() || *place != at.rank)
                ranks.insert(place, at.rank);
        }
        for (const ExchangeAt at : members)
            peers.erase(at.rank);
        match.others.assign(peers.begin(), peers.end());
        match.members = std::move(members);
        match.pointToPoint = true;
        match.knownWait = knownWait;
        m_judging.matches.push_back(std::move(match));
    }

    Judging& m_judging;
    Counterparts m_counterparts;
};

} // namespace

void matchMessages(Judging& judging)
{
    MessageMatcher(judging).match();
}

} // namespace warpline
