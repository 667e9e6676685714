// Actions that compare two runs, or two ranges of one run.

#include "views/actions/action.h"

#include "views/session/run_pair.h"

namespace warpline {

namespace {

/// The NVTX range under the mouse; not valid(): there is none.
EventId nvtxRangeAt(const ActionContext& at)
{
    const EventKind kind = at.event.event.kind;
    return kind == EventKind::Nvtx || kind == EventKind::NvtxProjected ? at.event : EventId();
}

/// "This range": the NVTX range under the mouse, else the selected range; empty: none.
TimeRange rangeOf(const ActionContext& at)
{
    const EventId nvtx = nvtxRangeAt(at);
    return nvtx.valid() ? at.session.workspace().range(nvtx) : at.session.time().selectedRange();
}

bool hasRange(const ActionContext& at)
{
    return !rangeOf(at).empty();
}

bool isOn(const ActionContext& at)
{
    return at.session.pair().isOn();
}

/// Both sides are one run, or there is no comparison yet.
bool takesTwoRanges(const ActionContext& at)
{
    RunPair& pair = at.session.pair();
    return hasRange(at) && (!pair.isOn() || pair.isWithinOne());
}

bool hasSteps(const ActionContext& at)
{
    return isOn(at) && at.session.pair().stepCount() > 0;
}

bool hasCurrentInBoth(const ActionContext& at)
{
    return isOn(at) && at.session.pair().a().selection().currentEvent().valid()
        && at.session.pair().b().selection().currentEvent().valid();
}

Ns beginOfCurrent(const Session& session)
{
    return session.workspace().range(session.selection().currentEvent()).start;
}

constexpr Action compareActionList[]{
    {
        .id = "compare.nextStep",
        .text = QT_TRANSLATE_NOOP("Action", "Next s&tep of both runs"),
        .help = QT_TRANSLATE_NOOP("Action", "Show the next step of both runs"),
        .keys = ".",
        .scope = KeyScope::UnlessTyping,
        .menu = MainMenu::Go,
        .section = true,
        .enabled = hasSteps,
        .run = [](const ActionContext& at) { at.session.pair().moveStep(true); },
    },
    {
        .id = "compare.previousStep",
        .text = QT_TRANSLATE_NOOP("Action", "Previous step of both r&uns"),
        .help = QT_TRANSLATE_NOOP("Action", "Show the previous step of both runs"),
        .keys = ",",
        .scope = KeyScope::UnlessTyping,
        .menu = MainMenu::Go,
        .enabled = hasSteps,
        .run = [](const ActionContext& at) { at.session.pair().moveStep(false); },
    },
    {
        .id = "compare.stretch",
        .text = QT_TRANSLATE_NOOP("Action", "Steps of &equal length"),
        .help = QT_TRANSLATE_NOOP("Action", "Draw steps of both runs at equal length, or to scale"),
        .keys = "=",
        .scope = KeyScope::UnlessTyping,
        .menu = MainMenu::View,
        .section = true,
        .enabled = isOn,
        .checked = [](const ActionContext& at) { return at.session.pair().isStretched(); },
        .run
        = [](const ActionContext& at) { at.session.pair().setStretched(!at.session.pair().isStretched()); },
    },
    {
        .id = "compare.align",
        .text = QT_TRANSLATE_NOOP("Action", "Align at the selected e&vents"),
        .help = QT_TRANSLATE_NOOP("Action", "Align the selected events of A and B"),
        .menu = MainMenu::View,
        .context = ContextMenu::Everywhere,
        .enabled = hasCurrentInBoth,
        .run =
            [](const ActionContext& at) {
                RunPair& pair = at.session.pair();
                pair.alignAt(beginOfCurrent(pair.a()), beginOfCurrent(pair.b()));
            },
    },
    {
        .id = "compare.mark",
        .text = QT_TRANSLATE_NOOP("Action", "Set as A"),
        .help = QT_TRANSLATE_NOOP("Action", "Use the NVTX range or the selected range as A"),
        .context = ContextMenu::Everywhere,
        .section = true,
        .enabled = takesTwoRanges,
        .run = [](const ActionContext& at) { at.session.pair().markAsA(rangeOf(at), nvtxRangeAt(at)); },
    },
    {
        .id = "compare.withMarked",
        .text = QT_TRANSLATE_NOOP("Action", "Compare with A"),
        .help = QT_TRANSLATE_NOOP("Action", "Compare the NVTX range or the selected range with A"),
        .context = ContextMenu::Everywhere,
        .enabled =
            [](const ActionContext& at) {
                const TimeRange marked = at.session.pair().markedAsA();
                return takesTwoRanges(at) && !marked.empty() && marked != rangeOf(at);
            },
        .contextText =
            [](const ActionContext& at) {
                QString range = at.session.pair().markedText();
                return QObject::tr("Compare with A (%1)").arg(range.replace('&', "&&"));
            },
        .run =
            [](const ActionContext& at) {
                RunPair& pair = at.session.pair();
                const TimeRange range = rangeOf(at); // the mark is removed when the rows appear
                pair.compareWithin(pair.markedAsA(), range);
                emit pair.a().panelRequested("compare");
            },
    },
    {
        .id = "compare.narrow",
        .text = QT_TRANSLATE_NOOP("Action", "Compare only this range"),
        .help = QT_TRANSLATE_NOOP("Action", "Compare only the NVTX range or the selected range of this run"),
        .context = ContextMenu::Everywhere,
        .enabled = [](const ActionContext& at) { return isOn(at) && hasRange(at); },
        .run =
            [](const ActionContext& at) {
                RunPair& pair = at.session.pair();
                pair.narrow(pair.sideOf(at.session), rangeOf(at));
            },
    },
    {
        .id = "compare.widen",
        .text = QT_TRANSLATE_NOOP("Action", "Compare all of this run"),
        .help = QT_TRANSLATE_NOOP("Action", "Compare the whole run again"),
        .context = ContextMenu::Everywhere,
        .enabled =
            [](const ActionContext& at) {
                RunPair& pair = at.session.pair();
                return isOn(at) && !pair.narrowed(pair.sideOf(at.session)).empty();
            },
        .run =
            [](const ActionContext& at) {
                RunPair& pair = at.session.pair();
                pair.narrow(pair.sideOf(at.session), {});
            },
    },
};

} // namespace

std::span<const Action> compareActions()
{
    return compareActionList;
}

} // namespace warpline
