#include "views/panels/panel.h"

#include <algorithm>
#include <array>

namespace warpline {

// One line a panel: those of the inspector in the order of its bar, then those of the drawer.
#define WARPLINE_PANELS(X) \
    X(overviewPanel)       \
    X(findingsPanel)       \
    X(checklistPanel)      \
    X(detailsPanel)        \
    X(verdictPanel)        \
    X(rankMapPanel)        \
    X(eventsPanel)         \
    X(statsPanel)          \
    X(tablesPanel)         \
    X(namePanel)           \
    X(stepsPanel)          \
    X(rooflinePanel)       \
    X(whatIfPanel)         \
    X(comparePanel)        \
    X(ranksPanel)          \
    X(stacksPanel)         \
    X(sqlPanel)            \
    X(marksPanel)          \
    X(reportPanel)

#define WARPLINE_DECLARE(name) extern const PanelKind name;
WARPLINE_PANELS(WARPLINE_DECLARE)
#undef WARPLINE_DECLARE

std::span<const PanelKind* const> allPanels()
{
#define WARPLINE_ENTRY(name) &name,
    static constexpr std::array list{WARPLINE_PANELS(WARPLINE_ENTRY)};
#undef WARPLINE_ENTRY
    return list;
}

const PanelKind* findPanel(const QString& id)
{
    const auto has = [&](const PanelKind* kind) {
        return id == kind->id || (*kind->part && id == kind->part) || id == QString(kind->title).toLower();
    };
    const auto found = std::ranges::find_if(allPanels(), has);
    return found == allPanels().end() ? nullptr : *found;
}

} // namespace warpline
