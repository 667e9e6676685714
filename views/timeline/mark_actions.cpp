// Marking ranges and moments, and going from mark to mark.

#include "views/session/marks.h"
#include "views/session/run_pair.h"
#include "views/timeline/timeline_actions.h"
#include "views/timeline/timeline_view.h"

#include <algorithm>
#include <vector>

namespace warpline {

namespace {

void add(Session& session, TimeRange range)
{
    Marks& marks = (session.ownsMarks() ? session : session.pair().a()).marks();
    const int place = marks.add({range, {}, std::string(markColors().front().id)});
    if (place >= 0)
        marks.edit(place);
}

/// The selected range, else the moment under the mouse, else the time of the current event, else the moment
/// in the middle.
TimeRange meant(const ActionContext& at)
{
    if (!at.session.time().selectedRange().empty())
        return at.session.time().selectedRange();
    if (const auto* const view = at.part<TimelineView>(); view && view->cursorTime())
        return {*view->cursorTime(), *view->cursorTime()};
    if (at.session.selection().currentEvent().valid())
        return at.session.workspace().range(at.session.selection().currentEvent());
    const TimeRange shown = at.session.time().shown();
    const Ns middle = shown.start + shown.duration() / 2;
    return {middle, middle};
}

bool hasMarks(const ActionContext& at)
{
    return !at.session.marks().all().empty();
}

/// Goes to the next or previous bookmark from the middle of the view, wrapping around.
void stepToMark(Session& session, bool forward)
{
    const std::vector<Mark>& marks = session.marks().all();
    const auto count = static_cast<int>(marks.size());
    int place = session.marks().current();
    if (place < 0) {
        const TimeRange shown = session.time().shown();
        const Ns middle = shown.start + shown.duration() / 2;
        place = static_cast<int>(
            std::ranges::count_if(marks, [&](const Mark& mark) { return mark.range.start < middle; }));
        place -= forward ? 1 : 0;
    }
    goToMark(session.time(), session.marks(), (place + (forward ? 1 : count - 1)) % count);
}

constexpr Action markActionList[]{
    {
        .id = "mark.add",
        .text = QT_TRANSLATE_NOOP("Action", "Book&mark"),
        .help = QT_TRANSLATE_NOOP("Action", "Bookmark the selected range, or the time under the pointer"),
        .keys = "M; Ctrl+M",
        .scope = KeyScope::UnlessTyping,
        .menu = MainMenu::Go,
        .section = true,
        .run = [](const ActionContext& at) { add(at.session, meant(at)); },
    },
    {
        .id = "mark.range",
        .text = QT_TRANSLATE_NOOP("Action", "Bookmark the selected range"),
        .help = QT_TRANSLATE_NOOP("Action", "Bookmark the selected range, with a text"),
        .context = ContextMenu::Everywhere,
        .section = true,
        .enabled = [](const ActionContext& at) { return !at.session.time().selectedRange().empty(); },
        .run = [](const ActionContext& at) { add(at.session, at.session.time().selectedRange()); },
    },
    {
        .id = "mark.event",
        .text = QT_TRANSLATE_NOOP("Action", "Bookmark the event"),
        .help = QT_TRANSLATE_NOOP("Action", "Bookmark the event, with a text"),
        .context = ContextMenu::Event,
        .enabled = [](const ActionContext& at) { return at.event.valid(); },
        .run = [](const ActionContext& at) { add(at.session, at.session.workspace().range(at.event)); },
    },
    {
        .id = "mark.next",
        .text = QT_TRANSLATE_NOOP("Action", "Next boo&kmark"),
        .help = QT_TRANSLATE_NOOP("Action", "Go to the next bookmark"),
        .menu = MainMenu::Go,
        .enabled = hasMarks,
        .run = [](const ActionContext& at) { stepToMark(at.session, true); },
    },
    {
        .id = "mark.previous",
        .text = QT_TRANSLATE_NOOP("Action", "Pre&vious bookmark"),
        .help = QT_TRANSLATE_NOOP("Action", "Go to the previous bookmark"),
        .menu = MainMenu::Go,
        .enabled = hasMarks,
        .run = [](const ActionContext& at) { stepToMark(at.session, false); },
    },
};

} // namespace

std::span<const Action> markActions()
{
    return markActionList;
}

} // namespace warpline
