#include "core/across/across_report.h"
#include "core/across/judging.h"
#include "core/base/message_names.h"
#include "core/base/saturate.h"
#include "core/base/utf8.h"

#include <algorithm>

namespace warpline {

namespace {

/// The waits that the verdict leaves out.
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
        waits.all = saturatingAdd(waits.all, rank.wait);
    waits.outside = waits.all;
    for (std::size_t s = 0; s < across.steps.size(); ++s) {
        waits.warmUpSteps += across.steps[s].warmUp ? 1 : 0;
        for (std::size_t r = 0; r < across.ranks.size(); ++r) {
            const Ns wait = across.cell(r, s).wait;
            waits.outside = saturatingAdd(waits.outside, -wait);
            waits.warmUp = saturatingAdd(waits.warmUp, across.steps[s].warmUp ? wait : 0);
        }
    }
    return waits;
}

/// "To 2 of them nobody came last: ..."; empty: each had a last rank.
Message togetherSentence(const AcrossReport& across)
{
    const auto together = static_cast<std::uint64_t>(
        std::ranges::count(across.exchanges, true, &MatchedExchange::isTogether));
    return together == 0 ? Message()
                         : Message("across.together",
                             "At {count} of them, none is last: all arrive within {within} of each other.",
                             {{"count", Count{together}}, {"within", Duration{togetherWithin}}});
}

/// "step_0 is warm-up on 7 of 8 ranks, and counts as such on all: ..."; empty: the ranks agree on the warm-up
/// steps.
Message warmUpSentence(const AcrossReport& across)
{
    std::vector<Message> steps;
    for (const AcrossStep& step : across.steps) {
        if (step.warmUp && step.warmUpRanks < across.ranks.size())
            steps.push_back({"across.warm_up_step",
                "{step} is warm-up on {some} of {ranks, plural, one {# rank} other {# ranks}}",
                {{"step", Name{toUtf8(step.name)}}, {"some", Count{step.warmUpRanks}},
                    {"ranks", Count{across.ranks.size()}}}});
    }
    return steps.empty() ? Message()
                         : Message("across.warm_up", "{steps}, and therefore counts as warm-up on all.",
                             {{"steps", std::move(steps)}});
}

Message matchedSentences(const AcrossReport& across)
{
    const bool isMissing
        = std::ranges::find(across.findings, "rank_missing", &AcrossFinding::rule) != across.findings.end();
    const Message matched = across.unmatched == 0
        ? Message("across.all_matched",
            "All {matched, plural, one {# exchange} other {# exchanges}} are matched across {missing, select, yes {the present ranks} other {ranks}}.",
            {{"matched", Count{across.matched}}, {"missing", yesOrNo(isMissing)}})
        : Message("across.matched",
            "Exchanges matched across ranks: {matched}. Kernels and calls without a counterpart"
            "{missing, select, yes { (reports of ranks are missing)} other {}}, which do not count: {unmatched}.",
            {{"matched", Count{across.matched}}, {"unmatched", Count{across.unmatched}},
                {"missing", yesOrNo(isMissing)}});
    return matched + togetherSentence(across) + warmUpSentence(across);
}

} // namespace

Message exceptionSentence(const AcrossReport& across, const LateStep& late)
{
    return {"across.exception",
        "{step} is delayed by rank {rank}{found, select, yes {: {part} +{lead}} other {}}.",
        {{"step", Name{toUtf8(across.steps[late.step].name)}}, {"rank", numberOf(across, late.rank)},
            {"found", yesOrNo(late.cause.found())}, {"part", late.cause.label()},
            {"lead", Duration{late.cause.perStep}}}};
}

Message sumsSentences(const AcrossReport& across)
{
    const Message matched = matchedSentences(across);
    const LeftOut waits = leftOut(across);
    if (across.steps.empty() || (waits.warmUp <= 0 && waits.outside <= 0))
        return matched;
    return matched
        + Message("across.sums",
            "The sums per rank cover the whole recording. Of {all} of waits, the verdict leaves out "
            "{warm, select, yes {{warm_up} in {steps, plural, one {# warm-up step} other {# warm-up steps}}} other {}}"
            "{out, select, both { and } other {}}{out, select, no {} other {{outside} outside the steps}}.",
            {{"all", Duration{waits.all}}, {"warm", yesOrNo(waits.warmUp > 0)},
                {"warm_up", Duration{waits.warmUp}}, {"steps", Count{waits.warmUpSteps}},
                {"out",
                    Name{waits.outside <= 0    ? "no"
                            : waits.warmUp > 0 ? "both"
                                               : "yes"}},
                {"outside", Duration{waits.outside}}});
}

} // namespace warpline
