// What event colours show, and whether the bar below the rows explains them.

#include "views/actions/action.h"
#include "views/style/color_choice.h"

namespace warpline {

namespace {

template <ColorBy by> constexpr Action coloring(const char* id, const char* text, const char* help)
{
    return {
        .id = id,
        .text = text,
        .help = help,
        .oneOf = true,
        .checked = [](const ActionContext&) { return ColorChoice::shared().by() == by; },
        .run = [](const ActionContext&) { ColorChoice::shared().setBy(by); },
    };
}

constexpr Action colorActionList[]{
    coloring<ColorBy::Name>("colors.name", QT_TRANSLATE_NOOP("Action", "&Name"),
        QT_TRANSLATE_NOOP(
            "Action", "Color kernels, NVTX ranges and library calls by name, and copies and calls by kind")),
    coloring<ColorBy::Kind>("colors.kind", QT_TRANSLATE_NOOP("Action", "&Kind"),
        QT_TRANSLATE_NOOP("Action", "Color kernels, and copies of each direction, alike")),
    coloring<ColorBy::KernelClass>("colors.class", QT_TRANSLATE_NOOP("Action", "Kernel &class"),
        QT_TRANSLATE_NOOP(
            "Action", "Color kernels by class, such as matrix product, attention or reduction")),
    coloring<ColorBy::Stream>("colors.stream", QT_TRANSLATE_NOOP("Action", "&Stream and thread"),
        QT_TRANSLATE_NOOP("Action", "Color events by stream or thread")),
    coloring<ColorBy::Duration>("colors.duration", QT_TRANSLATE_NOOP("Action", "&Duration"),
        QT_TRANSLATE_NOOP("Action", "Color events by duration")),
    {
        .id = "colors.ownNvtx",
        .text = QT_TRANSLATE_NOOP("Action", "NVTX ranges in their &own colors"),
        .help = QT_TRANSLATE_NOOP("Action", "Keep the colors that the program gave its NVTX ranges"),
        .section = true,
        .checked = [](const ActionContext&) { return ColorChoice::shared().usesOwnNvtxColors(); },
        .run =
            [](const ActionContext&) {
                ColorChoice& choice = ColorChoice::shared();
                choice.setUsesOwnNvtxColors(!choice.usesOwnNvtxColors());
            },
    },
    {
        .id = "colors.legend",
        .text = QT_TRANSLATE_NOOP("Action", "&Legend"),
        .help = QT_TRANSLATE_NOOP("Action", "Explain the colors below the rows"),
        .checked = [](const ActionContext&) { return ColorChoice::shared().showsLegend(); },
        .run =
            [](const ActionContext&) {
                ColorChoice::shared().setShowsLegend(!ColorChoice::shared().showsLegend());
            },
    },
};

} // namespace

std::span<const Action> colorActions()
{
    static constexpr auto actions = actionsLike(
        {.menu = MainMenu::View, .submenu = QT_TRANSLATE_NOOP("Action", "&Color by"), .withoutReport = true},
        colorActionList);
    return actions;
}

} // namespace warpline
