#include "app/actions/all_actions.h"

#include "views/panels/panel.h"
#include "views/timeline/timeline_actions.h"

#include <algorithm>

namespace warpline {

const std::vector<const Action*>& allActions()
{
    static const std::vector<const Action*> all = [] {
        std::vector<const Action*> found;
        const auto add = [&](std::span<const Action> list) {
            for (const Action& action : list)
                found.push_back(&action);
        };
        add(fileActions());
        add(exportActions());
        add(panelActions());
        add(viewActions());
        add(colorActions());
        add(counterActions());
        add(sessionActions());
        add(compareActions());
        for (const PanelKind* const kind : allPanels())
            add(kind->actions);
        add(searchActions());
        add(markActions());
        add(timelineActions());
        add(eventActions());
        add(rowActions());
        add(rowFilterActions());
        add(helpActions());
        return found;
    }();
    return all;
}

const Action* findAction(const QString& id)
{
    const auto found
        = std::ranges::find(allActions(), id, [](const Action* action) { return QString(action->id); });
    return found == allActions().end() ? nullptr : *found;
}

std::span<const Gesture> allGestures()
{
    static constexpr Gesture gestures[]{
        {QT_TRANSLATE_NOOP("Action", "Wheel"), QT_TRANSLATE_NOOP("Action", "Scroll rows")},
        {QT_TRANSLATE_NOOP("Action", "Ctrl+wheel"), QT_TRANSLATE_NOOP("Action", "Zoom at the pointer")},
        {QT_TRANSLATE_NOOP("Action", "Shift+wheel, Shift+drag, middle drag"),
            QT_TRANSLATE_NOOP("Action", "Pan")},
        {QT_TRANSLATE_NOOP("Action", "Left drag"),
            QT_TRANSLATE_NOOP("Action",
                "Select a range of time, and the rows if it spans several. It snaps to events; hold Alt to turn that off")},
        {QT_TRANSLATE_NOOP("Action", "Right drag, Ctrl+Shift+drag"),
            QT_TRANSLATE_NOOP("Action", "Zoom to range")},
        {QT_TRANSLATE_NOOP("Action", "Shift+click"),
            QT_TRANSLATE_NOOP("Action", "Measure from the selected event to this one")},
        {QT_TRANSLATE_NOOP("Action", "Double-click, middle click"),
            QT_TRANSLATE_NOOP("Action", "Zoom to an event")},
        {QT_TRANSLATE_NOOP("Action", "Ctrl+click"),
            QT_TRANSLATE_NOOP("Action", "Highlight all events of this name; repeat to clear")},
        {QT_TRANSLATE_NOOP("Action", "Right click"),
            QT_TRANSLATE_NOOP("Action", "Open the menu of an event or row")},
    };
    return gestures;
}

} // namespace warpline
