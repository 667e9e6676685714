#pragma once

#include "core/compare/comparison.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// What a side has of one row, as it is counted.
struct Tally {
    std::string name;
    std::string label; ///< for little room; empty: the name
    std::string shape;
    std::uint64_t count = 0;
    Ns total = 0; ///< or bytes
    double squares = 0; ///< sum of the squares of single values
    std::vector<SideEvent> events;
    WorkSums work; ///< operators

    void add(Ns value)
    {
        ++count;
        total += value;
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
};

/// The events of a side by name.
class Tallies {
public:
    explicit Tallies(bool wantEvents)
        : m_wantEvents(wantEvents)
    {
    }
    /// The one of `name`, made when new; it stays where it is.
    Tally& of(std::string_view name);
    void add(Tally& tally, Ns value, SideEvent event) const;
    const std::map<std::string, Tally, std::less<>>& all() const { return m_all; }

private:
    bool m_wantEvents;
    std::map<std::string, Tally, std::less<>> m_all;
};

/// The row of what `a` and `b` (nullptr: nothing) have of one thing; `divisor` makes sums "a step". A row is
/// slower or faster when its average changed by more than 2 % and by more than two standard errors (varies
/// when by more than 10 % within those), and has more or fewer calls when their number a step changed by more
/// than 1 % and that counts for more.
CompareRow rowOf(const Tally* a, const Tally* b, MatchedBy by, const Both<double>& divisor);

/// The rows of both sides: by name; what is left by `plain(name)`, where that is given and not empty; the
/// rest alone. In no order.
std::vector<CompareRow> joinTallies(const Both<Tallies*>& tallies, const Both<double>& divisor,
    std::string (*plain)(std::string_view name) = nullptr);

/// Sums up and sorts: those that changed most first.
CompareTable tableOf(std::string id, std::string title, std::vector<CompareRow> rows, bool bytes = false);

} // namespace warpline
