#pragma once

#include "core/handover/view_file.h"
#include "views/session/marks.h"
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

/// How a window shows its reports, down to what is selected and how far it is scrolled: what a window in
/// another language takes over. Of side B of a comparison only what LastView has.
struct WindowPlace {
    SavedView view;
    Marks::Kept marks;
    /// An event, by the place of its report among those that are open.
    struct Event {
        std::size_t report = 0;
        EventRef event;
    };
    std::optional<Event> current;
    std::vector<Event> highlighted;
    TimeRange marked;
    QString rowFilter;
    QString finding; ///< FindingsPanel::chosenId()
    QStringList panels; ///< those that are open, by PanelKind::id
    std::optional<TimelineView::TopRow> top; ///< of the timeline; the same reports number their rows alike
    QHash<QString, QPoint> scrolled; ///< views in panels, by panel and place in it
};

WindowPlace placeOf(MainWindow& window);

/// Makes `window` show its reports like `place`, once all of them are there. Other reports, opened meanwhile,
/// are left as they are.
void restorePlace(MainWindow& window, WindowPlace place);

} // namespace warpline
