#include "core/compare/verdict.h"

#include "core/base/message_names.h"
#include "core/compare/compare_runs.h"
#include "core/compare/facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

namespace {

constexpr std::size_t maxParts = 3; // of the budget, in the sentence
constexpr double byFar = 1.25; // from the factor of the medians to that of the means
constexpr double minDrift = 0.05; // of the level before
constexpr double minFinding = 0.25; // of the difference, that a finding costs to be named
constexpr std::string_view countsSteps = "nvtx_outlier_steps"; // a rule that counts all steady steps
constexpr std::array<std::string_view, 2> symptoms{"gpu_gaps", "gpu_time_util"}; // rules that give no cause

Duration durationOf(double ns)
{
    return {std::llround(ns)};
}

bool bySteps(const Comparison& comparison)
{
    return comparison.unit == CompareUnit::Step;
}

/// Whether the mean is shown first: when it decided. Otherwise the median is.
bool isByMean(const Comparison& comparison)
{
    return comparison.decidedBy == CompareFigure::Mean;
}

double longer(const Comparison& comparison)
{
    return std::max(comparison.sides.a.mean, comparison.sides.b.mean);
}

/// "22 steps each", "22 and 4 steps", "66 steps of 3 recordings and 22 steps".
Message counts(const Comparison& comparison)
{
    const ComparedSide& a = comparison.sides.a;
    const ComparedSide& b = comparison.sides.b;
    if (a.runs.size() > 1 || b.runs.size() > 1) {
        const auto of = [](const ComparedSide& side) {
            return Message("compare.steps_of_recordings",
                "{steps, plural, one {# step} other {# steps}}{recordings, plural, =0 {} one {} other { of # recordings}}",
                {{"steps", Count{side.judged}}, {"recordings", Count{side.runs.size()}}});
        };
        return {"compare.steps_of_both", "{a} and {b}", {{"a", of(a)}, {"b", of(b)}}};
    }
    if (a.judged == b.judged)
        return {"compare.steps_each", "{steps, plural, one {# step} other {# steps}} each",
            {{"steps", Count{a.judged}}}};
    return {"compare.steps", "{a} and {b, plural, one {# step} other {# steps}}",
        {{"a", Count{a.judged}}, {"b", Count{b.judged}}}};
}

/// "5.877 ms → 3.835 ms per step (median, noise ±94.00 µs; 22 steps each)".
Message figures(const Comparison& comparison)
{
    const ComparedSide& a = comparison.sides.a;
    const ComparedSide& b = comparison.sides.b;
    const bool mean = isByMean(comparison);
    const Ns noise = mean ? comparison.meanNoise : comparison.noise;
    std::vector<Message> notes;
    if (bySteps(comparison) && std::max(a.judged, b.judged) > 1)
        notes.push_back({"compare.figure", "{figure, select, mean {mean} other {median}}",
            {{"figure", Name{mean ? "mean" : "median"}}}});
    if (noise >= 0)
        notes.push_back({"compare.noise", "noise ±{noise}", {{"noise", Duration{noise}}}});
    const std::string_view brackets
        = !bySteps(comparison) ? (notes.empty() ? "none" : "notes") : (notes.empty() ? "counts" : "both");
    return {"compare.figures",
        "{a} → {b} {unit, select, step {per step} range {in the compared ranges} other {from the first to the last GPU work}}"
        "{brackets, select, both { ({notes}; {counts})} counts { ({counts})} notes { ({notes})} other {}}",
        {{"a", mean ? durationOf(a.mean) : Duration{a.median}},
            {"b", mean ? durationOf(b.mean) : Duration{b.median}},
            {"unit", Name{std::string(comparison.unitKey())}}, {"brackets", Name{std::string(brackets)}},
            {"notes", std::move(notes)}, {"counts", bySteps(comparison) ? counts(comparison) : Message()}}};
}

/// 35 or 2.4, in percent.
Number percent(double share)
{
    const double value = 100 * std::abs(share);
    return {value, value < 10 ? 1 : 0};
}

/// The parts of the budget that changed most: "Matrix products -52.56 ms", "idle (own code) +1.2 ms".
std::vector<Message> movers(const Comparison& comparison)
{
    std::vector<Message> parts;
    for (const BudgetLine& line : comparison.budget) {
        const auto change = static_cast<double>(std::abs(line.delta()));
        if (parts.size() == maxParts || change < minChange * longer(comparison))
            break;
        if (comparison.verdict == CompareVerdict::NoDifference && !line.isBeyondNoise())
            continue;
        parts.push_back({"compare.part",
            "{group, select, idle {idle ({part})} other {{part}}} {less, select, yes {-} other {+}}{change}",
            {{"group", Name{std::string(keyOf(line.group))}}, {"part", line.name},
                {"less", yesOrNo(line.delta() < 0)}, {"change", durationOf(change)}}});
    }
    return parts;
}

/// Whether a finding that changed so makes B faster, or else slower.
bool explains(FindingState state, bool faster)
{
    return faster ? state == FindingState::Gone || state == FindingState::Shrunk
                  : state == FindingState::New || state == FindingState::Grown;
}

/// The finding that changes most of those that are gone or cost less in a faster B, or that are new or cost
/// more in a slower one: "Gone in B: 24 blocking synchronization calls ...". Empty: it costs too little of
/// the difference.
Message findingText(const Comparison& comparison)
{
    const bool isFaster = comparison.verdict == CompareVerdict::Faster;
    if (!isFaster && comparison.verdict != CompareVerdict::Slower)
        return {};
    const Side side = isFaster ? Side::A : Side::B;
    const Side other = isFaster ? Side::B : Side::A;
    const auto found = std::ranges::find_if(comparison.findings, [&](const FindingChange& change) {
        return explains(change.state, isFaster) && std::ranges::find(symptoms, change.rule) == symptoms.end();
    });
    const double difference
        = std::abs(isByMean(comparison) ? comparison.meanDelta() : static_cast<double>(comparison.delta));
    if (found == comparison.findings.end()
        || std::abs(found->saving.a - found->saving.b) < minFinding * difference)
        return {};
    return {"compare.finding",
        "{state, select, gone {Gone in B} new {New in B} shrunk {Less in B} other {More in B}}{steps, select, yes { (in all "
        "steady steps, not only the compared ones)} other {}}: {finding} (up to {saving}{unit, select, step { per step} "
        "other {}}{both, select, yes {, {other} in {side}} other {}}).",
        {{"state", Name{std::string(keyOf(found->state))}}, {"finding", found->title[side]},
            {"saving", durationOf(found->saving[side])}, {"unit", Name{std::string(keyOf(comparison.unit))}},
            {"steps", yesOrNo(bySteps(comparison) && found->rule == countsSteps)},
            {"both", yesOrNo(!found->title[other].empty())}, {"other", durationOf(found->saving[other])},
            {"side", Name{std::string(nameOf(other))}}}};
}

/// The value that did not decide, where it disagrees: "The median step does not differ: 100.9 ms → 100.5 ms."
Message otherFigure(const Comparison& comparison)
{
    if (!bySteps(comparison) || comparison.noise < 0)
        return {};
    const ComparedSide& a = comparison.sides.a;
    const ComparedSide& b = comparison.sides.b;
    const bool mean = !isByMean(comparison);
    const bool differs = comparison.isBeyondNoise(mean ? CompareFigure::Mean : CompareFigure::Median);
    const double change = mean ? comparison.meanRelative() : comparison.relative();
    if (std::abs(change - comparison.change()) < minDrift)
        return {};
    return {"compare.other_figure",
        "The {figure, select, mean {mean} other {median}} step "
        "{change, select, none {does not differ beyond the noise} faster {takes {percent}% less time} other {takes {percent}% more time}}: "
        "{a} → {b}.",
        {{"figure", Name{mean ? "mean" : "median"}},
            {"change",
                Name{!differs        ? "none"
                        : change < 0 ? "faster"
                                     : "slower"}},
            {"percent", percent(change)}, {"a", mean ? durationOf(a.mean) : Duration{a.median}},
            {"b", mean ? durationOf(b.mean) : Duration{b.median}}}};
}

/// How the steps of a side develop: periodic stalls, a change of level.
Message seriesText(const Comparison& comparison)
{
    Message text;
    for (const Side side : {Side::A, Side::B}) {
        const ComparedSide& of = comparison.sides[side];
        const Name name{std::string(nameOf(side))};
        if (!bySteps(comparison))
            continue;
        if (of.period)
            text += {"compare.period",
                "{side}: every {steps} steps, one takes {stall} longer than the median, on average.",
                {{"side", name}, {"stall", Duration{of.period.stall}},
                    {"steps", Ordinal{static_cast<std::int64_t>(of.period.steps)}}}};
        if (of.settled)
            text += {"compare.settled", "{side} settles after {steps} steps: {before} → {after}.",
                {{"side", name}, {"steps", Ordinal{static_cast<std::int64_t>(of.settled.at)}},
                    {"before", Duration{of.settled.before}}, {"after", Duration{of.settled.after}}}};
        const Ns apart = std::abs(of.change.after - of.change.before);
        if (of.change && static_cast<double>(apart) > minDrift * static_cast<double>(of.change.before))
            text
                += {"compare.level_change", "{side} changes after {at} of {steps} steps: {before} → {after}.",
                    {{"side", name}, {"at", Ordinal{static_cast<std::int64_t>(of.change.at)}},
                        {"steps", Ordinal{static_cast<std::int64_t>(of.runs.front().judged)}},
                        {"before", Duration{of.change.before}}, {"after", Duration{of.change.after}}}};
    }
    return text;
}

/// The change that is expected without the profiler.
Message profilerText(const Comparison& comparison)
{
    const ExpectedShare& plain = comparison.plain->change;
    const bool faster = plain.expected < 0;
    const auto value = [faster](double change) { return Number{100 * (faster ? -change : change), 0}; };
    return {"compare.profiler",
        "Recording costs {side} more: without the profiler, B is expected to take {percent}% {faster, select, yes {less} "
        "other {more}} time ({low}% to {high}%).",
        {{"side", Name{std::string(nameOf(comparison.plain->costlier))}}, {"percent", value(plain.expected)},
            {"faster", yesOrNo(faster)}, {"low", value(faster ? plain.high : plain.low)},
            {"high", value(faster ? plain.low : plain.high)}}};
}

Message caveatText(const Comparison& comparison, CompareCaveat caveat)
{
    if (caveat == CompareCaveat::Profiler)
        return profilerText(comparison);
    const double pace = apiPaceOf(comparison);
    return {"compare.caveat",
        "{caveat, select, recorders {Recorded with different tools, whose overhead differs.} "
        "options {Recorded with different options, whose overhead differs.} "
        "same_recording {Both sides are of one recording.} "
        "part {{side, select, both {Both sides are parts of recordings.} other {{side} is a part of a recording.}}} "
        "host {Both do the same work, but unchanged CUDA calls take {pace}× the time in B: the host was {slower, select, yes {slower} other {faster}}. "
        "Record each side several times, and compare all recordings (command line: --a and --b).} "
        "kernels {Only {a} of A's and {b} of B's kernel time is matched.} "
        "other {The noise includes {noise} for drift between recordings, which is unknown.}}",
        {{"caveat", Name{std::string(keyOf(caveat))}}, {"pace", Number{pace, 2}},
            {"slower", yesOrNo(pace > 1)},
            {"side",
                Name{comparison.sides.a.isPart && comparison.sides.b.isPart ? "both"
                        : comparison.sides.a.isPart                         ? "A"
                                                                            : "B"}},
            {"a", Share{comparison.matched.all.a}}, {"b", Share{comparison.matched.all.b}},
            {"noise", Duration{comparison.assumedNoise}}}};
}

/// All caveats; where a difference is clear the drift is left out, which would change nothing.
Message caveatsText(const Comparison& comparison)
{
    Message text;
    for (const CompareCaveat caveat : comparison.caveats) {
        const bool clear = comparison.decidedBy != CompareFigure::None
            && std::abs(static_cast<double>(comparison.delta))
                > 4 * static_cast<double>(comparison.assumedNoise);
        if (caveat != CompareCaveat::SingleRecordings || !clear)
            text += caveatText(comparison, caveat);
    }
    return text;
}

Message together(const std::vector<Message>& sentences)
{
    Message text;
    for (const Message& sentence : sentences)
        text += sentence;
    return text;
}

/// "B takes 35% less time: 5.88 ms → 3.84 ms per step (...). Main changes: ..."
Message verdictSentence(const Comparison& comparison)
{
    const bool same = comparison.verdict == CompareVerdict::NoDifference;
    Message text("compare.verdict",
        "{verdict, select, same {No difference} no_difference {No difference beyond the noise} "
        "faster {B takes {percent}% less time} other {B takes {percent}% more time}}"
        "{figure, select, mean { on average} other {}}: {figures}.",
        {{"verdict", Name{same && comparison.delta == 0 ? "same" : std::string(keyOf(comparison.verdict))}},
            {"percent", percent(comparison.change())},
            {"figure", Name{std::string(keyOf(comparison.decidedBy))}}, {"figures", figures(comparison)}});
    text += otherFigure(comparison);
    if (std::vector<Message> parts = movers(comparison); !parts.empty())
        text += {"compare.changes", "{same, select, yes {What changed} other {Main changes}}: {parts}.",
            {{"same", yesOrNo(same)}, {"parts", std::move(parts)}}};
    return text + findingText(comparison) + seriesText(comparison) + caveatsText(comparison);
}

/// The deciding value: of those beyond their noise the median, unless the mean differs much from it or has
/// the opposite sign, because then a few steps cost or save more than all others.
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

/// Whether ranges are compared that are not the same of one recording: they are as long as they were chosen.
bool isOfOtherRanges(const Comparison& comparison)
{
    return comparison.unitKey() == "range" && !comparison.has(CompareCaveat::SameRecording);
}

void decide(Comparison& comparison)
{
    comparison.verdict = CompareVerdict::Unknown;
    comparison.decidedBy = CompareFigure::None;
    if (!comparison.comparable || comparison.lacksSteps)
        return;
    if (isOfOtherRanges(comparison)) {
        comparison.hints.push_back({"compare.choose_steps",
            "The budget and the tables show what changed in the ranges. For a verdict, choose ranges with whole steps."});
        return;
    }
    const bool any = comparison.sides.a.judged > 0 && comparison.sides.b.judged > 0;
    if (comparison.delta == 0 && comparison.meanDelta() == 0 && (any || comparison.sides.a.gpus.empty())) {
        comparison.verdict = CompareVerdict::NoDifference;
        return;
    }
    // The pace of the host explains the difference, and one recording does not show how far it varies.
    if (comparison.has(CompareCaveat::Host))
        return;
    comparison.decidedBy = decidingFigure(comparison);
    if (comparison.decidedBy != CompareFigure::None)
        comparison.verdict = comparison.change() < 0 ? CompareVerdict::Faster : CompareVerdict::Slower;
    else if (comparison.noise < 0
        || isTooNoisy(comparison.noise, comparison.sides.a.median, comparison.sides.b.median))
        comparison.hints.push_back({"compare.record_more",
            "Record more steps, or record each side several times, and compare all recordings (command line: --a and --b)."});
    else
        comparison.verdict = CompareVerdict::NoDifference;
}

} // namespace

Message verdictDetails(const Comparison& comparison)
{
    if (!comparison.comparable)
        return together(comparison.reasons) + together(comparison.hints);
    if (comparison.lacksSteps)
        return Message("compare.no_common_steps", "The runs have no common steps.")
            + together(comparison.hints);
    if (comparison.sides.a.gpus.empty())
        return {"compare.same_part", "Both sides are of one recording, without GPU work."};
    const Message values("compare.values", "{figures}.", {{"figures", figures(comparison)}});
    if (comparison.verdict != CompareVerdict::Unknown)
        return values + otherFigure(comparison) + findingText(comparison) + seriesText(comparison)
            + caveatsText(comparison);
    return Message("compare.no_noise",
               "{reason, select, range {The length of a range is chosen, not measured.} single {One measurement per side does not show the noise.} host {The pace of the host explains the difference.} other {The noise is too large.}}",
               {{"reason",
                   Name{isOfOtherRanges(comparison)              ? "range"
                           : comparison.noise < 0                ? "single"
                           : comparison.has(CompareCaveat::Host) ? "host"
                                                                 : "noise"}}})
        + values
        + (comparison.has(CompareCaveat::Host) ? caveatText(comparison, CompareCaveat::Host)
                                               : together(comparison.hints));
}

Message sentenceOf(const Comparison& comparison)
{
    const bool isKnown = comparison.comparable && comparison.verdict != CompareVerdict::Unknown;
    if (isKnown && !comparison.sides.a.gpus.empty())
        return verdictSentence(comparison);
    return Message("compare.headline",
               "{verdict, select, not_comparable {Not comparable.} unknown {No verdict.} other {No difference.}}",
               {{"verdict",
                   Name{comparison.comparable ? std::string(keyOf(comparison.verdict)) : "not_comparable"}}})
        + verdictDetails(comparison);
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
