#include "views/timeline/timeline_actions.h"

#include "views/actions/action_keys.h"
#include "views/session/session.h"
#include "views/timeline/timeline_view.h"

#include <QKeyEvent>

#include <algorithm>

namespace warpline {

namespace {

/// Moves the view while the key is held.
template <TimelineView::Motion motion>
constexpr Action motionAction(const char* id, const char* text, const char* help, const char* keys)
{
    return {
        .id = id,
        .text = text,
        .help = help,
        .keys = keys,
        .scope = KeyScope::UnlessTyping,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->move(motion, at.heldKey); },
    };
}

constexpr Action timelineActionList[]{
    motionAction<TimelineView::Motion::ZoomIn>("timeline.zoomIn",
        QT_TRANSLATE_NOOP("Action", "Zoom in at the pointer"),
        QT_TRANSLATE_NOOP("Action", "Zoom in at the pointer while the key is held"), "W"),
    motionAction<TimelineView::Motion::ZoomOut>("timeline.zoomOut",
        QT_TRANSLATE_NOOP("Action", "Zoom out at the pointer"),
        QT_TRANSLATE_NOOP("Action", "Zoom out at the pointer while the key is held"), "S"),
    motionAction<TimelineView::Motion::Left>("timeline.panLeft", QT_TRANSLATE_NOOP("Action", "Pan left"),
        QT_TRANSLATE_NOOP("Action", "Pan left while the key is held"), "A"),
    motionAction<TimelineView::Motion::Right>("timeline.panRight", QT_TRANSLATE_NOOP("Action", "Pan right"),
        QT_TRANSLATE_NOOP("Action", "Pan right while the key is held"), "D"),
    {
        .id = "timeline.focus",
        .text = QT_TRANSLATE_NOOP("Action", "Zoom to the selected event"),
        .help = QT_TRANSLATE_NOOP("Action", "Zoom to the selected event or range, or to the whole report"),
        .keys = "F",
        .scope = KeyScope::UnlessTyping,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->focusCurrent(); },
    },
    {
        .id = "timeline.previousEvent",
        .text = QT_TRANSLATE_NOOP("Action", "Previous event in row"),
        .help = QT_TRANSLATE_NOOP("Action", "Select the previous event in the row, or pan left"),
        .keys = "Left",
        .scope = KeyScope::Timeline,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->stepEvent(false, at.heldKey); },
    },
    {
        .id = "timeline.nextEvent",
        .text = QT_TRANSLATE_NOOP("Action", "Next event in row"),
        .help = QT_TRANSLATE_NOOP("Action", "Select the next event in the row, or pan right"),
        .keys = "Right",
        .scope = KeyScope::Timeline,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->stepEvent(true, at.heldKey); },
    },
    {
        .id = "timeline.rowAbove",
        .text = QT_TRANSLATE_NOOP("Action", "Enclosing event, or row above"),
        .help = QT_TRANSLATE_NOOP(
            "Action", "Select the enclosing event, or the event at this time in the row above"),
        .keys = "Up",
        .scope = KeyScope::Timeline,
        .enabled = [](const ActionContext& at) { return at.event.valid(); },
        .run = [](const ActionContext& at) { at.part<TimelineView>()->stepRow(false); },
    },
    {
        .id = "timeline.rowBelow",
        .text = QT_TRANSLATE_NOOP("Action", "Nested event, or row below"),
        .help
        = QT_TRANSLATE_NOOP("Action", "Select the nested event, or the event at this time in the row below"),
        .keys = "Down",
        .scope = KeyScope::Timeline,
        .enabled = [](const ActionContext& at) { return at.event.valid(); },
        .run = [](const ActionContext& at) { at.part<TimelineView>()->stepRow(true); },
    },
    {
        .id = "timeline.pinHighlight",
        .text = QT_TRANSLATE_NOOP("Action", "Highlight all with this name"),
        .help = QT_TRANSLATE_NOOP(
            "Action", "Highlight all events with the name of the one under the pointer; repeat to clear"),
        .keys = "H",
        .scope = KeyScope::UnlessTyping,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->pinHighlight(); },
    },
    {
        .id = "timeline.nextLink",
        .text = QT_TRANSLATE_NOOP("Action", "Next linked event"),
        .help = QT_TRANSLATE_NOOP("Action",
            "Go from a launch to its work, from work to its wait, or from an NVTX range to the GPU"),
        .keys = "]",
        .scope = KeyScope::UnlessTyping,
        .enabled = [](const ActionContext& at) { return at.event.valid(); },
        .run = [](const ActionContext& at) { at.part<TimelineView>()->currentLinks().hop(true); },
    },
    {
        .id = "timeline.previousLink",
        .text = QT_TRANSLATE_NOOP("Action", "Previous linked event"),
        .help = QT_TRANSLATE_NOOP("Action",
            "Go from a wait to its work, from work to its launch, or from an NVTX range to the host"),
        .keys = "[",
        .scope = KeyScope::UnlessTyping,
        .enabled = [](const ActionContext& at) { return at.event.valid(); },
        .run = [](const ActionContext& at) { at.part<TimelineView>()->currentLinks().hop(false); },
    },
    {
        .id = "timeline.zoomToCurrent",
        .text = QT_TRANSLATE_NOOP("Action", "Zoom to what is selected"),
        .help = QT_TRANSLATE_NOOP("Action", "Zoom to the selection, like F, while the timeline has focus"),
        .keys = "Return; Enter",
        .scope = KeyScope::Timeline,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->focusCurrent(); },
    },
    {
        .id = "timeline.selectShown",
        .text = QT_TRANSLATE_NOOP("Action", "Select visible range"),
        .help = QT_TRANSLATE_NOOP("Action", "Select the visible range; repeat to select the whole report"),
        .keys = "Ctrl+A",
        .scope = KeyScope::Timeline,
        .run =
            [](const ActionContext& at) {
                const bool again = at.session.time().selectedRange() == at.session.time().shown();
                at.session.selection().selectRows({});
                at.session.time().selectRange(again ? at.session.session() : at.session.time().shown());
            },
    },
    {
        .id = "timeline.copy",
        .text = QT_TRANSLATE_NOOP("Action", "Copy the selection"),
        .help = QT_TRANSLATE_NOOP("Action", "Copy the measurement, the selected range, or the event"),
        .keys = "Ctrl+C",
        .scope = KeyScope::Timeline,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->copy(); },
    },
    {
        .id = "timeline.clearSelection",
        .text = QT_TRANSLATE_NOOP("Action", "Clear the selection"),
        .help
        = QT_TRANSLATE_NOOP("Action", "Clear the selection, or return to the timeline from a text field"),
        .keys = "Esc",
        .scope = KeyScope::UnlessTyping,
        .run = [](const ActionContext& at) { at.part<TimelineView>()->clearSelection(); },
    },
};

} // namespace

std::span<const Action> timelineActions()
{
    return timelineActionList;
}

const std::vector<const Action*>& timelineKeyActions()
{
    static const std::vector<const Action*> heard = [] {
        std::vector<const Action*> all;
        for (const auto list :
            {timelineActions(), sessionActions(), compareActions(), markActions(), eventActions()}) {
            for (const Action& action : list) {
                if (action.scope != KeyScope::Window)
                    all.push_back(&action);
            }
        }
        return all;
    }();
    return heard;
}

const Action* actionAtPlace(const QKeyEvent& event)
{
    // Key codes on X11 and Wayland for the positions of W, A, S and D. Elsewhere, and for simulated keys of
    // tests, the letter decides.
    struct Place {
        quint32 scanCode;
        const char* id;
    };
    constexpr Place places[]{{25, "timeline.zoomIn"}, {38, "timeline.panLeft"}, {39, "timeline.zoomOut"},
        {40, "timeline.panRight"}};
    if (event.modifiers() != Qt::NoModifier)
        return nullptr;
    const auto place = std::ranges::find(places, event.nativeScanCode(), &Place::scanCode);
    if (place == std::ranges::end(places))
        return nullptr;
    for (const Action& action : timelineActions()) {
        if (qstrcmp(action.id, place->id) == 0) // where the user chose another key, that one is meant
            return keysOf(action) == defaultKeysOf(action) ? &action : nullptr;
    }
    return nullptr;
}

} // namespace warpline
