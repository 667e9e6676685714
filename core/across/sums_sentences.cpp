#include "core/across/across_report.h"
#include "core/across/judging.h"
#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/utf8.h"
#include "core/findings/evidence.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// What of all waits the verdict leaves out.
struct LeftOut {
    Ns all = 0;
    Ns warmUp = 0;
    Ns outside = 0; ///< of steps
    std::size_t warmUpSteps = 0;
};

LeftOut leftOut(const AcrossReport& across)
{
    LeftOut waits;
    for (const AcrossRank& rank : across.ranks)
        waits.all += rank.wait;
    waits.outside = waits.all;
    for (std::size_t s = 0; s < across.steps.size(); ++s) {
        waits.warmUpSteps += across.steps[s].warmUp ? 1 : 0;
        for (std::size_t r = 0; r < across.ranks.size(); ++r) {
            waits.outside -= across.cell(r, s).wait;
            waits.warmUp += across.steps[s].warmUp ? across.cell(r, s).wait : 0;
        }
    }
    return waits;
}

/// " To 2 of them nobody came last: ..."; empty: somebody did to each.
std::string togetherSentence(const AcrossReport& across)
{
    const auto together = static_cast<std::uint64_t>(
        std::ranges::count(across.exchanges, true, &MatchedExchange::isTogether));
    return together == 0 ? std::string()
                         : fmt::format(" At {} of them, none is last: all arrive within {} of each other.",
                             formatCount(together), roundedDuration(togetherWithin));
}

/// " step_0 is warm-up on 7 of 8 ranks, and counts as such on all: ..."; empty: the ranks agree on what is
/// steady.
std::string warmUpSentence(const AcrossReport& across)
{
    std::string steps;
    for (const AcrossStep& step : across.steps) {
        if (step.warmUp && step.warmUpRanks < across.ranks.size())
            steps += fmt::format("{}{} is warm-up on {} of {}", steps.empty() ? " " : ", ", toUtf8(step.name),
                step.warmUpRanks, counted(across.ranks.size(), "rank"));
    }
    return steps.empty() ? std::string() : steps + ", and therefore counts as warm-up on all.";
}

std::string matchedSentences(const AcrossReport& across)
{
    const bool isMissing
        = std::ranges::find(across.findings, "rank_missing", &AcrossFinding::rule) != across.findings.end();
    const std::string matched = across.unmatched == 0
        ? fmt::format("All {} are matched across ranks.", counted(across.matched, "exchange"))
        : fmt::format(
            "Exchanges matched across ranks: {}. Kernels and calls without a counterpart{}, which do not count: {}.",
            formatCount(across.matched), isMissing ? " (reports of ranks are missing)" : "",
            formatCount(across.unmatched));
    return matched + togetherSentence(across) + warmUpSentence(across);
}

} // namespace

std::string exceptionSentence(const AcrossReport& across, const LateStep& late)
{
    const std::string cause = late.cause.found()
        ? fmt::format(": {} +{}", toUtf8(late.cause.part), roundedDuration(late.cause.perStep))
        : std::string();
    return fmt::format(
        "{} is delayed by {}{}.", toUtf8(across.steps[late.step].name), across.ranks[late.rank].label, cause);
}

std::string sumsSentences(const AcrossReport& across)
{
    const std::string matched = matchedSentences(across);
    const LeftOut waits = leftOut(across);
    if (across.steps.empty() || (waits.warmUp <= 0 && waits.outside <= 0))
        return matched;
    std::string places;
    if (waits.warmUp > 0)
        places = fmt::format(
            "{} in {}", roundedDuration(waits.warmUp), counted(waits.warmUpSteps, "warm-up step"));
    if (waits.outside > 0)
        places += fmt::format(
            "{}{} outside the steps", places.empty() ? "" : " and ", roundedDuration(waits.outside));
    return fmt::format(
        "{} The sums per rank cover the whole recording. Of {} of waits, the verdict leaves out {}.", matched,
        roundedDuration(waits.all), places);
}

} // namespace warpline
