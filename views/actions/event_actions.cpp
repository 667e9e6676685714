// Actions for an event, common to the timeline, the events panel and other lists.

#include "core/findings/kernel_totals.h"
#include "core/query/event_text.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/machine_facts.h"
#include "views/actions/action.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <QApplication>
#include <QClipboard>

#include <string>

namespace warpline {

namespace {

constexpr const char* listMenu = QT_TRANSLATE_NOOP("Action", "Filter Events");

bool hasEvent(const ActionContext& at)
{
    return at.event.valid();
}

/// Whether the events panel lists it, which leaves out derived events.
bool isListed(const ActionContext& at)
{
    return hasPanels(at) && hasEvent(at) && !isDerived(at.event.event.kind);
}

/// Not in the events view, which shows it already.
bool isElsewhere(const ActionContext& at)
{
    return isListed(at) && !(at.window && at.window->inherits("warpline::EventsPanel"));
}

const Trace& traceOf(const ActionContext& at)
{
    return at.session.trace(at.event.report);
}

EventKind kindOf(const ActionContext& at)
{
    return at.event.event.kind;
}

/// The kind in the events panel: a GPU projection is listed as its range.
EventKind listedKind(const ActionContext& at)
{
    return kindOf(at) == EventKind::NvtxProjected ? EventKind::Nvtx : kindOf(at);
}

bool isKindListed(const ActionContext& at)
{
    return hasPanels(at) && hasEvent(at) && !isDerived(listedKind(at));
}

const Track& trackOf(const ActionContext& at)
{
    return traceOf(at).track(traceOf(at).trackOf(at.event.event));
}

std::string nameOf(const ActionContext& at)
{
    return std::string(traceOf(at).name(at.event.event));
}

/// Everything on the stream or thread of the event, of whatever kind.
std::vector<TrackRef> tracksBeside(const ActionContext& at)
{
    const Track& wanted = trackOf(at);
    std::vector<TrackRef> tracks;
    for (const EventKind kind : allEventKinds()) {
        const EventTable& table = traceOf(at).table(kind);
        for (std::uint32_t i = 0; i < table.tracks.size(); ++i) {
            const Track& each = table.tracks[i];
            if (each.owner == wanted.owner && each.device == wanted.device && each.context == wanted.context
                && each.stream == wanted.stream)
                tracks.push_back({kind, i});
        }
    }
    return tracks;
}

/// `wanted` may have tracks and a process: those of the event's report.
void list(const ActionContext& at, const EventFilter& wanted)
{
    const bool isOfReport = !wanted.tracks.empty() || wanted.process != 0;
    if (isOfReport && at.session.followsSelection())
        at.session.followSelected(at.event.report);
    else if (isOfReport)
        at.session.chooseReport(at.event.report);
    at.session.selection().setFilter(wanted);
    emit at.session.panelRequested("events");
}

void listBeside(const ActionContext& at)
{
    list(at, {.tracks = tracksBeside(at)});
}

void copyDetails(const ActionContext& at)
{
    QString text;
    for (const TextRow& row : detailsOf(traceOf(at), at.event.event))
        text += plainTextOf(row.label) + "\t" + plainTextOf(row.value) + "\n";
    QApplication::clipboard()->setText(text);
}

void copyNcuCommand(const ActionContext& at)
{
    const Trace trace = withMachine(traceOf(at));
    const std::string command = ncuCommandOf(trace, at.event.event.index);
    QApplication::clipboard()->setText(
        wholeTextOf(trace.info.commandLine.empty() ? plain(ncuText(trace, command)) : command));
}

constexpr Action eventActionList[]{
    {
        .id = "event.zoom",
        .text = QT_TRANSLATE_NOOP("Action", "Zoom to event"),
        .help = QT_TRANSLATE_NOOP("Action", "Zoom to the event"),
        .enabled = hasEvent,
        .run = [](const ActionContext& at) { at.session.selection().goTo(at.event); },
    },
    {
        .id = "event.select",
        .text = QT_TRANSLATE_NOOP("Action", "Select range"),
        .help = QT_TRANSLATE_NOOP("Action", "Select the time of the event"),
        .keys = "R",
        .scope = KeyScope::UnlessTyping,
        .enabled = hasEvent,
        .run =
            [](const ActionContext& at) {
                at.session.time().selectRange(at.session.workspace().range(at.event));
            },
    },
    {
        .id = "event.show",
        .text = QT_TRANSLATE_NOOP("Action", "Show in Events"),
        .help = QT_TRANSLATE_NOOP("Action", "Show the event in the Events panel"),
        .enabled = isElsewhere,
        .run =
            [](const ActionContext& at) {
                at.session.selection().setCurrentEvent(at.event);
                emit at.session.panelRequested("events");
            },
    },
    {
        .id = "event.listName",
        .text = QT_TRANSLATE_NOOP("Action", "All of this name"),
        .help = QT_TRANSLATE_NOOP("Action", "List the events of this name"),
        .submenu = listMenu,
        .enabled = isKindListed,
        .run = [](const ActionContext& at) { list(at, {.name = nameOf(at), .kind = listedKind(at)}); },
    },
    {
        .id = "event.listKind",
        .text = QT_TRANSLATE_NOOP("Action", "All of this kind"),
        .help = QT_TRANSLATE_NOOP("Action", "List the events of this kind"),
        .submenu = listMenu,
        .enabled = isKindListed,
        .run = [](const ActionContext& at) { list(at, {.kind = listedKind(at)}); },
    },
    {
        .id = "event.listThread",
        .text = QT_TRANSLATE_NOOP("Action", "All on this thread"),
        .help = QT_TRANSLATE_NOOP("Action", "List the events on this thread"),
        .submenu = listMenu,
        .enabled = [](const ActionContext& at) { return isListed(at) && trackOf(at).device < 0; },
        .run = listBeside,
    },
    {
        .id = "event.listStream",
        .text = QT_TRANSLATE_NOOP("Action", "All on this stream"),
        .help = QT_TRANSLATE_NOOP("Action", "List the events on this stream"),
        .submenu = listMenu,
        .enabled =
            [](const ActionContext& at) {
                return isListed(at) && trackOf(at).device >= 0 && trackOf(at).stream >= 0;
            },
        .run = listBeside,
    },
    {
        .id = "event.listContext",
        .text = QT_TRANSLATE_NOOP("Action", "All in this context"),
        .help = QT_TRANSLATE_NOOP("Action", "List the events in this CUDA context"),
        .submenu = listMenu,
        .enabled =
            [](const ActionContext& at) {
                return isListed(at) && trackOf(at).device >= 0 && trackOf(at).stream < 0;
            },
        .run = listBeside,
    },
    {
        .id = "event.listProcess",
        .text = QT_TRANSLATE_NOOP("Action", "All of this process"),
        .help = QT_TRANSLATE_NOOP("Action", "List the events of this process"),
        .submenu = listMenu,
        .enabled =
            [](const ActionContext& at) {
                return hasPanels(at) && hasEvent(at) && processOf(trackOf(at).owner) != 0;
            },
        .run = [](const ActionContext& at) { list(at, {.process = processOf(trackOf(at).owner)}); },
    },
    {
        .id = "event.nameFigures",
        .text = QT_TRANSLATE_NOOP("Action", "Statistics of this name"),
        .help = QT_TRANSLATE_NOOP("Action", "Show durations of all events of this name"),
        .enabled = [](const ActionContext& at) { return hasPanels(at) && hasEvent(at); },
        .run =
            [](const ActionContext& at) {
                at.session.selection().setCurrentEvent(at.event);
                emit at.session.panelRequested("name");
            },
    },
    {
        .id = "event.highlightName",
        .text = QT_TRANSLATE_NOOP("Action", "Highlight all with this name"),
        .help = QT_TRANSLATE_NOOP("Action", "Highlight the events of this name"),
        .enabled = hasEvent,
        .run = [](const ActionContext& at) { at.session.selection().highlightName(kindOf(at), nameOf(at)); },
    },
    {
        .id = "event.copyName",
        .text = QT_TRANSLATE_NOOP("Action", "Copy name"),
        .help = QT_TRANSLATE_NOOP("Action", "Copy the name of the event"),
        .section = true,
        .enabled = hasEvent,
        .run = [](const ActionContext& at) { QApplication::clipboard()->setText(wholeTextOf(nameOf(at))); },
    },
    {
        .id = "event.copyDetails",
        .text = QT_TRANSLATE_NOOP("Action", "Copy details"),
        .help = QT_TRANSLATE_NOOP("Action", "Copy the details of the event"),
        .enabled = hasEvent,
        .run = copyDetails,
    },
    {
        .id = "event.copyNcu",
        .text = QT_TRANSLATE_NOOP("Action", "Copy ncu command"),
        .help = QT_TRANSLATE_NOOP("Action", "Copy the command that profiles this launch with Nsight Compute"),
        .enabled =
            [](const ActionContext& at) {
                return hasEvent(at) && kindOf(at) == EventKind::Kernel
                    && gpuMakerOf(traceOf(at)) == GpuMaker::Nvidia;
            },
        .run = copyNcuCommand,
    },
};

} // namespace

std::span<const Action> eventActions()
{
    static constexpr auto actions = actionsLike({.context = ContextMenu::Event}, eventActionList);
    return actions;
}

} // namespace warpline
