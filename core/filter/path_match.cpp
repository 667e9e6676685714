// Matches paths like a regular expression: each node of the tree of paths holds the reachable parts of the
// pattern as bits, computed from its parent's. So no path is walked twice.

#include "core/filter/path_match.h"

#include "core/base/stop.h"
#include "core/filter/text_match.h"
#include "core/store/trace.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace warpline {

namespace {

using Bits = std::uint64_t;

/// One value of a term about paths.
class PathPattern {
public:
    explicit PathPattern(std::string_view value)
    {
        m_anchored = value.starts_with('/');
        value.remove_prefix(m_anchored ? 1 : 0);
        while (!value.empty() && m_parts.size() < maxParts) {
            const std::size_t slash = value.find('/');
            const std::string_view part = value.substr(0, slash);
            value.remove_prefix(slash == std::string_view::npos ? value.size() : slash + 1);
            if (part == "**")
                m_skips |= Bits{1} << m_parts.size();
            else if (!part.empty())
                m_parts.emplace_back(TextMatch::How::Glob, part);
        }
    }

    /// Which parts are reached before any name: bit i, the first i parts are.
    Bits atStart() const { return m_parts.empty() ? 0 : 1; }

    /// The bits of a range named `name`, from its parent's bits `before`.
    Bits after(Bits before, StringId id, std::string_view name)
    {
        const Bits matching = matchesOf(id, name);
        const Bits last = Bits{1} << m_parts.size();
        Bits next = (before & matching) << 1U; // the name is the next part
        next |= before & m_skips; // ** takes it
        next |= before & last; // whatever lies inside
        return next | (m_anchored ? 0 : 1);
    }
    bool isWhole(Bits reached) const { return !m_parts.empty() && ((reached >> m_parts.size()) & 1U) != 0; }

private:
    static constexpr std::size_t maxParts = 60;

    /// Bit i: part i matches the name.
    Bits matchesOf(StringId id, std::string_view name)
    {
        const auto [place, added] = m_known.try_emplace(id, 0);
        for (std::size_t i = 0; added && i < m_parts.size(); ++i)
            place->second |= m_parts[i].isMatch(name) ? Bits{1} << i : 0;
        return place->second;
    }

    bool m_anchored = false;
    Bits m_skips = 0; ///< bit i: ** stands before part i
    std::vector<TextMatch> m_parts;
    std::unordered_map<StringId, Bits> m_known;
};

} // namespace

std::vector<std::uint8_t> pathsThat(const Trace& trace, const EnclosingRanges& ranges, const FilterTerm& term,
    const std::stop_token& stop, bool& exhausted)
{
    const auto& nodes = ranges.nodes();
    std::vector<std::uint8_t> passing(nodes.size(), 0);
    const bool negative = isNegative(term.compared);
    const FilterValue& value = term.values.front();
    if (isHolding(term.compared)) {
        const TextMatch match(
            value.isExpression ? TextMatch::How::Expression : TextMatch::How::Holds, value.text);
        for (const std::size_t i : stoppable(std::size_t{1}, nodes.size(), stop))
            passing[i] = match.isMatch(ranges.textOf(static_cast<std::uint32_t>(i))) != negative ? 1 : 0;
        exhausted = exhausted || match.isExhausted();
        return passing;
    }
    PathPattern pattern(value.glob);
    std::vector<Bits> reached(nodes.size(), pattern.atStart());
    for (const std::size_t i : stoppable(std::size_t{1}, nodes.size(), stop)) {
        reached[i] = pattern.after(reached[nodes[i].parent], nodes[i].name, trace.text(nodes[i].name));
        passing[i] = pattern.isWhole(reached[i]) != negative ? 1 : 0;
    }
    return passing;
}

} // namespace warpline
