// Ranks of the run without an analyzed report. A rank that waits for one of them looks late itself, so blame
// counts only where the blamed rank shows a cause of its own.

#include "core/across/judging.h"
#include "core/base/saturate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>

namespace warpline {

namespace {

constexpr double explainsBlame = 0.5; // of the mean wait of each other rank while it computes nothing

/// Whether `cause` is work of the rank itself, and takes so long that `wait` follows from it. A GPU idles,
/// too, while its rank waits for one that is missing.
bool isOwnWork(const LateCause& cause, Ns wait)
{
    return cause.found() && cause.kind != PartKind::Idle
        && static_cast<double>(cause.perStep) >= explainsBlame * static_cast<double>(wait);
}

} // namespace

Message missingText(const AcrossReport& across)
{
    constexpr std::size_t maxListed = 16;
    const std::size_t named = std::min(across.missingRanks.size(), maxListed);
    return {"across.missing_list", "{list}{more, plural, =0 {} other { and # more}}",
        {{"list", Name{fmt::format("{}", fmt::join(std::span(across.missingRanks).first(named), ", "))}},
            {"more", Count{across.missingRanks.size() - named}}}};
}

void findMissingRanks(Judging& judging)
{
    AcrossReport& out = judging.out;
    std::set<std::int64_t> there;
    bool isSizeKnown = false;
    for (const JudgedRank& rank : judging.ranks) {
        const bool sure = rank.foundBy != RankSource::Order;
        isSizeKnown = isSizeKnown || rank.facts->worldSize > 0;
        out.worldSize
            = std::max({out.worldSize, rank.facts->worldSize, sure ? saturatingAdd(rank.rank, 1) : 0});
        there.insert(rank.rank);
    }
    for (std::int64_t rank = 0; rank < std::min(out.worldSize, maxWorldSize); ++rank) {
        if (!there.contains(rank))
            out.missingRanks.push_back(rank);
    }
    // A report of another run with the number of a rank that is there is no missing rank.
    const auto mayBeMissing = [&](std::size_t report) {
        const auto& of = judging.reports[report].participants;
        return of.empty() || std::ranges::any_of(of, [&](const ParticipantSummary& each) {
            return !there.contains(each.rank);
        });
    };
    out.lacksRanks
        = !out.missingRanks.empty() || (!isSizeKnown && std::ranges::any_of(judging.strangers, mayBeMissing));
    if (!out.missingRanks.empty())
        out.notes.push_back(
            {"across.missing", "No report of {count, plural, one {rank} other {ranks}} {ranks}.",
                {{"count", Count{out.missingRanks.size()}}, {"ranks", missingText(out)}}});
}

void withholdUnsupported(Judging& judging)
{
    AcrossReport& out = judging.out;
    LateVerdict& verdict = out.verdict;
    const auto others = static_cast<Ns>(std::max<std::size_t>(1, out.ranks.size() - 1));
    std::erase_if(verdict.exceptions,
        [&](const LateStep& late) { return !isOwnWork(late.cause, late.blame / others); });
    if (verdict.pattern == LatePattern::Rotating
        || (verdict.pattern == LatePattern::Persistent
            && !isOwnWork(verdict.cause, verdict.exposedPerStep))) {
        LateVerdict withheld;
        withheld.pattern = LatePattern::Unknown;
        withheld.stepsJudged = verdict.stepsJudged;
        withheld.exceptions = std::move(verdict.exceptions);
        verdict = std::move(withheld);
    }
    for (std::uint32_t s = 0; s < out.steps.size(); ++s) {
        std::uint32_t& late = out.steps[s].late;
        const bool isSupported = late == verdict.rank
            || std::ranges::any_of(verdict.exceptions,
                [&](const LateStep& each) { return each.step == s && each.rank == late; });
        late = isSupported ? late : noIndex;
    }
}

} // namespace warpline
