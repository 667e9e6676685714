// Which rows are shown: sets of rows, those with events in view, the user's own.

#include "views/timeline/row_filter.h"
#include "views/timeline/timeline_actions.h"
#include "views/timeline/timeline_pane.h"

#include <QMainWindow>

namespace warpline {

namespace {

constexpr const char* menu = QT_TRANSLATE_NOOP("Action", "&Rows");

/// nullptr where there is none. Searches outward from the middle of the window, because the panels around it
/// have thousands of objects.
TimelinePane* paneOf(const ActionContext& at)
{
    const auto* const window = qobject_cast<QMainWindow*>(at.window);
    if (!window || !window->centralWidget())
        return at.part<TimelinePane>();
    return window->centralWidget()->findChild<TimelinePane*>();
}

RowFilter& filterOf(const ActionContext& at)
{
    return paneOf(at)->rowFilter();
}

/// Shows only the rows of `set`. All rows begin a section of the menu; My rows need rows in them.
template <RowSet set> constexpr Action rowSetAction(const char* id, const char* text, const char* help)
{
    return {
        .id = id,
        .text = text,
        .help = help,
        .menu = MainMenu::View,
        .submenu = menu,
        .section = set == RowSet::All,
        .oneOf = true,
        .enabled = [](const ActionContext&) { return set != RowSet::Mine || !RowFilter::mine().isEmpty(); },
        .checked = [](const ActionContext& at) { return paneOf(at) && filterOf(at).set() == set; },
        .run = [](const ActionContext& at) { filterOf(at).setSet(set); },
    };
}

const Row& rowOf(const ActionContext& at)
{
    return at.session.rows().row(at.row);
}

bool hasRow(const ActionContext& at)
{
    return at.row != RowTree::root;
}

constexpr Action rowFilterActionList[]{
    {
        .id = "rows.filter",
        .text = QT_TRANSLATE_NOOP("Action", "&Filter rows"),
        .help = QT_TRANSLATE_NOOP("Action", "Filter rows by name; Ctrl+Enter pins the matches"),
        .keys = "Ctrl+Shift+F",
        .menu = MainMenu::View,
        .submenu = menu,
        .run = [](const ActionContext& at) { paneOf(at)->editRowFilter(); },
    },
    rowSetAction<RowSet::All>("rows.all", QT_TRANSLATE_NOOP("Action", "&All rows"),
        QT_TRANSLATE_NOOP("Action", "Show rows of all kinds")),
    rowSetAction<RowSet::Compute>("rows.compute", QT_TRANSLATE_NOOP("Action", "&Compute"),
        QT_TRANSLATE_NOOP("Action", "Show only rows of GPUs")),
    rowSetAction<RowSet::Communication>("rows.communication", QT_TRANSLATE_NOOP("Action", "C&ommunication"),
        QT_TRANSLATE_NOOP("Action", "Show only rows of NCCL, MPI, UCX and networks")),
    rowSetAction<RowSet::Host>("rows.host", QT_TRANSLATE_NOOP("Action", "&Host"),
        QT_TRANSLATE_NOOP("Action", "Show only processes, threads and CPU cores")),
    rowSetAction<RowSet::Metrics>("rows.metrics", QT_TRANSLATE_NOOP("Action", "&Metrics"),
        QT_TRANSLATE_NOOP("Action", "Show only metrics and other counters")),
    rowSetAction<RowSet::Mine>("rows.mine", QT_TRANSLATE_NOOP("Action", "M&y rows"),
        QT_TRANSLATE_NOOP("Action", "Show only the rows in My rows")),
    {
        .id = "rows.inView",
        .text = QT_TRANSLATE_NOOP("Action", "Only rows with &events in view"),
        .help = QT_TRANSLATE_NOOP("Action", "Hide rows and lanes without events in view"),
        .menu = MainMenu::View,
        .submenu = menu,
        .section = true,
        .checked = [](const ActionContext& at) { return paneOf(at) && filterOf(at).onlyInView(); },
        .run = [](const ActionContext& at) { filterOf(at).setOnlyInView(!filterOf(at).onlyInView()); },
    },
    {
        .id = "rows.idleGpus",
        .text = QT_TRANSLATE_NOOP("Action", "&GPUs without work"),
        .help = QT_TRANSLATE_NOOP("Action", "Show GPUs that a process opened but gave no work"),
        .menu = MainMenu::View,
        .submenu = menu,
        .checked = [](const ActionContext& at) { return paneOf(at) && filterOf(at).showsIdleGpus(); },
        .run = [](const ActionContext& at) { filterOf(at).setShowsIdleGpus(!filterOf(at).showsIdleGpus()); },
    },
    {
        .id = "rows.pinFound",
        .text = QT_TRANSLATE_NOOP("Action", "&Pin matching rows"),
        .help = QT_TRANSLATE_NOOP("Action", "Pin the rows that match the filter"),
        .menu = MainMenu::View,
        .submenu = menu,
        .section = true,
        .enabled = [](const ActionContext& at) { return paneOf(at) && !filterOf(at).text().isEmpty(); },
        .run = [](const ActionContext& at) { filterOf(at).pinMatching(); },
    },
    {
        .id = "row.addToMine",
        .text = QT_TRANSLATE_NOOP("Action", "&Add to my rows"),
        .help
        = QT_TRANSLATE_NOOP("Action", "Add the row, and rows of this name in other reports, to My rows"),
        .context = ContextMenu::Row,
        .enabled = [](const ActionContext& at) { return hasRow(at) && !RowFilter::isMine(rowOf(at)); },
        .run =
            [](const ActionContext& at) {
                RowFilter::setMine(rowOf(at), true);
                filterOf(at).mineChanged();
            },
    },
    {
        .id = "row.removeFromMine",
        .text = QT_TRANSLATE_NOOP("Action", "Re&move from my rows"),
        .help = QT_TRANSLATE_NOOP("Action", "Remove the row from My rows"),
        .context = ContextMenu::Row,
        .enabled = [](const ActionContext& at) { return hasRow(at) && RowFilter::isMine(rowOf(at)); },
        .run =
            [](const ActionContext& at) {
                RowFilter::setMine(rowOf(at), false);
                filterOf(at).mineChanged();
            },
    },
};

} // namespace

std::span<const Action> rowFilterActions()
{
    return rowFilterActionList;
}

} // namespace warpline
