#include "views/timeline/timeline_actions.h"

#include "views/session/session.h"
#include "views/timeline/timeline_view.h"

namespace warpline {

namespace {

template <TimelineView::Motion motion> void move(const ActionContext& at)
{
    at.part<TimelineView>()->move(motion, at.heldKey);
}

constexpr Action actions[]{
    {
        .id = "timeline.zoomIn",
        .text = QT_TRANSLATE_NOOP("Action", "Zoom in at the mouse"),
        .help = QT_TRANSLATE_NOOP("Action", "Zoom in at the mouse, for as long as the key is held"),
        .keys = "W",
        .scope = KeyScope::UnlessTyping,
        .run = move<TimelineView::Motion::ZoomIn>,
    },
    {
        .id = "timeline.zoomOut",
        .text = QT_TRANSLATE_NOOP("Action", "Zoom out at the mouse"),
        .help = QT_TRANSLATE_NOOP("Action", "Zoom out at the mouse, for as long as the key is held"),
        .keys = "S",
        .scope = KeyScope::UnlessTyping,
        .run = move<TimelineView::Motion::ZoomOut>,
    },
    {
        .id = "timeline.panLeft",
        .text = QT_TRANSLATE_NOOP("Action", "Pan left"),
        .help = QT_TRANSLATE_NOOP("Action", "Pan left, for as long as the key is held"),
        .keys = "A",
        .scope = KeyScope::UnlessTyping,
        .run = move<TimelineView::Motion::Left>,
    },
    {
        .id = "timeline.panRight",
        .text = QT_TRANSLATE_NOOP("Action", "Pan right"),
        .help = QT_TRANSLATE_NOOP("Action", "Pan right, for as long as the key is held"),
        .keys = "D",
        .scope = KeyScope::UnlessTyping,
        .run = move<TimelineView::Motion::Right>,
    },
    {
        .id = "timeline.focus",
        .text = QT_TRANSLATE_NOOP("Action", "Zoom to the selected event"),
        .help = QT_TRANSLATE_NOOP(
            "Action", "Zoom to the selected event, else to the selected range, else to the whole report"),
        .keys = "F",
        .scope = KeyScope::UnlessTyping,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->focusCurrent(); },
    },
    {
        .id = "timeline.previousEvent",
        .text = QT_TRANSLATE_NOOP("Action", "Previous event of the row"),
        .help = QT_TRANSLATE_NOOP("Action", "Select the previous event of the row; pan without one"),
        .keys = "Left",
        .scope = KeyScope::Timeline,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->stepEvent(false); },
    },
    {
        .id = "timeline.nextEvent",
        .text = QT_TRANSLATE_NOOP("Action", "Next event of the row"),
        .help = QT_TRANSLATE_NOOP("Action", "Select the next event of the row; pan without one"),
        .keys = "Right",
        .scope = KeyScope::Timeline,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->stepEvent(true); },
    },
    {
        .id = "timeline.rowAbove",
        .text = QT_TRANSLATE_NOOP("Action", "Event of the row above"),
        .help = QT_TRANSLATE_NOOP("Action", "Select the event at this time in the row above; scroll without"),
        .keys = "Up",
        .scope = KeyScope::Timeline,
        .enabled = [](const ActionContext& at) { return at.event.valid(); },
        .run = [](const ActionContext& at) { at.part<TimelineView>()->stepRow(false); },
    },
    {
        .id = "timeline.rowBelow",
        .text = QT_TRANSLATE_NOOP("Action", "Event of the row below"),
        .help = QT_TRANSLATE_NOOP("Action", "Select the event at this time in the row below; scroll without"),
        .keys = "Down",
        .scope = KeyScope::Timeline,
        .enabled = [](const ActionContext& at) { return at.event.valid(); },
        .run = [](const ActionContext& at) { at.part<TimelineView>()->stepRow(true); },
    },
    {
        .id = "timeline.clearSelection",
        .text = QT_TRANSLATE_NOOP("Action", "Clear the selection"),
        .help = QT_TRANSLATE_NOOP("Action", "Clear the selection; in a text field: back to the timeline"),
        .keys = "Esc",
        .scope = KeyScope::UnlessTyping,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->clearSelection(); },
    },
};

} // namespace

std::span<const Action> timelineActions()
{
    return actions;
}

const std::vector<const Action*>& timelineKeyActions()
{
    static const std::vector<const Action*> heard = [] {
        std::vector<const Action*> all;
        for (const auto list : {timelineActions(), sessionActions(), compareActions(), markActions()}) {
            for (const Action& action : list) {
                if (action.scope != KeyScope::Window)
                    all.push_back(&action);
            }
        }
        return all;
    }();
    return heard;
}

} // namespace warpline
