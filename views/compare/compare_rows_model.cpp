#include "views/compare/compare_rows_model.h"

#include "core/kernels/kernel_classes.h"
#include "views/compare/compare_lines.h"
#include "views/style/rich_text.h"

#include <utility>

namespace warpline {

namespace {

/// The first column of values; beyond all columns when there are none.
int firstNumberOf(CompareRowsModel::Content content)
{
    return content == CompareRowsModel::Content::BudgetLines ? 1
        : content == CompareRowsModel::Content::Facts        ? 9
                                                             : 2;
}

/// Of the columns of `content`, for files; `table` is that of rows.
std::vector<Unit> unitsOf(CompareRowsModel::Content content, const CompareTable* table)
{
    using enum Unit;
    switch (content) {
    case CompareRowsModel::Content::BudgetLines:
        return {Text, Count, Count, Count}; // the heads name the unit
    case CompareRowsModel::Content::Findings:
        return {Text, Text, Nanoseconds, Nanoseconds, Nanoseconds};
    case CompareRowsModel::Content::Facts:
        return {};
    case CompareRowsModel::Content::Rows:
        break;
    }
    const Unit unit = table->bytes ? Bytes : NanosecondsReal;
    std::vector<Unit> units{Text, Text, unit, Percent, unit, unit, AsStored, AsStored, unit, unit};
    if (table->isWork)
        units.insert(units.end(), {Percent, Percent, Count, Count, Real, Real});
    return units;
}

} // namespace

CompareRowsModel::CompareRowsModel(QStringList titles, Content content,
    std::shared_ptr<const Comparison> comparison, std::size_t table, const Theme& theme, QObject* parent)
    : CellsModel(std::move(titles), parent),
      m_content(content),
      m_comparison(std::move(comparison)),
      m_table(table),
      m_theme(&theme)
{
    setFirstNumberColumn(firstNumberOf(content));
    setUnits(unitsOf(content, content == Content::Rows ? &this->table() : nullptr));
}

void CompareRowsModel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
}

double CompareRowsModel::change(const Line& line) const
{
    const auto place = static_cast<std::size_t>(line.id);
    switch (m_content) {
    case Content::Rows: {
        const CompareRow& row = table().rows[place];
        return row.change == RowChange::Same || row.change == RowChange::Varies ? 0 : row.delta();
    }
    case Content::BudgetLines:
        if (place < m_comparison->budget.size()) {
            const BudgetLine& part = m_comparison->budget[place];
            return part.noise >= 0 && !part.isBeyondNoise() ? 0 : static_cast<double>(part.delta());
        }
        return 0;
    case Content::Facts:
        return m_comparison->facts[place].reason.empty() ? 0 : 1;
    case Content::Findings:
        break;
    }
    const FindingChange& finding = m_comparison->findings[place];
    return finding.state == FindingState::Same ? 0 : finding.saving.b - finding.saving.a;
}

QString CompareRowsModel::tip(const Line& line) const
{
    const auto place = static_cast<std::size_t>(line.id);
    if (m_content == Content::Findings) {
        const FindingChange& finding = m_comparison->findings[place];
        return titledText("A", plainTextOf(finding.title.a)) + '\n'
            + titledText("B", plainTextOf(finding.title.b));
    }
    if (m_content != Content::Rows)
        return {};
    const CompareRow& row = table().rows[place];
    QStringList parts;
    for (const Side side : {Side::A, Side::B}) {
        const std::string& name = row[side].name;
        parts << titledText(textOf(nameOf(side)),
            (name.empty()
                    ? tr("not there")
                    : textOf(name) + (row[side].shape.empty() ? QString() : ' ' + textOf(row[side].shape))));
    }
    if (!row.group.empty())
        parts << tr("Class: %1").arg(plainTextOf(classText(row.group)));
    if (!row.where.empty())
        parts << tr("Under %1").arg(textOf(row.where));
    const std::optional<double> byCount = row.byCount();
    if (byCount && !table().bytes && !row.a.name.empty() && !row.b.name.empty())
        parts << tr("Due to count %1, due to duration %2")
                     .arg(differenceText(*byCount), differenceText(row.delta() - *byCount));
    return parts.join('\n');
}

QVariant CompareRowsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role == Qt::ForegroundRole) {
        const int difference = m_content == Content::BudgetLines ? 1 : m_content == Content::Facts ? 0 : 2;
        if (index.column() != difference && (index.column() != 0 || m_content == Content::BudgetLines))
            return {};
        const double change = this->change(line(index.row()));
        return change == 0 ? QVariant() : QVariant(change < 0 ? m_theme->good : m_theme->bad);
    }
    if (role == Qt::ToolTipRole && m_content != Content::Facts && index.column() <= 1) {
        const QString text = tip(line(index.row()));
        if (!text.isEmpty())
            return plainTip(text);
    }
    return CellsModel::data(index, role);
}

} // namespace warpline
