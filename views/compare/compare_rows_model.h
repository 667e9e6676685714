#pragma once

#include "core/compare/comparison.h"
#include "views/models/cells_model.h"
#include "views/style/theme.h"

#include <memory>

namespace warpline {

/// Lines of a comparison: colours for worse and better, and tooltips with the details of a name.
class CompareRowsModel : public CellsModel {
    Q_OBJECT
public:
    enum class Content : std::uint8_t { Rows, BudgetLines, Facts, Findings };

    /// `table`: the place in Comparison::tables, of Content::Rows.
    CompareRowsModel(QStringList titles, Content content, std::shared_ptr<const Comparison> comparison,
        std::size_t table, const Theme& theme, QObject* parent = nullptr);

    Content content() const { return m_content; }
    void setTheme(const Theme& theme);
    /// The owner of table().
    const std::shared_ptr<const Comparison>& comparison() const { return m_comparison; }
    const CompareTable& table() const { return m_comparison->tables[m_table]; }
    QVariant data(const QModelIndex& index, int role) const override;

private:
    /// Below 0: better, above: worse.
    double change(const Line& line) const;
    QString tip(const Line& line) const;

    Content m_content;
    std::shared_ptr<const Comparison> m_comparison;
    std::size_t m_table;
    const Theme* m_theme;
};

} // namespace warpline
