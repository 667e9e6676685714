#pragma once

#include "core/stats/stats_table.h"
#include "core/store/gpu_names.h"

#include <QListWidget>

#include <string_view>
#include <vector>

namespace warpline {

/// Statistics tables to choose from, below the headings of their groups.
class TableList : public QListWidget {
    Q_OBJECT
public:
    explicit TableList(QWidget* parent = nullptr);

    /// Lists `tables`: the groups in the order of their first table, the tables of a group together. None is
    /// chosen, and nothing is signalled.
    void showTables(std::vector<const StatsTable*> tables, GpuApi api);
    /// Chooses the table `id` when it is listed.
    void choose(const QString& id);
    /// nullptr: none is chosen.
    const StatsTable* chosen() const;
    QString chosenId() const; ///< empty: none is chosen
};

/// A readable form of nsys' suffix after the colon of a table's name.
QString variantTitle(const StatsTable& table, std::string_view variant);

} // namespace warpline
