#include "core/workspace/match_starts.h"

#include "core/base/stop.h"
#include "core/query/search.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace warpline {

namespace {

/// The starts of one report's matches, on the workspace's clock.
void addStarts(const OpenReport& report, const NameMatch& match, SampleSearch samples,
    const std::stop_token& stop, std::vector<Ns>& starts)
{
    const Trace& trace = *report.trace;
    for (const EventKind kind : allEventKinds()) {
        // Rows of CPU cores repeat the thread's name at every switch: not searched.
        if (!match.mayMatch(kind) || kind == EventKind::CpuCore
            || ((kind == EventKind::Sample || kind == EventKind::NvtxProjected)
                && samples == SampleSearch::WithoutSamples))
            continue;
        const EventTable& table = trace.table(kind);
        for (const EventIndex i : everyEvent(table, stop)) {
            if (match(trace, {kind, i}))
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

std::vector<Ns> matchStarts(
    const Workspace& workspace, std::string_view text, const std::stop_token& stop, std::size_t most)
{
    std::vector<NameMatch> matches;
    SampleSearch samples = SampleSearch::WithSamples;
    for (const OpenReport& report : workspace.reports()) {
        matches.emplace_back(*report.trace, text, stop);
        if (samplesToSearch(*report.trace, matches.back(), stop) == SampleSearch::WithoutSamples)
            samples = SampleSearch::WithoutSamples;
    }
    std::vector<Ns> starts;
    for (const OpenReport& report : workspace.reports())
        addStarts(report, matches[raw(report.id)], samples, stop, starts);
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
