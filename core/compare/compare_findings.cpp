#include "core/compare/compare_runs.h"
#include "core/compare/verdict.h"
#include "core/store/trace.h"

#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "core/findings/finding_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace warpline {

namespace {

constexpr double changeOfItself = 0.1; // less is the same
constexpr double changeOfStep = 0.01;

struct Found {
    std::string id; ///< stableId()
    std::string_view rule;
    Message title;
    double saving = 0;
    Severity severity = Severity::Info;
    SideEvent event;
    TimeRange where;
};
using FoundByKey = std::map<std::string, Found>;

/// What pairs the findings of both sides: stableId(), but which steps are slow differs from run to run.
std::string pairKey(const std::string& id, const Finding& finding)
{
    return finding.subject.kind == Subject::Kind::Steps ? id.substr(0, id.rfind("/steps:")) : id;
}

/// The saving of `finding` per step, as its text says it. Without one: its share of the measured time, times
/// the mean step.
double savingOf(const Finding& finding, const Comparison& comparison, const ComparedSide& side)
{
    if (comparison.unit == CompareUnit::Whole || finding.measured <= 0)
        return static_cast<double>(finding.saving);
    if (finding.perStep > 0)
        return static_cast<double>(finding.perStep);
    return static_cast<double>(finding.saving) / static_cast<double>(finding.measured) * side.mean;
}

FoundByKey findingsOf(const SideRequest& request, const Comparison& comparison, const ComparedSide& side,
    const std::stop_token& stop)
{
    FoundByKey found;
    for (std::uint32_t i = 0; i < request.reports.size(); ++i) {
        const Trace& trace = *request.reports[i].trace;
        const TimeRange whole{trace.session.start, trace.session.end + 1};
        const TimeRange window = request.range.empty() ? whole : request.range.clippedTo(whole);
        for (const Finding& finding : runRules(trace, window, {}, {}, stop, request.stepGlob)) {
            std::string id = stableId(trace, finding);
            Found& one = found[pairKey(id, finding)];
            if (one.title.empty()) {
                one.id = std::move(id);
                one.rule = finding.rule;
                one.title = finding.title;
                one.where = finding.where;
                one.event.report = i;
                if (!finding.evidence.empty())
                    one.event.event = finding.evidence.front().event;
            }
            one.saving += savingOf(finding, comparison, side);
            one.severity = std::max(one.severity, finding.severity);
        }
        throwIfStopped(stop);
    }
    return found;
}

FindingState stateOf(const FindingChange& change, double step)
{
    const double difference = change.saving.b - change.saving.a;
    const double larger = std::max(change.saving.a, change.saving.b);
    if (std::abs(difference) <= std::max(changeOfItself * larger, changeOfStep * step))
        return FindingState::Same;
    return difference > 0 ? FindingState::Grown : FindingState::Shrunk;
}

} // namespace

void compareFindings(const CompareRequest& request, Comparison& comparison, const std::stop_token& stop)
{
    Both<FoundByKey> found;
    Helpers helpers;
    helpers.start([&] { found.a = findingsOf(request.a, comparison, comparison.sides.a, stop); });
    helpers.run([&] { found.b = findingsOf(request.b, comparison, comparison.sides.b, stop); });
    helpers.join();
    std::map<std::string, FindingChange> changes;
    for (const Side side : {Side::A, Side::B}) {
        for (const auto& [key, one] : found[side]) {
            FindingChange& change = changes[key];
            if (change.id.empty())
                change.id = one.id;
            change.rule = one.rule;
            change.title[side] = one.title;
            change.saving[side] = one.saving;
            change.event[side] = one.event;
            change.where[side] = one.where;
            change.severity = std::max(change.severity, one.severity);
        }
    }
    const auto step = static_cast<double>(std::max(comparison.sides.a.median, comparison.sides.b.median));
    std::vector<FindingChange> sorted;
    for (auto& [key, change] : changes) {
        change.state = change.title.a.empty() ? FindingState::New
            : change.title.b.empty()          ? FindingState::Gone
                                              : stateOf(change, step);
        sorted.push_back(std::move(change));
    }
    std::ranges::stable_sort(sorted, std::greater{},
        [](const FindingChange& change) { return std::abs(change.saving.b - change.saving.a); });
    comparison.findings = std::move(sorted);
    comparison.sentence = sentenceOf(comparison);
}

} // namespace warpline
