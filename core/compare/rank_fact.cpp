#include "core/compare/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

namespace warpline {

namespace {

using State = CompareFact::State;

/// The ranks of a side that its reports name, and the number of ranks of the run.
struct Ranks {
    std::set<std::int64_t> numbers;
    std::int64_t world = 0;
};

Ranks ranksOf(const SideMeasure& side)
{
    Ranks ranks;
    for (const MeasuredReport& report : side.reports) {
        if (report.run != 0)
            continue;
        for (const ParticipantSummary& each : report.participants) {
            if (each.rank >= 0)
                ranks.numbers.insert(each.rank);
            ranks.world = std::max(ranks.world, each.worldSize);
        }
    }
    return ranks;
}

Message rankText(const Ranks& ranks)
{
    if (ranks.numbers.empty())
        return {};
    return {"compare.ranks_of", "{ranks}{world, plural, =0 {} other { of {world}}}",
        {{"ranks", Name{joined(ranks.numbers)}}, {"world", Ordinal{ranks.world}}}};
}

} // namespace

CompareFact rankFact(const Both<const SideMeasure*>& measures)
{
    const Ranks a = ranksOf(*measures.a);
    const Ranks b = ranksOf(*measures.b);
    CompareFact made = factOf("ranks", {"compare.fact_ranks", "Ranks"}, rankText(a), rankText(b));
    std::vector<std::int64_t> missingA;
    std::vector<std::int64_t> missingB;
    std::ranges::set_difference(b.numbers, a.numbers, std::back_inserter(missingA));
    std::ranges::set_difference(a.numbers, b.numbers, std::back_inserter(missingB));
    if (a.world > 0 && b.world > 0 && a.world != b.world) {
        made.state = State::Different;
        made.reason = {"compare.world_sizes", "A is a run of {a} ranks, B of {b}.",
            {{"a", Ordinal{a.world}}, {"b", Ordinal{b.world}}}};
        return made;
    }
    const bool sets = a.numbers.size() > 1 || b.numbers.size() > 1;
    if (!sets || a.numbers.empty() || b.numbers.empty())
        return made;
    if (!missingA.empty() || !missingB.empty()) {
        const bool inA = !missingA.empty();
        const std::vector<std::int64_t>& missing = inA ? missingA : missingB;
        made.state = State::Different;
        made.reason
            = {"compare.lacks_ranks", "{side} lacks {count, plural, one {rank} other {ranks}} {ranks}.",
                {{"side", Name{inA ? "A" : "B"}}, {"count", Count{missing.size()}},
                    {"ranks", Name{joined(missing)}}}};
    }
    return made;
}

} // namespace warpline
