#pragma once

#include <QStyledItemDelegate>

class QTreeView;

namespace warpline {

/// Gives the texts of a column of `view` a second line where one is too short for them; what is longer still
/// is cut at its end.
class TwoLines : public QStyledItemDelegate {
public:
    /// `view` owns the delegate.
    TwoLines(QTreeView& view, int column);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int roomForText(const QStyleOptionViewItem& option, const QModelIndex& index) const;

    QTreeView& m_view;
};

} // namespace warpline
