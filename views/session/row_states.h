#pragma once

#include "core/base/ids.h"
#include "core/handover/view_file.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warpline {

class RowTree;

/// The user's changes of one row.
struct RowState {
    static constexpr std::uint32_t noPlace = std::numeric_limits<std::uint32_t>::max();
    static constexpr double minScale = 0.5;
    static constexpr double maxScale = 8;

    std::optional<bool> expanded; ///< nothing: the default of the tree
    bool hidden = false;
    bool pinned = false;
    double scale = 1; ///< of the height
    std::uint32_t place = noPlace; ///< among its siblings; those without one come last

    bool operator==(const RowState&) const = default;
};

/// The user's changes of the rows of one tree, by RowId, because each layout queries each row. Keys are only
/// used when a tree replaces another one, and for storing.
class RowStates {
public:
    const RowState& operator[](RowId row) const { return m_states[raw(row)]; }

    void setExpanded(RowId row, bool expanded) { m_states[raw(row)].expanded = expanded; }
    void setHidden(RowId row, bool hidden);
    void setPinned(RowId row, bool pinned) { m_states[raw(row)].pinned = pinned; }
    void setScale(RowId row, double scale) { m_states[raw(row)].scale = scale; }
    /// Gives `siblings` their places in this order.
    void setOrder(const std::vector<RowId>& siblings);
    void showAll(); ///< hides none
    std::size_t hiddenRows() const { return m_hidden; }

    /// Starts with `next`, without changes.
    void reset(const RowTree& next);
    /// Starts with `next`, a later snapshot of the same reports as `before`. Rows of equal keys keep their
    /// changes.
    void moveTo(const RowTree& before, const RowTree& next);

    /// Has the changes `of` the rows of `before` that are in `now`, its own tree, and keeps those of others.
    void take(const RowStates& of, const RowTree& before, const RowTree& now);

    /// Starts with a tree of `rows` rows, in which row `second` of each pair corresponds to the former row
    /// `first`.
    void moveTo(std::size_t rows, std::span<const std::pair<RowId, RowId>> same);

    /// The same by key, as it is written down; without depths, which are not kept here.
    RowsOfView byKey(const RowTree& rows) const;
    /// Applies `kept` to rows without changes, because changes are newer. Ignores keys without a row, and
    /// limits scales.
    void add(const RowsOfView& kept, const RowTree& rows);

private:
    std::vector<RowState> m_states; ///< by RowId
    std::size_t m_hidden = 0; ///< how many are
};

} // namespace warpline
