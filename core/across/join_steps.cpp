#include "core/across/judging.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpline {

namespace {

bool namesTell(const ParticipantSummary& participant)
{
    std::set<std::string_view> names;
    return std::ranges::all_of(participant.steps,
        [&](const StepFacts& step) { return !step.name.empty() && names.insert(step.name).second; });
}

/// Joins unnamed steps by their order, when all ranks have equally many.
void joinByOrder(Judging& judging)
{
    const std::size_t count = judging.ranks.front().facts->steps.size();
    for (const JudgedRank& rank : judging.ranks) {
        if (rank.facts->steps.size() != count)
            return;
    }
    for (std::size_t i = 0; i < count; ++i)
        judging.out.steps.push_back({.name = "step " + std::to_string(i)});
    for (JudgedRank& rank : judging.ranks) {
        for (std::uint32_t i = 0; i < count; ++i)
            rank.stepOf[i] = i;
    }
}

/// Joins steps by name. Steps that only some ranks recorded go after the step that precedes them.
void joinByName(Judging& judging)
{
    std::vector<std::string> order;
    std::set<std::string> known;
    for (const JudgedRank& rank : judging.ranks) {
        std::size_t behind = 0; // in `order`: after the last step that is in both
        std::map<std::string_view, std::size_t> places;
        for (std::size_t i = 0; i < order.size(); ++i)
            places.emplace(order[i], i);
        std::vector<std::pair<std::size_t, std::string>> missing;
        for (const StepFacts& step : rank.facts->steps) {
            if (const auto found = places.find(step.name); found != places.end())
                behind = found->second + 1;
            else if (known.insert(step.name).second)
                missing.emplace_back(behind, step.name);
        }
        if (missing.empty())
            continue;
        std::ranges::stable_sort(missing, {}, [](const auto& step) { return step.first; });
        std::vector<std::string> joined;
        auto next = missing.begin();
        for (std::size_t i = 0; i <= order.size(); ++i) {
            for (; next != missing.end() && next->first == i; ++next)
                joined.push_back(next->second);
            if (i < order.size())
                joined.push_back(order[i]);
        }
        order = std::move(joined);
    }
    std::map<std::string_view, std::uint32_t> places;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        judging.out.steps.push_back({.name = order[i]});
        places.emplace(order[i], i);
    }
    for (JudgedRank& rank : judging.ranks) {
        for (std::size_t i = 0; i < rank.stepOf.size(); ++i)
            rank.stepOf[i] = places.at(rank.facts->steps[i].name);
    }
}

} // namespace

void joinSteps(Judging& judging)
{
    judging.out.steps.clear();
    bool named = true;
    for (JudgedRank& rank : judging.ranks) {
        rank.stepOf.assign(rank.facts->steps.size(), noIndex);
        named = named && namesTell(*rank.facts);
    }
    if (judging.ranks.empty())
        return;
    if (named)
        joinByName(judging);
    else
        joinByOrder(judging);
    judging.out.cells.assign(judging.ranks.size() * judging.out.steps.size(), {});
    for (std::size_t r = 0; r < judging.ranks.size(); ++r) {
        const JudgedRank& rank = judging.ranks[r];
        for (std::size_t i = 0; i < rank.stepOf.size(); ++i) {
            if (rank.stepOf[i] == noIndex)
                continue;
            const StepFacts& facts = rank.facts->steps[i];
            StepCell& cell = judging.out.cells[r * judging.out.steps.size() + rank.stepOf[i]];
            cell.known = true;
            cell.time = facts.time;
            cell.host = facts.host;
            cell.busy = facts.busy;
            AcrossStep& step = judging.out.steps[rank.stepOf[i]];
            step.warmUp = step.warmUp || facts.warmUp;
            step.warmUpRanks += facts.warmUp ? 1 : 0;
        }
    }
}

} // namespace warpline
