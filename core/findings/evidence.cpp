#include "core/findings/evidence.h"

#include "core/derive/call_kinds.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <algorithm>
#include <tuple>

namespace warpline {

Finding findingOn(const RuleContext& context, GlobalId process, std::int32_t device, Ns saving)
{
    Finding finding;
    finding.process = process;
    finding.device = device;
    finding.saving = saving;
    finding.severity = severityOf(context, saving);
    return finding;
}

Finding findingOn(const RuleContext& context, GlobalId process, std::int32_t device, PackedIntervals claims)
{
    Finding finding = findingOn(context, process, device, totalTime(claims));
    finding.claims = std::move(claims);
    return finding;
}

Finding findingWith(Severity severity, Confidence confidence, GlobalId process, std::int32_t device)
{
    Finding finding;
    finding.severity = severity;
    finding.confidence = confidence;
    finding.process = process;
    finding.device = device;
    return finding;
}

std::vector<EventRef> longestFirst(
    const RuleContext& context, EventKind kind, const std::function<bool(EventIndex)>& wanted)
{
    std::vector<EventRef> events;
    const EventTable& table = context.trace.table(kind);
    for (const EventIndex i : eventsIn(table, context.window, context.stop)) {
        if (wanted(i))
            events.push_back({kind, i});
    }
    std::ranges::sort(events, [&](EventRef a, EventRef b) {
        return table.duration[a.index] != table.duration[b.index]
            ? table.duration[a.index] > table.duration[b.index]
            : table.start[a.index] < table.start[b.index];
    });
    return events;
}

void longestToFront(const Trace& trace, std::vector<EventRef>& events)
{
    const auto front = events.begin() + static_cast<std::ptrdiff_t>(std::min(events.size(), maxEvidence));
    std::ranges::partial_sort(events, front, [&](EventRef a, EventRef b) {
        const Ns lengthA = trace.range(a).duration();
        const Ns lengthB = trace.range(b).duration();
        return lengthA != lengthB ? lengthA > lengthB : std::tie(a.kind, a.index) < std::tie(b.kind, b.index);
    });
}

void sortLongestFirst(const Trace& trace, std::vector<EventRef>& events)
{
    std::ranges::stable_sort(
        events, std::greater{}, [&](EventRef event) { return trace.range(event).duration(); });
}

void setEvidence(Finding& finding, const Trace& trace, const std::vector<EventRef>& events,
    const std::function<Message(EventRef)>& note)
{
    finding.evidenceTotal = events.size();
    for (const EventRef& event : events) {
        if (finding.evidence.size() == maxEvidence)
            break;
        finding.evidence.push_back({trace.range(event), event, note(event)});
    }
    if (!events.empty())
        finding.where = trace.range(events.front());
}

void setEvidence(
    Finding& finding, const Trace& trace, const std::vector<EventRef>& events, const Message& note)
{
    setEvidence(finding, trace, events, [&](EventRef) { return note; });
}

void setSizedEvidence(
    Finding& finding, const Trace& trace, const std::vector<EventRef>& events, Literal key, Literal english)
{
    setEvidence(finding, trace, events, [&](EventRef event) {
        return Message(key, english, {{"bytes", Bytes{trace.table(event.kind).bytes[event.index]}}});
    });
}

namespace {

std::function<Message(TimeRange)> timeNote(Literal key, Literal english)
{
    return [=](TimeRange range) { return Message(key, english, {{"time", Duration{range.duration()}}}); };
}

template <typename Ranges>
void setLongest(Finding& finding, const Ranges& stretches, const std::function<Message(TimeRange)>& note)
{
    finding.evidenceTotal = stretches.size();
    std::vector<TimeRange> longest(std::min<std::size_t>(stretches.size(), maxEvidence));
    std::ranges::partial_sort_copy(stretches, longest, [](TimeRange a, TimeRange b) {
        return a.duration() != b.duration() ? a.duration() > b.duration() : a.start < b.start;
    });
    for (const TimeRange& stretch : longest)
        finding.evidence.push_back({stretch, {}, note(stretch)});
    if (!longest.empty())
        finding.where = longest.front();
}

} // namespace

void setStretches(
    Finding& finding, std::span<const TimeRange> stretches, const std::function<Message(TimeRange)>& note)
{
    setLongest(finding, stretches, note);
}

void setStretches(Finding& finding, std::span<const TimeRange> stretches, Literal key, Literal english)
{
    setLongest(finding, stretches, timeNote(key, english));
}

void setClaimedStretches(Finding& finding, Literal key, Literal english)
{
    setLongest(finding, finding.claims, timeNote(key, english));
}

std::string_view evidenceName(const Trace& trace, EventRef event)
{
    const std::string_view name = trace.displayName(event);
    return event.kind == EventKind::ApiCall ? bareCallName(name) : name;
}

Intervals timeOf(const Trace& trace, const std::vector<EventRef>& events, TimeRange window)
{
    std::vector<TimeRange> ranges;
    ranges.reserve(events.size());
    for (const EventRef& event : events)
        ranges.push_back(trace.range(event));
    return unionOf(std::move(ranges), window);
}

Ns totalDuration(const Trace& trace, const std::vector<EventRef>& events)
{
    Ns total = 0;
    for (const EventRef& event : events)
        total += trace.range(event).duration();
    return total;
}

} // namespace warpline
