#pragma once

#include "core/filter/event_predicate.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// Matches events with the user's text: a part of a name, "/a regular expression/", or any other filter (see
/// FilterExpression). Examines each distinct name once, and only columns of events.
class NameMatch {
public:
    /// An empty text matches all; one with a mistake nothing. `trace` must outlive this. Throws Stopped when
    /// `stop` is requested.
    NameMatch(const Trace& trace, std::string_view text, const std::stop_token& stop = {});

    /// `trace` is the one that this was made for.
    bool operator()(const Trace& trace, EventRef event) const;
    bool matchesAll() const { return m_all; }
    /// Whether any event of `kind` can match.
    bool mayMatch(EventKind kind) const { return m_all || m_predicate->mayPass(kind); }
    bool isValid() const { return m_valid; } ///< false for a text with a mistake
    /// True when a regular expression took so long that the rest of the names was not searched.
    bool gaveUp() const { return m_predicate && m_predicate->isExhausted(); }

private:
    std::shared_ptr<const EventPredicate> m_predicate; ///< nullptr: all
    bool m_all = false;
    bool m_valid = true;
};

// All that take a stop token throw Stopped when it is requested.

/// Whether a search includes CPU samples, of which there are thousands named after their function, and NVTX
/// ranges on the GPU, which repeat their ranges.
enum class SampleSearch : std::uint8_t { WithSamples, WithoutSamples };

/// Whether a search looks through the events of `kind`.
bool isSearched(EventKind kind, SampleSearch samples, const NameMatch& match);

/// The first matching event after (`forward`) or before `from` in time, of all drawn kinds; not valid() when
/// there is none. Ties go by kind and index. O(events) at worst.
EventRef findNext(const Trace& trace, const NameMatch& match, EventRef from, Ns time, bool forward,
    SampleSearch samples = SampleSearch::WithSamples, const std::stop_token& stop = {});

/// Both are searched only where nothing else matches. O(events).
SampleSearch samplesToSearch(const Trace& trace, const NameMatch& match, const std::stop_token& stop = {});

/// For each of `pixels` equal parts of the session 1 where an event starts that matches, else 0. O(events).
std::vector<std::uint8_t> matchesAlong(const Trace& trace, const NameMatch& match, int pixels,
    SampleSearch samples, const std::stop_token& stop = {});

/// How many events match. O(events).
std::uint64_t countMatches(const Trace& trace, const NameMatch& match,
    SampleSearch samples = SampleSearch::WithSamples, const std::stop_token& stop = {});

/// How many events match that start at `time` or before. O(events).
std::uint64_t countMatchesUntil(const Trace& trace, const NameMatch& match, Ns time,
    SampleSearch samples = SampleSearch::WithSamples, const std::stop_token& stop = {});

/// The index of `event` among the matches in the order of findNext(), from 1. O(events).
std::uint64_t placeAmongMatches(const Trace& trace, const NameMatch& match, EventRef event,
    SampleSearch samples = SampleSearch::WithSamples, const std::stop_token& stop = {});

} // namespace warpline
