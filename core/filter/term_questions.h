#pragma once

#include "core/filter/enclosing_ranges.h"
#include "core/filter/event_predicate.h"

#include <optional>

namespace warpline {

/// Compiles terms into tests of columns. Only EventPredicate uses it.
class TermQuestions {
public:
    TermQuestions(const Trace& trace, const std::stop_token& stop)
        : m_trace(trace),
          m_stop(stop)
    {
    }

    EventPredicate::Term of(const FilterTerm& term);
    bool isExhausted() const { return m_exhausted; }

private:
    using Question = EventPredicate::Question;
    using Known = std::vector<std::uint8_t>;

    void askNames(EventPredicate::Term& out);
    void askKinds(EventPredicate::Term& out) const;
    void askTracks(EventPredicate::Term& out) const;
    void askThreads(EventPredicate::Term& out) const;
    void askCalls(EventPredicate::Term& out);
    void askLaunches(EventPredicate::Term& out) const;
    void askNvtx(EventPredicate::Term& out) const;
    void askBytes(EventPredicate::Term& out) const;
    void askPaths(EventPredicate::Term& out);
    void askColumn(EventPredicate::Term& out) const;
    /// For each string of the pool whether a value of `term` matches.
    std::shared_ptr<const Known> namesThat(const FilterTerm& term);

    const Trace& m_trace;
    std::stop_token m_stop;
    std::optional<EnclosingRanges> m_ranges; ///< made for the first term about paths
    bool m_exhausted = false;
};

} // namespace warpline
