// How counters are drawn: origin and range of their scale.

#include "views/actions/action.h"
#include "views/style/counter_scale.h"

namespace warpline {

namespace {

constexpr const char* countersMenu = QT_TRANSLATE_NOOP("Action", "Co&unters");

template <CounterBase base> bool isChosen(const ActionContext&)
{
    return CounterChoice::shared().base() == base;
}

template <CounterBase base> void choose(const ActionContext&)
{
    CounterChoice::shared().setBase(base);
}

constexpr Action counterActionList[]{
    {
        .id = "counters.zero",
        .text = QT_TRANSLATE_NOOP("Action", "From &zero"),
        .help = QT_TRANSLATE_NOOP("Action", "Start counter scales at zero"),
        .menu = MainMenu::View,
        .submenu = countersMenu,
        .context = ContextMenu::Row,
        .withoutReport = true,
        .oneOf = true,
        .checked = isChosen<CounterBase::Zero>,
        .run = choose<CounterBase::Zero>,
    },
    {
        .id = "counters.lowest",
        .text = QT_TRANSLATE_NOOP("Action", "From the &lowest value"),
        .help = QT_TRANSLATE_NOOP("Action", "Scale counters from lowest to highest value"),
        .menu = MainMenu::View,
        .submenu = countersMenu,
        .context = ContextMenu::Row,
        .withoutReport = true,
        .oneOf = true,
        .checked = isChosen<CounterBase::Lowest>,
        .run = choose<CounterBase::Lowest>,
    },
    {
        .id = "counters.log",
        .text = QT_TRANSLATE_NOOP("Action", "Loga&rithmic"),
        .help = QT_TRANSLATE_NOOP("Action", "Use a logarithmic scale"),
        .menu = MainMenu::View,
        .submenu = countersMenu,
        .context = ContextMenu::Row,
        .withoutReport = true,
        .oneOf = true,
        .checked = isChosen<CounterBase::Log>,
        .run = choose<CounterBase::Log>,
    },
    {
        .id = "counters.ofView",
        .text = QT_TRANSLATE_NOOP("Action", "Scale of what is in &view"),
        .help = QT_TRANSLATE_NOOP("Action", "Scale counters to the visible range"),
        .menu = MainMenu::View,
        .submenu = countersMenu,
        .context = ContextMenu::Row,
        .section = true,
        .withoutReport = true,
        .checked = [](const ActionContext&) { return CounterChoice::shared().isOfView(); },
        .run =
            [](const ActionContext&) {
                CounterChoice::shared().setOfView(!CounterChoice::shared().isOfView());
            },
    },
    {
        .id = "counters.shared",
        .text = QT_TRANSLATE_NOOP("Action", "One scale for counters of a &kind"),
        .help = QT_TRANSLATE_NOOP("Action", "Use one scale for counters of the same kind and unit"),
        .menu = MainMenu::View,
        .submenu = countersMenu,
        .context = ContextMenu::Row,
        .withoutReport = true,
        .checked = [](const ActionContext&) { return CounterChoice::shared().isShared(); },
        .run =
            [](const ActionContext&) {
                CounterChoice::shared().setShared(!CounterChoice::shared().isShared());
            },
    },
};

} // namespace

std::span<const Action> counterActions()
{
    return counterActionList;
}

} // namespace warpline
