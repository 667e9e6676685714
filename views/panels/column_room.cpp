#include "views/panels/column_room.h"

#include "views/panels/table_columns.h"

#include <QTableView>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace warpline {

void fitColumnsToRoom(QTableView& table, int widest)
{
    fitColumns(table, std::numeric_limits<int>::max(), true);
    std::vector<std::pair<int, int>> cut; // how much is missing, of which column
    int room = table.viewport()->width();
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        const int wanted = table.columnWidth(column);
        const int width = std::min(wanted, widest);
        room -= width;
        if (wanted > widest) {
            cut.emplace_back(wanted - widest, column);
            table.setColumnWidth(column, width);
        }
    }
    std::ranges::sort(cut); // narrow columns leave their unused room to the others
    for (std::size_t i = 0; i < cut.size() && room > 0; ++i) {
        const int more = std::min(cut[i].first, room / static_cast<int>(cut.size() - i));
        table.setColumnWidth(cut[i].second, widest + more);
        room -= more;
    }
}

} // namespace warpline
