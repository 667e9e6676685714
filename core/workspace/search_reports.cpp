#include "core/workspace/search_reports.h"

#include "core/base/stop.h"
#include "core/query/search.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace warpline {

namespace {

/// The matching names of each report, and the searched kinds.
struct Matches {
    std::vector<EventPredicate> ofReport;
    SampleSearch samples = SampleSearch::WithSamples;
    bool isValid = true;

    Matches(const Workspace& workspace, std::string_view text, const std::stop_token& stop)
    {
        const FilterExpression filter(text);
        isValid = workspace.isEmpty() || !filter.mistake();
        for (const OpenReport& report : workspace.reports())
            ofReport.emplace_back(*report.trace, filter, stop);
        for (const OpenReport& report : workspace.reports()) {
            if (samplesToSearch(*report.trace, ofReport[raw(report.id)], stop)
                == SampleSearch::WithoutSamples)
                samples = SampleSearch::WithoutSamples;
        }
    }
};

using Place = std::tuple<Ns, ReportId>; ///< within a report findNext() knows the order

Place placeOf(const Workspace& workspace, EventId event)
{
    return {workspace.range(event).start, event.report};
}

/// The next event of `report` beyond `from` (which may be another report's) or `time`.
EventRef nextIn(const OpenReport& report, const Workspace& workspace, const Matches& matches, EventId from,
    Ns time, bool forward, const std::stop_token& stop)
{
    const Trace& trace = *report.trace;
    const EventPredicate& match = matches.ofReport[raw(report.id)];
    if (from.valid() && from.report == report.id)
        return findNext(trace, match, from.event, 0, forward, matches.samples, stop);
    Ns own = report.clock.toReport(from.valid() ? workspace.range(from).start : time);
    // At equal times, later reports come after, earlier ones before.
    if (from.valid() && forward && report.id < from.report)
        ++own;
    else if (from.valid() && !forward && from.report < report.id)
        --own;
    return findNext(trace, match, {}, own, forward, matches.samples, stop);
}

EventId nearest(const Workspace& workspace, const Matches& matches, EventId from, Ns time, bool forward,
    const std::stop_token& stop)
{
    EventId best;
    for (const OpenReport& report : workspace.reports()) {
        const EventId found{report.id, nextIn(report, workspace, matches, from, time, forward, stop)};
        if (!found.valid())
            continue;
        const auto isNearer = [&] {
            return forward ? placeOf(workspace, found) < placeOf(workspace, best)
                           : placeOf(workspace, found) > placeOf(workspace, best);
        };
        if (!best.valid() || isNearer())
            best = found;
    }
    return best;
}

/// How many matches there are until `event`, itself counted.
std::uint64_t placeAmong(
    const Workspace& workspace, const Matches& matches, EventId event, const std::stop_token& stop)
{
    const Ns time = workspace.range(event).start;
    std::uint64_t place = 0;
    for (const OpenReport& report : workspace.reports()) {
        const EventPredicate& match = matches.ofReport[raw(report.id)];
        if (report.id == event.report) {
            place += placeAmongMatches(*report.trace, match, event.event, matches.samples, stop);
            continue;
        }
        const Ns own = report.clock.toReport(time);
        place += countMatchesUntil(
            *report.trace, match, report.id < event.report ? own : own - 1, matches.samples, stop);
    }
    return place;
}

std::uint64_t countAll(const Workspace& workspace, const Matches& matches, const std::stop_token& stop)
{
    std::uint64_t count = 0;
    for (const OpenReport& report : workspace.reports())
        count += countMatches(*report.trace, matches.ofReport[raw(report.id)], matches.samples, stop);
    return count;
}

/// The starts of one report's matches, on the workspace's clock.
void addStarts(const OpenReport& report, const EventPredicate& match, SampleSearch samples,
    const std::stop_token& stop, std::vector<Ns>& starts)
{
    const Trace& trace = *report.trace;
    for (const EventKind kind : allEventKinds()) {
        if (!isSearched(kind, samples, match))
            continue;
        const EventTable& table = trace.table(kind);
        for (const EventIndex i : everyEvent(table, stop)) {
            if (match({kind, i}))
                starts.push_back(report.clock.toWorkspace(table.start[i]));
        }
    }
}

/// Keeps one start per part of `session`.
void thin(std::vector<Ns>& starts, TimeRange session, std::size_t parts)
{
    const Ns length = std::max<Ns>(1, session.duration() / static_cast<Ns>(parts));
    Ns before = std::numeric_limits<Ns>::min();
    std::erase_if(starts, [&](Ns start) {
        const Ns part = (start - session.start) / length;
        return std::exchange(before, part) == part;
    });
}

} // namespace

FoundEvent findAround(const Workspace& workspace, std::string_view text, EventId from, Ns time, bool forward,
    const std::stop_token& stop)
{
    const Matches matches(workspace, text, stop);
    FoundEvent found;
    found.event = nearest(workspace, matches, from, time, forward, stop);
    if (!found.event.valid()) {
        const Ns edge = forward ? workspace.session().start : workspace.session().end; // once around
        found.event = nearest(workspace, matches, {}, edge, forward, stop);
    }
    if (found.event.valid()) {
        found.place = placeAmong(workspace, matches, found.event, stop);
        found.matches = countAll(workspace, matches, stop);
    }
    return found;
}

CountedMatches countMatches(const Workspace& workspace, std::string_view text, const std::stop_token& stop)
{
    const Matches matches(workspace, text, stop);
    return {countAll(workspace, matches, stop), matches.isValid};
}

std::vector<Ns> matchStarts(
    const Workspace& workspace, std::string_view text, const std::stop_token& stop, std::size_t most)
{
    const Matches matches(workspace, text, stop);
    std::vector<Ns> starts;
    for (const OpenReport& report : workspace.reports())
        addStarts(report, matches.ofReport[raw(report.id)], matches.samples, stop, starts);
    throwIfStopped(stop);
    std::ranges::sort(starts);
    const auto [first, last] = std::ranges::unique(starts);
    starts.erase(first, last);
    if (starts.size() > most)
        thin(starts, workspace.session(), most);
    starts.shrink_to_fit();
    return starts;
}

} // namespace warpline
