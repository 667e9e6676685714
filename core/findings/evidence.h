#pragma once

#include "core/findings/rule.h"
#include "core/store/trace.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace warpline {

/// Whether there are events of each of `kinds`: for Rule::applies.
template <EventKind... kinds> bool hasEvents(const Trace& trace, const std::stop_token&)
{
    return (!trace.table(kinds).empty() && ...);
}

/// More proof than this is counted, not listed.
inline constexpr std::size_t maxEvidence = 200;

/// A finding about GPU `device` of `process` (-1: none in particular), as severe as `saving` is large.
Finding findingOn(const RuleContext& context, GlobalId process, std::int32_t device, Ns saving);
/// The same of all the time that it claims.
Finding findingOn(const RuleContext& context, GlobalId process, std::int32_t device, PackedIntervals claims);
/// A finding whose severity does not follow from a saving.
Finding findingWith(Severity severity, Confidence confidence, GlobalId process = 0, std::int32_t device = -1);

/// The events of `kind` that touch the window and that `wanted` accepts, longest first; ties in order of
/// time.
std::vector<EventRef> longestFirst(
    const RuleContext& context, EventKind kind, const std::function<bool(EventIndex)>& wanted);

/// Moves the longest `maxEvidence` of `events`, which ascend, to the front, the longest first; stable. The
/// rest is unordered. O(n), because sorting all would take longer than finding them.
void longestToFront(const Trace& trace, std::vector<EventRef>& events);

/// Sorts all `events`, the longest first; stable.
void sortLongestFirst(const Trace& trace, std::vector<EventRef>& events);

/// Adds `events` to `finding` as evidence: the first `maxEvidence` of them, each with `note(event)`, and
/// their number. The finding's place is the range around the first.
void setEvidence(Finding& finding, const Trace& trace, const std::vector<EventRef>& events,
    const std::function<Message(EventRef)>& note);
/// The same, all with the note `note`.
void setEvidence(
    Finding& finding, const Trace& trace, const std::vector<EventRef>& events, const Message& note = {});
/// The same of copies or allocations, with a note whose {bytes} is the size of each.
void setSizedEvidence(
    Finding& finding, const Trace& trace, const std::vector<EventRef>& events, Literal key, Literal english);

/// Adds time ranges to `finding` as evidence: the longest `maxEvidence` of them, each with `note(range)`, and
/// their number. The finding's place is the longest.
void setStretches(
    Finding& finding, std::span<const TimeRange> stretches, const std::function<Message(TimeRange)>& note);
/// The same, with a note whose {time} is the length of each.
void setStretches(Finding& finding, std::span<const TimeRange> stretches, Literal key, Literal english);
/// The same of all the time that `finding` claims.
void setClaimedStretches(Finding& finding, Literal key, Literal english);

/// The name of a piece of evidence: calls without the version suffix of the runtime.
std::string_view evidenceName(const Trace& trace, EventRef event);

/// The time inside `window` that `events` cover. O(n log n).
Intervals timeOf(const Trace& trace, const std::vector<EventRef>& events, TimeRange window);

/// Sum of the events' durations.
Ns totalDuration(const Trace& trace, const std::vector<EventRef>& events);

} // namespace warpline
