#pragma once

#include "core/filter/event_predicate.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

// Searches for the events that a filter passes, such as a part of a name; `match` is of the same trace. All
// that take a stop token throw Stopped when it is requested.

/// Whether a search includes CPU samples, of which there are thousands named after their function, and NVTX
/// ranges on the GPU, which repeat their ranges.
enum class SampleSearch : std::uint8_t { WithSamples, WithoutSamples };

/// Whether a search looks through the events of `kind`.
bool isSearched(EventKind kind, SampleSearch samples, const EventPredicate& match);

/// The first matching event after (`forward`) or before `from` in time, of all drawn kinds; not valid() when
/// there is none. Ties go by kind and index. O(events) at worst.
EventRef findNext(const Trace& trace, const EventPredicate& match, EventRef from, Ns time, bool forward,
    SampleSearch samples = SampleSearch::WithSamples, const std::stop_token& stop = {});

/// Both are searched only where nothing else matches. O(events).
SampleSearch samplesToSearch(
    const Trace& trace, const EventPredicate& match, const std::stop_token& stop = {});

/// For each of `pixels` equal parts of the session 1 where an event starts that matches, else 0. O(events).
std::vector<std::uint8_t> matchesAlong(const Trace& trace, const EventPredicate& match, int pixels,
    SampleSearch samples, const std::stop_token& stop = {});

/// How many events match. O(events).
std::uint64_t countMatches(const Trace& trace, const EventPredicate& match,
    SampleSearch samples = SampleSearch::WithSamples, const std::stop_token& stop = {});

/// How many events match that start at `time` or before. O(events).
std::uint64_t countMatchesUntil(const Trace& trace, const EventPredicate& match, Ns time,
    SampleSearch samples = SampleSearch::WithSamples, const std::stop_token& stop = {});

/// The index of `event` among the matches in the order of findNext(), from 1. O(events).
std::uint64_t placeAmongMatches(const Trace& trace, const EventPredicate& match, EventRef event,
    SampleSearch samples = SampleSearch::WithSamples, const std::stop_token& stop = {});

} // namespace warpline
