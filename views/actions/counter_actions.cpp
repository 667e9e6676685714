// How counters are drawn: origin and range of their scale.

#include "views/actions/action.h"
#include "views/style/counter_scale.h"

namespace warpline {

namespace {

template <CounterBase base> constexpr Action counterScale(const char* id, const char* text, const char* help)
{
    return {
        .id = id,
        .text = text,
        .help = help,
        .oneOf = true,
        .checked = [](const ActionContext&) { return CounterChoice::shared().base() == base; },
        .run = [](const ActionContext&) { CounterChoice::shared().setBase(base); },
    };
}

constexpr Action counterActionList[]{
    counterScale<CounterBase::Zero>("counters.zero", QT_TRANSLATE_NOOP("Action", "From &zero"),
        QT_TRANSLATE_NOOP("Action", "Start counter scales at zero")),
    counterScale<CounterBase::Lowest>("counters.lowest",
        QT_TRANSLATE_NOOP("Action", "From the &lowest value"),
        QT_TRANSLATE_NOOP("Action", "Scale counters from lowest to highest value")),
    counterScale<CounterBase::Log>("counters.log", QT_TRANSLATE_NOOP("Action", "Loga&rithmic"),
        QT_TRANSLATE_NOOP("Action", "Use a logarithmic scale")),
    {
        .id = "counters.ofView",
        .text = QT_TRANSLATE_NOOP("Action", "Scale of what is in &view"),
        .help = QT_TRANSLATE_NOOP("Action", "Scale counters to the visible range"),
        .section = true,
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
    static constexpr auto actions = actionsLike({.menu = MainMenu::View,
                                                    .submenu = QT_TRANSLATE_NOOP("Action", "Co&unters"),
                                                    .context = ContextMenu::Row,
                                                    .withoutReport = true},
        counterActionList);
    return actions;
}

} // namespace warpline
