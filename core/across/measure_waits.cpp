// Measures waits by durations. No rank leaves a collective before the last arrives, so the last rank's time
// is the transfer, and the rest of the others' time is waiting. This needs no clocks. If the last rank itself
// had waited for another one before (in another communicator, for a message), that one gets the blame.

#include "core/across/judging.h"
#include "core/base/saturate.h"
#include "core/base/stop.h"
#include "core/coverage/coverage.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <tuple>

namespace warpline {

namespace {

/// A wait of a rank, and for whom in the end.
struct PastWait {
    TimeRange range; ///< of the exchange, on the report's clock
    std::uint32_t blamed = noIndex;
    Ns wait = 0;
};

/// Waits by the rank that is to blame.
using Shares = std::map<std::uint32_t, Ns>;

class Measurer {
public:
    explicit Measurer(Judging& judging)
        : m_judging(judging),
          m_past(judging.ranks.size()),
          m_reachedTo(judging.ranks.size(), std::numeric_limits<Ns>::min())
    {
        for (const JudgedRank& rank : judging.ranks)
            m_computing.emplace_back(rank.facts->computing);
    }

    void measure()
    {
        AcrossReport& out = m_judging.out;
        out.exchanges.clear();
        std::ranges::stable_sort(m_judging.matches, {}, [&](const Match& match) {
            Ns end = std::numeric_limits<Ns>::min();
            for (const ExchangeAt at : match.members)
                end = std::max(end, m_judging.commonEnd(at));
            return end;
        });
        for (const Match& match : stoppableItems(m_judging.matches, m_judging.stop))
            measure(match);
        hideWaits();
    }

private:
    /// Group, the other rank of a message (noIndex: of a collective), rank.
    using Moment = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

    void measure(const Match& match)
    {
        MatchedExchange exchange;
        exchange.group = match.group;
        exchange.transfer = std::numeric_limits<Ns>::max();
        std::uint32_t last = 0;
        for (const ExchangeAt at : match.members) {
            const Exchange& own = m_judging.exchange(at);
            exchange.members.push_back(
                {at.rank, {ReportId{static_cast<std::uint16_t>(m_judging.ranks[at.rank].report)}, own.event},
                    own.range, 0, 0});
            if (own.range.duration() < exchange.transfer) {
                exchange.transfer = own.range.duration();
                last = at.rank;
            }
            if (exchange.step == noIndex)
                exchange.step = m_judging.step(at);
        }
        const bool rooted = m_judging.type(match.members.front()).kind == ExchangeKind::Rooted;
        if (match.knownWait >= 0) {
            exchange.transfer = exchange.members[0].range.duration() - match.knownWait;
            exchange.members[0].wait = match.knownWait;
            last = exchange.members[1].rank;
        } else if (!rooted) {
            for (ExchangeMember& member : exchange.members)
                member.wait = member.range.duration() - exchange.transfer;
        }
        Ns longest = 0;
        for (const ExchangeMember& member : exchange.members) {
            exchange.wait = saturatingAdd(exchange.wait, member.wait);
            longest = std::max(longest, member.wait);
        }
        if (longest > togetherWithin) {
            exchange.last = last;
            blame(match, exchange);
            ++m_judging.out.ranks[last].lastCount;
        } else if (match.knownLead > togetherWithin) {
            // All its messages were there already: this rank came last, and nobody waits for it.
            exchange.last = exchange.members.front().rank;
            ++m_judging.out.ranks[exchange.last].lastCount;
        } else {
            exchange.isTogether = !rooted;
        }
        for (const std::uint32_t other : match.others)
            ++m_judging.out.ranks[other].exchanges;
        if (!rooted)
            remember(match, exchange);
        std::ranges::sort(exchange.members, {}, &ExchangeMember::rank);
        m_judging.out.exchanges.push_back(std::move(exchange));
    }

    /// The last moment before `start` that rank `rank` shares with the others of `match`: the end of a common
    /// collective, or of the last message between the two.
    Ns sharedBefore(const Match& match, std::uint32_t rank, Ns start) const
    {
        Ns shared = std::numeric_limits<Ns>::min();
        const auto look = [&](const Moment& moment) {
            const auto found = m_left.find(moment);
            if (found == m_left.end())
                return;
            // Those on other streams may still run. Beyond so many at once it is enough to know that.
            constexpr std::ptrdiff_t most = 64;
            const auto lately = found->second | std::views::reverse | std::views::take(most);
            for (const Ns end : lately)
                shared = end <= start ? std::max(shared, end) : shared;
            if (std::ssize(found->second) > most && std::ranges::min(lately) > start)
                shared = start;
        };
        if (!match.pointToPoint) {
            look({match.group, noIndex, rank});
            return shared;
        }
        const std::uint32_t other
            = match.members[0].rank == rank ? match.members[1].rank : match.members[0].rank;
        look({match.group, other, rank});
        for (std::uint32_t group = 0; group < m_judging.out.groups.size(); ++group) {
            if (std::ranges::binary_search(m_judging.out.groups[group].ranks, other))
                look({group, noIndex, rank});
        }
        return shared;
    }

    /// What rank `last` itself waited for between the last shared moment and `start`.
    Shares waitedBefore(const Match& match, std::uint32_t last, Ns start) const
    {
        const Ns from = sharedBefore(match, last, start);
        Shares shares;
        for (auto past = m_past[last].rbegin(); past != m_past[last].rend() && past->range.end > from;
             ++past) {
            if (past->range.end > start || past->blamed == noIndex || past->blamed == last)
                continue;
            Ns& wait = shares[past->blamed];
            wait = saturatingAdd(wait, past->wait);
        }
        return shares;
    }

    void blame(const Match& match, MatchedExchange& exchange)
    {
        const auto ofLast = std::ranges::find(exchange.members, exchange.last, &ExchangeMember::rank);
        const Shares before = waitedBefore(match, exchange.last, ofLast->range.start);
        Ns forward = 0;
        for (const auto& [rank, wait] : before)
            forward = saturatingAdd(forward, wait);
        std::map<std::uint32_t, Ns> blamed;
        for (const ExchangeMember& member : exchange.members) {
            if (member.wait <= 0)
                continue;
            const Ns passed = std::min(member.wait, forward);
            blamed[exchange.last] = saturatingAdd(blamed[exchange.last], member.wait - passed);
            for (const auto& [rank, wait] : before) {
                const double share = static_cast<double>(wait) / static_cast<double>(forward);
                // No rank is to blame for its own wait: then the last one stays.
                Ns& time = blamed[rank == member.rank ? exchange.last : rank];
                time = saturatingAdd(time, static_cast<Ns>(share * static_cast<double>(passed)));
            }
        }
        const auto most = std::ranges::max_element(blamed, {}, [](const auto& each) { return each.second; });
        exchange.blamed = most->first;
        for (const auto& [rank, time] : blamed) {
            Ns& ofRank = m_judging.out.ranks[rank].blame;
            ofRank = saturatingAdd(ofRank, time);
            if (exchange.step != noIndex)
                cellOf(rank, exchange.step).blame = saturatingAdd(cellOf(rank, exchange.step).blame, time);
        }
    }

    void remember(const Match& match, const MatchedExchange& exchange)
    {
        for (std::size_t i = 0; i < exchange.members.size(); ++i) {
            const ExchangeMember& member = exchange.members[i];
            const std::uint32_t other = match.pointToPoint ? exchange.members[1 - i].rank : noIndex;
            m_left[{match.group, other, member.rank}].push_back(member.range.end);
            if (member.wait > togetherWithin)
                m_past[member.rank].push_back({member.range, exchange.blamed, member.wait});
        }
    }

    StepCell& cellOf(std::uint32_t rank, std::uint32_t step)
    {
        return m_judging.out.cells[rank * m_judging.out.steps.size() + step];
    }

    /// Sums by rank; of waits that overlap each moment counts once as exposed.
    void hideWaits()
    {
        for (MatchedExchange& exchange : m_judging.out.exchanges) {
            for (ExchangeMember& member : exchange.members) {
                AcrossRank& rank = m_judging.out.ranks[member.rank];
                TimeRange waits{member.range.start, member.range.start + member.wait};
                waits.start = std::max(waits.start, m_reachedTo[member.rank]);
                m_reachedTo[member.rank] = std::max(m_reachedTo[member.rank], waits.end);
                member.exposedWait = waits.duration() - m_computing[member.rank].busy(waits);
                ++rank.exchanges;
                rank.wait = saturatingAdd(rank.wait, member.wait);
                rank.exposedWait = saturatingAdd(rank.exposedWait, member.exposedWait);
                rank.transfer = saturatingAdd(rank.transfer, member.range.duration() - member.wait);
                if (exchange.step == noIndex)
                    continue;
                StepCell& cell = cellOf(member.rank, exchange.step);
                cell.wait = saturatingAdd(cell.wait, member.wait);
                cell.exposedWait = saturatingAdd(cell.exposedWait, member.exposedWait);
            }
        }
    }

    Judging& m_judging;
    std::vector<std::vector<PastWait>> m_past; ///< by rank, in order of time
    std::vector<Ns> m_reachedTo; ///< by rank: waits up to there have been counted
    std::map<Moment, std::vector<Ns>> m_left; ///< when the rank left the exchanges, on its report's clock
    std::vector<Coverage> m_computing; ///< by rank
};

} // namespace

void measureWaits(Judging& judging)
{
    Measurer(judging).measure();
}

} // namespace warpline
