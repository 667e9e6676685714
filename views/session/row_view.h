#pragma once

#include "views/session/row_states.h"

#include <QObject>

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

class QSettings;

namespace warpline {

struct Row;
class Session;

/// The user's changes of a session's rows: expanded, hidden, pinned, scaled and moved rows, and the number of
/// lanes drawn in full.
class RowView : public QObject {
    Q_OBJECT
public:
    /// `session` owns this object.
    explicit RowView(Session& session);

    bool isExpanded(RowId row) const;
    void setExpanded(RowId row, bool expanded);
    /// `row` and everything below it, with one signal.
    void setExpandedBelow(RowId row, bool expanded);
    bool isHidden(RowId row) const { return m_states[row].hidden; }
    void setHidden(RowId row, bool hidden);
    void showAllRows(); ///< hides none
    bool hidesRows() const { return hiddenRows() > 0; }
    std::size_t hiddenRows() const { return m_states.hiddenRows(); } ///< those below them not counted
    bool isPinned(RowId row) const { return m_states[row].pinned; }
    void setPinned(RowId row, bool pinned);
    /// Height factor of a row, 1 by default.
    double rowScale(RowId row) const { return m_states[row].scale; }
    void setRowScale(RowId row, double scale);
    /// Moves `row` before its sibling `before` (root: to the end).
    void moveRow(RowId row, RowId before);
    /// Gives `siblings`, all children of one row, this order.
    void setRowOrder(const std::vector<RowId>& siblings);
    /// Children of `row` in the user's order, hidden ones left out.
    std::vector<RowId> visibleChildren(RowId row) const;
    /// All that was done to rows, by their keys.
    RowsOfView rowStates() const;
    /// Does that, and nothing else, to the rows.
    void setRowStates(const RowsOfView& states);
    /// Expands all ancestors of `row`.
    void reveal(RowId row);

    /// The default number of lanes of a row drawn in full; deeper ones are thin. Deep stacks projected onto a
    /// GPU must leave its kernels visible: the rows of their thread show them in full.
    static int usualDepth(const Row& row);
    /// The same for `row`; keeps a changed number while its report stays open.
    int depth(RowId row) const;
    void setDepth(RowId row, int depth); ///< at least one
    /// The number of lanes of `row` that are shown: lanes without visible events may be hidden. Otherwise
    /// all.
    int lanes(const Row& row) const;
    /// By RowId, the number of lanes that count from now on; empty: all lanes of all rows.
    void setLanesInView(std::vector<std::uint32_t> lanes);

    /// Expanded, hidden, pinned, order and scale.
    void save(QSettings& settings) const;
    /// The user's changes in between are newer and stay.
    void restore(const QSettings& settings);

signals:
    void rowLayoutChanged(); ///< expanded, hidden, pinned, order, scale or lanes
    void revealed(warpline::RowId row); ///< the timeline scrolls there

private:
    friend class Session; // other rows follow those that were there
    const RowTree& rows() const;
    /// Rows of `before`, the first of each pair, are rows() now: their keys may have the labels of reports.
    void moveDepths(const RowTree& before, std::span<const std::pair<RowId, RowId>> same);

    Session& m_session;
    RowStates m_states; ///< of rows()
    std::vector<std::uint32_t> m_lanesInView;
    std::unordered_map<std::string, int> m_depths; ///< by Row::key; rows not in it have usualDepth()
};

} // namespace warpline
