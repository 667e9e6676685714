#pragma once

#include "core/base/ids.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warpline {

class RowTree;

/// What the user did to one row.
struct RowState {
    static constexpr std::uint32_t noPlace = std::numeric_limits<std::uint32_t>::max();

    std::optional<bool> expanded; ///< nothing: as the tree has it
    bool hidden = false;
    bool pinned = false;
    double scale = 1; ///< of the height
    std::uint32_t place = noPlace; ///< among its siblings; those without one come after those with

    bool operator==(const RowState&) const = default;
};

/// What the user did to the rows of one tree, by RowId: the timeline asks for each row of each layout. Rows
/// are known by their keys only where a tree follows another one, and where the arrangement is kept.
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

    /// Of `next` from here on, nothing done to any row.
    void reset(const RowTree& next);
    /// Of `next` from here on: a later snapshot of the same reports as `before`. Rows with the keys of rows
    /// of before keep what was done to them.
    void moveTo(const RowTree& before, const RowTree& next);

    /// Of a tree of `rows` rows from here on, in which row `second` of each pair is what row `first` was.
    void moveTo(std::size_t rows, std::span<const std::pair<RowId, RowId>> same);

    /// The same by key, as it is written down.
    struct ByKey {
        QStringList open; ///< other than the tree has it, or as it has it because the user said so
        QStringList closed;
        QStringList hidden;
        QStringList pinned;
        QHash<QString, double> scale;
        QHash<QString, QStringList> order; ///< the keys of children by that of their parent
    };
    ByKey byKey(const RowTree& rows) const;
    /// Does to the rows what `kept` has, where nothing was done to them yet: that is newer. Keys without a
    /// row are left out.
    void add(const ByKey& kept, const RowTree& rows);

private:
    std::vector<RowState> m_states; ///< by RowId
    std::size_t m_hidden = 0; ///< how many are
};

} // namespace warpline
