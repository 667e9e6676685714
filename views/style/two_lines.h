#pragma once

#include <QStyledItemDelegate>

class QTreeView;

namespace warpline {

/// Wraps long texts of a column of `view` to a second line; elides longer ones at the end.
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
