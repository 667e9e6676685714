#pragma once

#include "core/store/trace.h"

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

namespace warpline {

/// Which strings of a trace's pool contain a text. Names are few and events are many, so a search looks at
/// each distinct name once and at events only by their name's id.
class NameMatch {
public:
    /// Matches names that contain `text`, letters of ASCII without regard to case. An empty text matches all.
    /// "/text/" is a regular expression (of ECMAScript, no back references), looked for in the first 4,096
    /// bytes of a name; one that is none matches nothing.
    NameMatch(const Trace& trace, std::string_view text);

    bool operator()(StringId name) const
    {
        return m_all || (raw(name) < m_matches.size() && m_matches[raw(name)] != 0);
    }
    /// A kernel matches by its short name too.
    bool operator()(const Trace& trace, EventRef event) const;
    bool matchesAll() const { return m_all; }
    bool isValid() const { return m_valid; } ///< false for a regular expression with a mistake

private:
    void matchExpression(const Trace& trace, std::string_view text);

    std::vector<std::uint8_t> m_matches;
    bool m_all = false;
    bool m_valid = true;
};

// All that take a stop token throw Stopped when it is requested.

/// Whether a search looks at CPU samples: there are thousands, each named after the function it met.
enum class SampleSearch : std::uint8_t { WithSamples, WithoutSamples };

/// The first event after (`forward`) or before `from` in time whose name matches, of all kinds that are
/// drawn; not valid() when there is none. Ties go by kind and index. O(events) at worst.
EventRef findNext(const Trace& trace, const NameMatch& match, EventRef from, Ns time, bool forward,
    SampleSearch samples = SampleSearch::WithSamples, const std::stop_token& stop = {});

/// Samples are searched only where nothing else matches. O(events).
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

/// The place of `event` among the matches in the order of findNext(), from 1 on. O(events).
std::uint64_t placeAmongMatches(const Trace& trace, const NameMatch& match, EventRef event,
    SampleSearch samples = SampleSearch::WithSamples, const std::stop_token& stop = {});

} // namespace warpline
