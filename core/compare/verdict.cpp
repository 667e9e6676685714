#include "core/compare/verdict.h"

#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warpline {

namespace {

constexpr std::size_t mostParts = 3; // of the budget, in the sentence
constexpr double worthSaying = 0.01; // of the longer step

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

/// "73.43 ms to 68.42 ms a step (-5.01 ms, -6.8%, +-0.6 ms is noise; median of 4 and 4 steps)".
std::string figures(const Comparison& comparison)
{
    const ComparedSide& a = comparison.sides.a;
    const ComparedSide& b = comparison.sides.b;
    const bool step = comparison.unit == CompareUnit::Step;
    const double percent = 100 * comparison.relative();
    std::string text = fmt::format("{} to {} {} ({}, {}{}%", formatDuration(a.median),
        formatDuration(b.median), step ? "a step on the GPU" : "from the first to the last GPU work",
        signedDuration(static_cast<double>(comparison.delta)), percent < 0 ? "" : "+",
        formatReal(percent, 1));
    if (step && comparison.noise >= 0)
        text += fmt::format("; up to {} is noise", formatDuration(comparison.noise));
    if (step)
        text += fmt::format("; median of {} and {}", formatCount(a.judged), stepsOf(b.judged));
    return text + ")";
}

/// The parts of the budget that changed most: "matrix products -52.56 ms".
std::string movers(const Comparison& comparison)
{
    std::string text;
    std::size_t said = 0;
    for (const BudgetLine& line : comparison.budget) {
        const auto change = static_cast<double>(std::abs(line.delta()));
        if (said == mostParts || change < worthSaying * static_cast<double>(longer(comparison)))
            break;
        text += fmt::format(
            "{}{} {}", said == 0 ? "" : ", ", line.title, signedDuration(static_cast<double>(line.delta())));
        ++said;
    }
    return text;
}

std::string opening(const Comparison& comparison)
{
    switch (comparison.verdict) {
    case CompareVerdict::Faster:
        return "B is faster: ";
    case CompareVerdict::Slower:
        return "B is slower: ";
    case CompareVerdict::NoDifference:
        return "No difference beyond the noise: ";
    case CompareVerdict::Unknown:
        break;
    }
    return "No verdict, one measurement of each tells no noise: ";
}

std::string sentenceOf(const Comparison& comparison)
{
    if (!comparison.comparable) {
        std::string text = "Not comparable, because ";
        for (std::size_t i = 0; i < comparison.reasons.size(); ++i) {
            std::string reason = comparison.reasons[i];
            if (reason.ends_with('.'))
                reason.pop_back();
            text += (i == 0 ? "" : "; and ") + reason;
        }
        return text + ".";
    }
    std::string text = opening(comparison) + figures(comparison) + ".";
    if (const std::string parts = movers(comparison);
        !parts.empty() && comparison.verdict != CompareVerdict::NoDifference)
        text += " Mostly: " + parts + ".";
    return text;
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

std::string perStep(const Comparison& comparison)
{
    return comparison.unit == CompareUnit::Step ? " a step" : "";
}

/// "ampere_sgemm became h884gemm in 39 ...": kernels that others took the place of.
void tellKernels(Comparison& comparison)
{
    const CompareTable* const kernels = comparison.table("kernels");
    if (!kernels)
        return;
    std::size_t said = 0;
    for (const CompareRow& row : kernels->rows) {
        if (said == mostParts
            || std::abs(row.delta()) < worthSaying * static_cast<double>(longer(comparison)))
            break;
        ++said;
        if (row.matchedBy == MatchedBy::NvtxPath)
            comparison.story.push_back(fmt::format("{}: {} became {} (under {}): {} to {}{}.", row.group,
                row.a.label, row.b.label, row.where, formatDuration(std::llround(row.a.perStep)),
                formatDuration(std::llround(row.b.perStep)), perStep(comparison)));
        else
            comparison.story.push_back(fmt::format("Kernel {} is {}: {} to {}{}, {} to {} of them.",
                row.a.count > 0 ? row.a.label : row.b.label,
                row.change == RowChange::MoreCalls        ? "launched more often"
                    : row.change == RowChange::FewerCalls ? "launched less often"
                                                          : keyOf(row.change),
                formatDuration(std::llround(row.a.perStep)), formatDuration(std::llround(row.b.perStep)),
                perStep(comparison), formatReal(row.a.countPerStep, 1), formatReal(row.b.countPerStep, 1)));
    }
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
    comparison.story.clear();
    if (comparison.comparable && comparison.verdict != CompareVerdict::NoDifference)
        tellKernels(comparison);
}

} // namespace warpline
