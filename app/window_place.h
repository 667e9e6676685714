#pragma once

#include "app/view_files.h"
#include "core/handover/view_file.h"
#include "views/panels/panel.h"
#include "views/panels/rank_heat_map.h"
#include "views/panels/ranks_panel.h"
#include "views/session/selection.h"
#include "views/timeline/timeline_view.h"

#include <QHash>
#include <QPoint>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <vector>

namespace warpline {

class MainWindow;

/// The complete view of a window with selections and scroll positions, for a window in another language or
/// text size. Side B of a comparison only has what LastView has.
struct WindowPlace {
    /// Marks and notes come from the settings, where the window that closes leaves them.
    SavedView view;
    ChoicesOfView choices; ///< the filter of rows also where no file has it
    /// An event with the index of its report among the open ones.
    struct Event {
        std::size_t report = 0;
        EventRef event;
    };
    std::optional<Event> current;
    std::uint64_t foundPlace = 0; ///< of the current event, see SearchBar
    std::vector<Event> highlighted;
    std::optional<NameOfKind> highlightedName; ///< Selection::highlightedName()
    bool marksFiltered = false; ///< Selection::marksFiltered()
    TimeRange marked;
    QString finding; ///< FindingsPanel::chosenId()
    QStringList panels; ///< those that are open, by PanelKind::id
    QHash<PanelPlace, QString> beforeComparing; ///< see PanelDocks
    QString comparedTable; ///< ComparePanel::chosenTable()
    RanksPanel::Choice ranks;
    std::optional<RankHeatMap::Cell> rankCell; ///< of the rank map
    std::optional<TimelineView::TopRow> top; ///< of the timeline; the same reports number their rows alike
    QHash<QString, QPoint> scrolled; ///< views in panels, by panel and place in it
};

WindowPlace placeOf(MainWindow& window);

/// Makes `window` show its reports as in `place`, once all are loaded. Leaves other reports, opened in
/// between, as they are.
void restorePlace(MainWindow& window, WindowPlace place);

} // namespace warpline
