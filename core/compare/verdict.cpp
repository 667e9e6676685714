#include "core/compare/verdict.h"

#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warpline {

namespace {

constexpr std::size_t mostParts = 3; // of the budget, in the sentence
constexpr double stalls = 1.5; // the mean step against the median one: of even steps they are alike

std::string signedDuration(double ns)
{
    return (ns < 0 ? "-" : "+") + formatDuration(std::llround(std::abs(ns)));
}

/// "4 steps", "1 step".
std::string stepsOf(std::size_t count)
{
    return fmt::format("{} {}", formatCount(count), count == 1 ? "step" : "steps");
}

Ns longer(const Comparison& comparison)
{
    return std::max(comparison.sides.a.median, comparison.sides.b.median);
}

bool bySteps(const Comparison& comparison)
{
    return comparison.unit == CompareUnit::Step;
}

/// "73.43 ms to 68.42 ms a step on the GPU (-5.012 ms, -6.8%; up to 4.5 ms is noise; median of 4 and 4
/// steps)".
std::string figures(const Comparison& comparison)
{
    const ComparedSide& a = comparison.sides.a;
    const ComparedSide& b = comparison.sides.b;
    const double percent = 100 * comparison.relative();
    std::string text
        = fmt::format("{} to {} {} ({}, {}{}%", formatDuration(a.median), formatDuration(b.median),
            bySteps(comparison) ? "a step on the GPU" : "from the first to the last GPU work",
            signedDuration(static_cast<double>(comparison.delta)), percent < 0 ? "" : "+",
            formatReal(percent, 1));
    if (bySteps(comparison) && comparison.noise >= 0)
        text += fmt::format("; up to {} is noise", formatDuration(comparison.noise));
    if (bySteps(comparison))
        text += fmt::format("; median of {} and {}", formatCount(a.judged), stepsOf(b.judged));
    return text + ")";
}

/// The title of a part behind a colon: "idle (the host prepares the next launch)".
std::string inSentence(const std::string& title)
{
    constexpr std::string_view idle = "Idle: ";
    return title.starts_with(idle) ? fmt::format("idle ({})", title.substr(idle.size())) : title;
}

/// The parts of the budget that changed most: "Matrix products -52.56 ms".
std::string movers(const Comparison& comparison)
{
    std::string text;
    std::size_t said = 0;
    for (const BudgetLine& line : comparison.budget) {
        const auto change = static_cast<double>(std::abs(line.delta()));
        if (said == mostParts || change < worthSaying * static_cast<double>(longer(comparison)))
            break;
        if (comparison.verdict == CompareVerdict::NoDifference && !line.isBeyondNoise())
            continue;
        text += fmt::format("{}{} {}", said == 0 ? "" : ", ", inSentence(line.title),
            signedDuration(static_cast<double>(line.delta())));
        ++said;
    }
    return text;
}

/// What the medians do not show: a side some of whose steps take far longer than most.
std::string stallsText(const Comparison& comparison)
{
    std::string text;
    for (const Side side : {Side::A, Side::B}) {
        const ComparedSide& of = comparison.sides[side];
        if (bySteps(comparison) && of.mean > stalls * static_cast<double>(of.median))
            text += fmt::format(" On average a step of {} takes {}: some take far longer than the median.",
                nameOf(side), formatDuration(std::llround(of.mean)));
    }
    return text;
}

std::string notComparable(const Comparison& comparison)
{
    std::string text = "Not comparable, because ";
    for (std::size_t i = 0; i < comparison.reasons.size(); ++i) {
        std::string reason = comparison.reasons[i];
        if (reason.ends_with('.'))
            reason.pop_back();
        text += (i == 0 ? "" : "; and ") + reason;
    }
    return text + ".";
}

std::string sentenceOf(const Comparison& comparison)
{
    if (!comparison.comparable)
        return notComparable(comparison);
    if (comparison.sides.a.gpus.empty())
        return "No difference: both are the same part of one recording, and no GPU works in it.";
    const std::string parts = movers(comparison);
    switch (comparison.verdict) {
    case CompareVerdict::Faster:
    case CompareVerdict::Slower:
        return fmt::format("B is {}: {}.{}{}", keyOf(comparison.verdict), figures(comparison),
            parts.empty() ? "" : " Mostly: " + parts + ".", stallsText(comparison));
    case CompareVerdict::NoDifference:
        return fmt::format("{}: {}.{}{}",
            comparison.delta == 0 ? "No difference" : "No difference beyond the noise", figures(comparison),
            parts.empty() ? "" : " What did change: " + parts + ".", stallsText(comparison));
    case CompareVerdict::Unknown:
        break;
    }
    return fmt::format("No verdict, as one measurement of each does not tell the noise: {}.{}",
        figures(comparison), parts.empty() ? "" : " Mostly: " + parts + ".");
}

void decide(Comparison& comparison)
{
    comparison.verdict = CompareVerdict::Unknown;
    if (!comparison.comparable)
        return;
    if (comparison.delta == 0 || (comparison.noise >= 0 && std::abs(comparison.delta) <= comparison.noise))
        comparison.verdict = CompareVerdict::NoDifference;
    else if (comparison.noise >= 0)
        comparison.verdict = comparison.delta < 0 ? CompareVerdict::Faster : CompareVerdict::Slower;
}

} // namespace

void judge(Comparison& comparison)
{
    comparison.reasons.clear();
    for (const CompareFact& fact : comparison.facts) {
        if (!fact.reason.empty())
            comparison.reasons.push_back(fact.reason);
    }
    comparison.comparable = comparison.reasons.empty();
    decide(comparison);
    comparison.sentence = sentenceOf(comparison);
    comparison.story = storyOf(comparison);
}

} // namespace warpline
