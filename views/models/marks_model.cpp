#include "views/models/marks_model.h"

#include "core/base/format_instant.h"
#include "views/style/mark_color.h"
#include "views/style/rich_text.h"

#include <array>

namespace warpline {

MarksModel::MarksModel(Marks& marks, const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent),
      m_marks(marks),
      m_theme(&theme),
      m_count(static_cast<int>(marks.all().size()))
{
    connect(&marks, &Marks::changed, this, [this] {
        const auto count = static_cast<int>(m_marks.all().size());
        if (count == m_count) {
            if (count > 0)
                emit dataChanged(index(0, 0), index(count - 1, Columns - 1));
            return;
        }
        beginResetModel();
        m_count = count;
        endResetModel();
    });
}

void MarksModel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    if (m_count > 0)
        emit dataChanged(index(0, Text), index(m_count - 1, Text), {Qt::DecorationRole});
}

int MarksModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_count;
}

int MarksModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QVariant MarksModel::data(const QModelIndex& index, int role) const
{
    const std::vector<Mark>& marks = m_marks.all();
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= marks.size())
        return {};
    const Mark& mark = marks[static_cast<std::size_t>(index.row())];
    if (role == Qt::DecorationRole && index.column() == Text)
        return markColor(*m_theme, mark);
    if (role == Qt::EditRole && index.column() == Text)
        return QString::fromStdString(mark.text);
    if (role == Qt::TextAlignmentRole && index.column() != Text)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (index.column() == Text)
        return plainTextOf(titleOf(mark));
    if (index.column() == Start)
        return QString::fromStdString(formatInstant(mark.range.start));
    return mark.isMoment() ? QString() : durationText(mark.range.duration());
}

bool MarksModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || index.column() != Text || index.row() >= m_count)
        return false;
    Mark mark = m_marks.all()[static_cast<std::size_t>(index.row())];
    mark.text = value.toString().toStdString();
    m_marks.change(index.row(), mark);
    return true;
}

QVariant MarksModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const std::array titles{tr("Bookmark"), tr("Start"), tr("Length")};
    const std::array tips{
        tr("Your text. Double-click to edit."), tr("Start on the timeline"), tr("Length of the range")};
    if (orientation != Qt::Horizontal)
        return {};
    const auto place = static_cast<std::size_t>(section);
    if (role == Qt::TextAlignmentRole) // aligned like its cells
        return QVariant((section == Text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? titles.at(place) : role == Qt::ToolTipRole ? tips.at(place) : QVariant();
}

Qt::ItemFlags MarksModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == Text ? flags | Qt::ItemIsEditable : flags;
}

} // namespace warpline
