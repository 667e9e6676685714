// Matches the collectives of different ranks. All ranks of a communicator run the same operations in the same
// order, so the k-th of one is the k-th of another when their lists are equal. Lists differ where recordings
// begin at other steps or lost events. Then steps of equal name are compared, and where one of these lost
// events, aligned clocks decide.

#include "core/across/judging.h"
#include "core/base/message_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace warpline {

namespace {

/// How far apart the ends of one collective may be on clocks that are aligned.
constexpr Ns endsWithin = 1'000'000;

/// Matches that are looked at for one: more collectives do not end that close to each other.
constexpr std::size_t mostNear = 1000;

/// The fields that must be equal for two exchanges to match.
using Signature = std::tuple<std::string_view, std::string_view, std::int64_t, std::int64_t>;

Signature signatureOf(const Judging& judging, ExchangeAt at)
{
    const ExchangeType& type = judging.type(at);
    const Exchange& exchange = judging.exchange(at);
    return {type.operation, type.element, exchange.bytes, exchange.sequence};
}

/// The collectives of each rank in one group, in order.
using Lists = std::map<std::uint32_t, std::vector<ExchangeAt>>;

bool isCollective(ExchangeKind kind)
{
    return kind == ExchangeKind::Synchronizing || kind == ExchangeKind::Rooted;
}

std::map<std::string, Lists> listsByGroup(const Judging& judging)
{
    std::map<std::string, Lists> groups;
    for (std::uint32_t r = 0; r < judging.ranks.size(); ++r) {
        const ParticipantSummary& facts = *judging.ranks[r].facts;
        std::vector<std::vector<ExchangeAt>*> ofType(facts.types.size(), nullptr);
        for (std::size_t t = 0; t < facts.types.size(); ++t) {
            if (isCollective(facts.types[t].kind))
                ofType[t] = &groups[facts.types[t].group][r];
        }
        for (std::uint32_t i = 0; i < facts.exchanges.size(); ++i) {
            if (std::vector<ExchangeAt>* const list = ofType[facts.exchanges[i].type])
                list->push_back({r, i});
        }
    }
    return groups;
}

/// The largest set of ranks with equal lists: their k-th exchanges match.
std::vector<std::uint32_t> agreeing(const Judging& judging, const Lists& lists)
{
    const auto isLess = [&](const std::vector<ExchangeAt>* a, const std::vector<ExchangeAt>* b) {
        return std::ranges::lexicographical_compare(*a, *b, [&](ExchangeAt left, ExchangeAt right) {
            return signatureOf(judging, left) < signatureOf(judging, right);
        });
    };
    std::map<const std::vector<ExchangeAt>*, std::size_t, decltype(isLess)> places(isLess);
    std::vector<std::vector<std::uint32_t>> classes;
    for (const auto& [rank, list] : lists) {
        const auto [place, isNew] = places.try_emplace(&list, classes.size());
        if (isNew)
            classes.emplace_back();
        classes[place->second].push_back(rank);
    }
    // Among sets of equal size, the one with the longest list: the others have lost events.
    const auto best = std::ranges::max_element(
        classes, {}, [&](const auto& each) { return std::pair(each.size(), lists.at(each.front()).size()); });
    return best == classes.end() ? std::vector<std::uint32_t>() : *best;
}

class Matcher {
public:
    Matcher(Judging& judging, bool byTime)
        : m_judging(judging),
          m_byTime(byTime)
    {
    }

    void matchGroup(std::uint32_t group, const Lists& lists)
    {
        m_group = group;
        if (agreeing(m_judging, lists).size() == lists.size())
            matchLists(lists);
        else if (areNumbered(lists))
            matchByNumber(lists);
        else
            matchBySteps(lists);
    }

private:
    /// `lists` of one step, or of ranks that all agree.
    void matchLists(const Lists& lists)
    {
        if (lists.size() < 2)
            return;
        const std::vector<std::uint32_t> same = agreeing(m_judging, lists);
        const std::vector<ExchangeAt>& reference = lists.at(same.front());
        std::vector<Match> matches(reference.size());
        for (std::size_t k = 0; k < reference.size(); ++k) {
            matches[k].group = m_group;
            for (const std::uint32_t rank : same)
                matches[k].members.push_back(lists.at(rank)[k]);
        }
        if (m_byTime) {
            for (const auto& [rank, list] : lists) {
                if (std::ranges::find(same, rank) == same.end())
                    addByTime(matches, list);
            }
        }
        for (Match& match : matches) {
            if (match.members.size() < 2)
                continue;
            std::ranges::sort(match.members, {}, &ExchangeAt::rank);
            m_judging.matches.push_back(std::move(match));
        }
    }

    /// Whether the reports number the collectives of each communicator.
    bool areNumbered(const Lists& lists) const
    {
        return std::ranges::all_of(lists, [&](const auto& list) {
            std::set<std::int64_t> seen;
            return std::ranges::all_of(list.second, [&](ExchangeAt at) {
                const std::int64_t number = m_judging.exchange(at).sequence;
                return number >= 0 && seen.insert(number).second;
            });
        });
    }

    void matchByNumber(const Lists& lists)
    {
        std::map<Signature, std::vector<ExchangeAt>> numbers;
        for (const auto& [rank, list] : lists) {
            for (const ExchangeAt at : list)
                numbers[signatureOf(m_judging, at)].push_back(at);
        }
        for (auto& [signature, members] : numbers) {
            if (members.size() > 1)
                m_judging.matches.push_back({m_group, std::move(members)});
        }
    }

    void matchBySteps(const Lists& lists)
    {
        std::map<std::uint32_t, Lists> steps;
        for (const auto& [rank, list] : lists) {
            for (const ExchangeAt at : list)
                steps[m_judging.step(at)][rank].push_back(at);
        }
        for (const auto& [step, ofStep] : steps) {
            throwIfStopped(m_judging.stop);
            // Outside of steps the order is not reliable, because recordings begin at different times.
            if (step != noIndex || m_byTime)
                matchLists(ofStep);
        }
    }

    /// Adds each of `list` to the match with the nearest end.
    void addByTime(std::vector<Match>& matches, const std::vector<ExchangeAt>& list)
    {
        if (matches.empty() || !m_judging.clock(list.front()).aligned)
            return;
        const auto endOf
            = [&](std::size_t match) { return m_judging.commonEnd(matches[match].members.front()); };
        std::vector<Ns> earliest(list.size()); // end of those from here on, which may overlap
        Ns soFar = std::numeric_limits<Ns>::max();
        for (std::size_t k = list.size(); k-- > 0;)
            earliest[k] = soFar = std::min(soFar, m_judging.commonEnd(list[k]));
        std::vector<Ns> soonest(matches.size()); // end of those from here on
        soFar = std::numeric_limits<Ns>::max();
        for (std::size_t i = matches.size(); i-- > 0;)
            soonest[i] = soFar = std::min(soFar, endOf(i));
        std::size_t next = 0;
        for (std::size_t k = 0; k < list.size(); ++k) {
            const ExchangeAt at = list[k];
            while (next < matches.size() && endOf(next) < earliest[k] - endsWithin)
                ++next;
            const std::size_t last = std::min(matches.size(), next + mostNear);
            const auto distance = [&](std::size_t match) {
                const ExchangeAt other = matches[match].members.front();
                return signatureOf(m_judging, other) == signatureOf(m_judging, at)
                    ? std::abs(m_judging.commonEnd(other) - m_judging.commonEnd(at))
                    : std::numeric_limits<Ns>::max();
            };
            std::size_t best = matches.size();
            for (std::size_t i = next; i < last; ++i) {
                const Ns apart = distance(i);
                if (apart <= endsWithin && (best == matches.size() || apart < distance(best)))
                    best = i;
                if (soonest[i] > m_judging.commonEnd(at) + endsWithin)
                    break;
            }
            if (best == matches.size())
                continue;
            matches[best].members.push_back(at);
            next = best + 1;
        }
    }

    Judging& m_judging;
    bool m_byTime;
    std::uint32_t m_group = 0;
};

Message labelOf(const std::string& key)
{
    if (key.starts_with("nccl:"))
        return {"across.communicator", "{library} communicator {id}",
            {{"library", Name{"NCCL"}}, {"id", Name{key.substr(5)}}}};
    if (key == "mpi:world")
        return nameMessage("MPI_COMM_WORLD");
    if (key.starts_with("mpi:"))
        return {"across.communicator", "{library} communicator {id}",
            {{"library", Name{"MPI"}}, {"id", Name{key.substr(4)}}}};
    const std::string stream = key.substr(key.find(':') + 1); // index among the streams that communicate
    return {"across.communicator_unknown",
        "NCCL, communicator not recorded{of, select, stream { (stream {stream})} other {}}",
        {{"of", Name{stream == "0" ? "process" : "stream"}}, {"stream", Name{stream}}}};
}

/// More ranks have it than it can have: several communicators look the same.
bool isAmbiguous(const Judging& judging, const Lists& lists)
{
    for (const auto& [rank, list] : lists) {
        const std::int64_t size = judging.type(list.front()).groupSize;
        if (size > 0 && static_cast<std::int64_t>(lists.size()) > size)
            return true;
    }
    return false;
}

} // namespace

std::uint32_t groupPlace(Judging& judging, const std::string& key)
{
    const auto [place, isNew]
        = judging.groupPlaces.try_emplace(key, static_cast<std::uint32_t>(judging.out.groups.size()));
    if (isNew)
        judging.out.groups.push_back({key, labelOf(key), {}});
    return place->second;
}

void matchCollectives(Judging& judging, bool byTime)
{
    judging.matches.clear();
    judging.out.groups.clear();
    judging.groupPlaces.clear();
    for (auto& [key, lists] : listsByGroup(judging)) {
        throwIfStopped(judging.stop);
        std::erase_if(lists, [](const auto& list) { return list.second.empty(); });
        if (lists.size() < 2 || isAmbiguous(judging, lists))
            continue;
        const std::uint32_t group = groupPlace(judging, key);
        for (const auto& [rank, list] : lists)
            judging.out.groups[group].ranks.push_back(rank);
        Matcher(judging, byTime).matchGroup(group, lists);
    }
}

} // namespace warpline
