#pragma once

#include "core/filter/filter_expression.h"
#include "core/filter/text_match.h"
#include "core/store/event_table.h"

#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// Whether single facts of events match a term. Missing facts never do.
class FactMatch {
public:
    /// Keeps a reference to `term`.
    explicit FactMatch(const FilterTerm& term);

    /// Whether any value of the term matches, negated or not.
    bool anyMatches(std::string_view text) const;
    bool isText(std::string_view text) const { return anyMatches(text) != m_negative; }
    bool isNumber(std::int64_t number) const { return isNumberOrText(number, {}); }
    /// For facts with a number and a name. `text` may be empty: no name.
    bool isNumberOrText(std::int64_t number, std::string_view text) const;
    bool isKind(EventKind kind) const;
    bool isLaunch(const KernelLaunch& launch) const;
    bool isCategory(const Trace& trace, const NvtxAttributes& attributes) const;
    bool isPayload(const Trace& trace, const NvtxAttributes& attributes) const;
    bool isExhausted() const;

private:
    bool isExtent(const Dim3& extent) const;

    const FilterTerm& m_term;
    bool m_negative;
    std::vector<TextMatch> m_values;
};

} // namespace warpline
