#include "core/compare/facts.h"

#include "core/steps/repeated_ranges.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace warpline {

namespace {

constexpr std::size_t minRanges = 3; ///< of one name, to be steps
constexpr std::size_t maxNames = 3;

/// The names of a side's NVTX ranges that repeat and may launch work, as globs, those with most time first.
std::vector<std::string> globsOf(const SideRequest& side, const std::stop_token& stop)
{
    std::vector<std::string> globs;
    for (const SideReport& report : side.reports) {
        if (report.trace->apiCalls().empty()) // no range has GPU work then
            continue;
        for (const RepeatedRanges& repeated : repeatedRanges(*report.trace, minRanges, stop)) {
            if (globs.size() < maxNames && std::ranges::find(globs, repeated.glob) == globs.end())
                globs.push_back(repeated.glob);
        }
    }
    return globs;
}

/// The steps that the user named, or else those that were measured, or the first of globsOf(); empty: none.
std::string stepGlobOf(const SideRequest& side, const SideMeasure& measure, const std::stop_token& stop)
{
    if (!side.stepGlob.empty())
        return side.stepGlob;
    for (const MeasuredReport& report : measure.reports) {
        for (const StepBudgets& steps : report.steps) {
            if (steps.found.foundBy == StepSource::Nvtx)
                return steps.found.host.glob;
        }
    }
    const std::vector<std::string> globs = globsOf(side, stop);
    return globs.empty() ? std::string() : globs.front();
}

} // namespace

std::vector<Message> missingStepHints(const CompareRequest& request, const Both<const SideMeasure*>& measures,
    const Both<bool>& missing, const std::stop_token& stop)
{
    std::vector<Message> hints;
    if (missing.a && missing.b) {
        const Both<std::string> globs{
            stepGlobOf(request.a, *measures.a, stop), stepGlobOf(request.b, *measures.b, stop)};
        if (globs.a.empty() || globs.b.empty() || globs.a == globs.b || areStepsDeclared(request))
            hints.push_back({"compare.choose_ranges",
                "The steps of A and B have different names and work. Choose ranges that do the same work (command line: --a-range and --b-range FROM:TO)."});
        else
            hints.push_back({"compare.name_both",
                "The steps of A and B have different names and work. If they do the same, name both "
                "(command line: --a-nvtx '{a}' --b-nvtx '{b}').",
                {{"a", Name{globs.a}}, {"b", Name{globs.b}}}});
        return hints;
    }
    for (const Side side : {Side::A, Side::B}) {
        const SideRequest& asked = request[side];
        if (!missing[side] || (asked.range.empty() && !asked.stepGlob.empty()))
            continue;
        const Name name{std::string(nameOf(side))};
        const Name letter{side == Side::A ? "a" : "b"};
        const std::vector<std::string> globs = globsOf(asked, stop);
        if (!asked.range.empty())
            hints.push_back({"compare.choose_other_range",
                "The range of {side} has no whole step, or steps fill less than half of it. Choose a range of {other}, too (command line: --{letter}-range FROM:TO).",
                {{"side", name}, {"other", Name{side == Side::A ? "B" : "A"}},
                    {"letter", Name{side == Side::A ? "b" : "a"}}}});
        else if (globs.empty())
            hints.push_back({"compare.choose_range",
                "{side} has no NVTX ranges that repeat and launch GPU work. Choose a range that does the same work as the other side (command line: --{letter}-range FROM:TO).",
                {{"side", name}, {"letter", letter}}});
        else
            hints.push_back({"compare.name_steps",
                "If these NVTX ranges are the steps of {side}, name them (command line: --{letter}-nvtx '{globs}').",
                {{"side", name}, {"letter", letter},
                    {"globs",
                        Name{fmt::format("{}", fmt::join(globs, "' or --" + letter.name + "-nvtx '"))}}}});
    }
    return hints;
}

} // namespace warpline
