#include "core/compare/verdict.h"

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/compare/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace warpline {

namespace {

constexpr std::size_t maxParts = 3; // of the budget, in the sentence
constexpr double byFar = 1.25; // from the factor of the medians to that of the means
constexpr double maxNoise = 1; // of the shorter step
constexpr double minDrift = 0.05; // of the level before

std::string signedDuration(double ns)
{
    return (ns < 0 ? "-" : "+") + roundedDuration(std::llround(std::abs(ns)));
}

std::string durationOf(double ns)
{
    return roundedDuration(std::llround(ns));
}

bool bySteps(const Comparison& comparison)
{
    return comparison.unit == CompareUnit::Step;
}

/// The figure that is told first: the one that decided, else the median.
bool isByMean(const Comparison& comparison)
{
    return comparison.decidedBy == CompareFigure::Mean;
}

double longer(const Comparison& comparison)
{
    return std::max(comparison.sides.a.mean, comparison.sides.b.mean);
}

/// "22 steps each", "22 and 4 steps", "66 steps of 3 recordings and 22 steps".
std::string counts(const Comparison& comparison)
{
    const ComparedSide& a = comparison.sides.a;
    const ComparedSide& b = comparison.sides.b;
    const auto steps = [](std::size_t count) {
        return fmt::format("{} {}", formatCount(count), count == 1 ? "step" : "steps");
    };
    if (a.runs.size() > 1 || b.runs.size() > 1) {
        const auto of = [&](const ComparedSide& side) {
            return side.runs.size() > 1
                ? fmt::format("{} of {} recordings", steps(side.judged), side.runs.size())
                : steps(side.judged);
        };
        return of(a) + " and " + of(b);
    }
    return a.judged == b.judged ? steps(a.judged) + " each"
                                : fmt::format("{} and {}", formatCount(a.judged), steps(b.judged));
}

/// "5.877 ms → 3.835 ms per step (median, noise ±94.00 µs; 22 steps each)".
std::string figures(const Comparison& comparison)
{
    const ComparedSide& a = comparison.sides.a;
    const ComparedSide& b = comparison.sides.b;
    const bool mean = isByMean(comparison);
    const Ns noise = mean ? comparison.meanNoise : comparison.noise;
    std::string text = fmt::format("{} → {} {}", mean ? durationOf(a.mean) : roundedDuration(a.median),
        mean ? durationOf(b.mean) : roundedDuration(b.median),
        bySteps(comparison) ? "per step" : "from the first to the last GPU work");
    std::vector<std::string> notes;
    if (bySteps(comparison) && std::max(a.judged, b.judged) > 1)
        notes.emplace_back(mean ? "mean" : "median");
    if (noise >= 0)
        notes.push_back(fmt::format("noise ±{}", roundedDuration(noise)));
    std::string inBrackets = fmt::format("{}", fmt::join(notes, ", "));
    if (bySteps(comparison))
        inBrackets += (inBrackets.empty() ? "" : "; ") + counts(comparison);
    return inBrackets.empty() ? text : fmt::format("{} ({})", text, inBrackets);
}

/// "35% faster", "2.4% slower".
std::string percent(double share)
{
    const double value = 100 * std::abs(share);
    return fmt::format("{}%", formatReal(value, value < 10 ? 1 : 0));
}

/// A part behind a colon: "idle (the host prepares the next launch)".
std::string inSentence(const BudgetLine& line)
{
    return line.group == BudgetGroup::Idle ? fmt::format("idle ({})", line.name) : line.title;
}

/// The parts of the budget that changed most: "Matrix products -52.56 ms".
std::string movers(const Comparison& comparison)
{
    std::string text;
    std::size_t said = 0;
    for (const BudgetLine& line : comparison.budget) {
        const auto change = static_cast<double>(std::abs(line.delta()));
        if (said == maxParts || change < minChange * longer(comparison))
            break;
        if (comparison.verdict == CompareVerdict::NoDifference && !line.isBeyondNoise())
            continue;
        text += fmt::format("{}{} {}", said == 0 ? "" : ", ", inSentence(line),
            signedDuration(static_cast<double>(line.delta())));
        ++said;
    }
    return text;
}

/// What the other figure says, where it says otherwise: " The median step does not differ: 100.9 ms → 100.5
/// ms."
std::string otherFigure(const Comparison& comparison)
{
    if (!bySteps(comparison) || comparison.noise < 0)
        return {};
    const ComparedSide& a = comparison.sides.a;
    const ComparedSide& b = comparison.sides.b;
    const bool mean = !isByMean(comparison);
    const bool differs = comparison.isBeyondNoise(mean ? CompareFigure::Mean : CompareFigure::Median);
    const double change = mean ? comparison.meanRelative() : comparison.relative();
    const std::string values = mean
        ? fmt::format("{} → {}", durationOf(a.mean), durationOf(b.mean))
        : fmt::format("{} → {}", roundedDuration(a.median), roundedDuration(b.median));
    const std::string_view name = mean ? "mean" : "median";
    if (std::abs(change - comparison.change()) < minDrift)
        return {};
    if (!differs)
        return fmt::format(" The {} step does not differ beyond the noise: {}.", name, values);
    return fmt::format(
        " The {} step is {} {}: {}.", name, percent(change), change < 0 ? "faster" : "slower", values);
}

/// What the steps of a side do as time goes on: stalls that come back, another level from some step on.
std::string seriesText(const Comparison& comparison)
{
    std::string text;
    for (const Side side : {Side::A, Side::B}) {
        const ComparedSide& of = comparison.sides[side];
        if (!bySteps(comparison))
            continue;
        if (of.period)
            text += fmt::format(" {}: a step takes {} longer every {} steps.", nameOf(side),
                roundedDuration(of.period.stall), of.period.steps);
        if (of.settled)
            text += fmt::format(" {} settles after {} steps: {} → {}.", nameOf(side), of.settled.at,
                roundedDuration(of.settled.before), roundedDuration(of.settled.after));
        const Ns apart = std::abs(of.change.after - of.change.before);
        if (of.change && static_cast<double>(apart) > minDrift * static_cast<double>(of.change.before))
            text += fmt::format(" {} changes after {} of {} steps: {} → {}.", nameOf(side), of.change.at,
                of.runs.front().judged, roundedDuration(of.change.before), roundedDuration(of.change.after));
    }
    return text;
}

std::string caveatText(const Comparison& comparison, CompareCaveat caveat)
{
    switch (caveat) {
    case CompareCaveat::Recorders:
        return "Recorded with different tools, whose overhead differs.";
    case CompareCaveat::Options:
        return "Recorded with different options, whose overhead differs.";
    case CompareCaveat::SameRecording:
        return "Both sides are the same recording.";
    case CompareCaveat::Kernels:
        return fmt::format("Only {} of A's and {} of B's kernel time is matched.",
            formatShare(comparison.matched.all.a), formatShare(comparison.matched.all.b));
    case CompareCaveat::SingleRecordings:
        break;
    }
    return fmt::format("The noise includes {} for drift between recordings, which is unknown.",
        roundedDuration(comparison.assumedNoise));
}

/// All caveats; where a difference is clear the drift is left out, which would change nothing.
std::string caveatsText(const Comparison& comparison)
{
    std::string text;
    for (const CompareCaveat caveat : comparison.caveats) {
        const bool clear = comparison.decidedBy != CompareFigure::None
            && std::abs(static_cast<double>(comparison.delta))
                > 4 * static_cast<double>(comparison.assumedNoise);
        if (caveat != CompareCaveat::SingleRecordings || !clear)
            text += " " + caveatText(comparison, caveat);
    }
    return text;
}

std::string hintsText(const Comparison& comparison)
{
    std::string text;
    for (const std::string& hint : comparison.hints)
        text += " " + hint;
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
    return text + "." + hintsText(comparison);
}

std::string noVerdict(const Comparison& comparison)
{
    if (comparison.lacksSteps)
        return "No verdict: the runs have no common steps." + hintsText(comparison);
    return fmt::format("No verdict, because {}: {}.{}",
        comparison.noise < 0 ? "one measurement per side does not show the noise" : "the noise is too large",
        figures(comparison), hintsText(comparison));
}

/// `text` as a sentence of its own.
std::string asSentence(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text.ends_with('.') ? text : text + ".";
}

std::string sentenceOf(const Comparison& comparison)
{
    if (!comparison.comparable)
        return notComparable(comparison);
    if (comparison.sides.a.gpus.empty())
        return "No difference: both sides are the same part of one recording, without GPU work.";
    if (comparison.verdict == CompareVerdict::Unknown)
        return noVerdict(comparison);
    const std::string parts = movers(comparison);
    const bool same = comparison.verdict == CompareVerdict::NoDifference;
    const std::string head = !same ? fmt::format("B is {} {}{}", percent(comparison.change()),
                                 keyOf(comparison.verdict), isByMean(comparison) ? " on average" : "")
        : comparison.delta == 0    ? "No difference"
                                   : "No difference beyond the noise";
    return fmt::format("{}: {}.{}{}{}{}", head, figures(comparison), otherFigure(comparison),
        parts.empty() ? "" : (same ? " What changed: " : " Main changes: ") + parts + ".",
        seriesText(comparison), caveatsText(comparison));
}

/// Of the figures that are beyond their noise the median; the mean where it says something else by far, or
/// the opposite: then a few steps cost or save more than all others.
CompareFigure decidingFigure(const Comparison& comparison)
{
    const bool median = comparison.isBeyondNoise(CompareFigure::Median);
    const bool mean = comparison.isBeyondNoise(CompareFigure::Mean);
    if (!median || !mean)
        return median ? CompareFigure::Median : mean ? CompareFigure::Mean : CompareFigure::None;
    const double ratio = (1 + comparison.meanRelative()) / (1 + comparison.relative());
    const bool opposite = (comparison.meanRelative() < 0) != (comparison.relative() < 0);
    return opposite || ratio > byFar || ratio < 1 / byFar ? CompareFigure::Mean : CompareFigure::Median;
}

/// Whether "no difference" would say nothing, since only a large one would be seen.
bool isTooNoisy(const Comparison& comparison)
{
    const auto shorter = static_cast<double>(std::min(comparison.sides.a.median, comparison.sides.b.median));
    return static_cast<double>(comparison.noise) > maxNoise * shorter;
}

void decide(Comparison& comparison)
{
    comparison.verdict = CompareVerdict::Unknown;
    comparison.decidedBy = CompareFigure::None;
    if (!comparison.comparable || comparison.lacksSteps)
        return;
    const bool any = comparison.sides.a.judged > 0 && comparison.sides.b.judged > 0;
    if (comparison.delta == 0 && comparison.meanDelta() == 0 && (any || comparison.sides.a.gpus.empty())) {
        comparison.verdict = CompareVerdict::NoDifference;
        return;
    }
    comparison.decidedBy = decidingFigure(comparison);
    if (comparison.decidedBy != CompareFigure::None)
        comparison.verdict = comparison.change() < 0 ? CompareVerdict::Faster : CompareVerdict::Slower;
    else if (comparison.noise < 0 || isTooNoisy(comparison))
        comparison.hints.emplace_back(
            "Record more steps, or record each side several times and pass the recordings with --a and --b.");
    else
        comparison.verdict = CompareVerdict::NoDifference;
}

} // namespace

std::string verdictDetails(const Comparison& comparison)
{
    std::string text;
    if (!comparison.comparable) {
        for (const std::string& reason : comparison.reasons)
            text += (text.empty() ? "" : " ") + asSentence(reason);
        return text + hintsText(comparison);
    }
    if (comparison.sides.a.gpus.empty())
        return "Both sides are the same part of one recording, without GPU work.";
    if (comparison.verdict != CompareVerdict::Unknown)
        return figures(comparison) + "." + otherFigure(comparison) + seriesText(comparison)
            + caveatsText(comparison);
    if (comparison.lacksSteps)
        return "The runs have no common steps." + hintsText(comparison);
    return fmt::format("{} {}.{}",
        comparison.noise < 0 ? "One measurement per side does not show the noise."
                             : "The noise is too large.",
        figures(comparison), hintsText(comparison));
}

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
