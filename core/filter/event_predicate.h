#pragma once

#include "core/filter/filter_expression.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// Whether events of a trace pass a filter. Terms are evaluated once for each distinct name, track, launch
/// and attribute, so that an event only needs its columns. Terms about NVTX paths are evaluated once per
/// event, when the predicate is made.
class EventPredicate {
public:
    /// `trace` must outlive this. Throws Stopped when `stop` is requested. O(strings of the trace), with a
    /// path O(events log ranges).
    EventPredicate(const Trace& trace, const FilterExpression& filter, const std::stop_token& stop = {});

    /// False for all events of a filter with a mistake.
    bool operator()(EventRef event) const;
    /// Whether an event of `kind` may pass at all.
    bool mayPass(EventKind kind) const;
    /// True when a regular expression took so long that the rest of the names was not searched.
    bool isExhausted() const { return m_exhausted; }

    /// The evaluation of a term for events of one kind. See termsOf().
    struct Question {
        enum class How : std::uint8_t {
            Never,
            Always,
            ByName, ///< known[StringId]
            ByNames, ///< of kernels: the full or the short name, known[StringId]
            ByTrack, ///< known[track]
            ByAttribute, ///< known[attribute]
            ByEvent, ///< known[event]
            ByCallName, ///< of the call that launched it: known[StringId]
            ByCallTrack, ///< the same: known[track of API calls]
            Duration,
            Start,
            End,
            Bytes,
            Correlation,
        };
        How how = How::Never;
        bool isNegated = false; ///< passes events that have the fact with another value
        std::shared_ptr<const std::vector<std::uint8_t>> known;
    };
    /// The tests of one term, by kind.
    struct Term {
        std::array<Question, eventKindCount> ofKind;
        FilterTerm asked;
    };

private:
    bool passes(std::uint32_t node, EventRef event) const;
    bool answer(const Term& term, EventRef event) const;

    const Trace& m_trace;
    std::vector<FilterNode> m_nodes;
    std::vector<Term> m_terms; ///< by node; empty for nodes that are no terms
    bool m_passesAll = false;
    bool m_exhausted = false;
};

/// Whether the number `value` is one of those of `term`, or between two of them.
bool isWithin(const FilterTerm& term, long double value);
/// Whether the number `value` matches `term`.
bool isAsked(const FilterTerm& term, long double value);

} // namespace warpline
