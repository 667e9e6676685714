#pragma once

#include "views/session/marks.h"
#include "views/style/theme.h"

#include <QAbstractTableModel>

namespace warpline {

/// The user's marks for a view, in the order of time; texts are edited in place.
class MarksModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : std::uint8_t { Text, Start, Length, Columns };

    /// `marks` outlive the model.
    MarksModel(Marks& marks, const Theme& theme, QObject* parent = nullptr);

    void setTheme(const Theme& theme);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    Marks& m_marks;
    const Theme* m_theme;
    int m_count = 0; ///< as the views know
};

} // namespace warpline
