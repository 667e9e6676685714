// What event colours show, and whether the bar below the rows explains them.

#include "views/actions/action.h"
#include "views/style/color_choice.h"

namespace warpline {

namespace {

constexpr const char* colorMenu = QT_TRANSLATE_NOOP("Action", "&Color by");

template <ColorBy by> bool isChosen(const ActionContext&)
{
    return ColorChoice::shared().by() == by;
}

template <ColorBy by> void choose(const ActionContext&)
{
    ColorChoice::shared().setBy(by);
}

constexpr Action colorActionList[]{
    {
        .id = "colors.name",
        .text = QT_TRANSLATE_NOOP("Action", "&Name"),
        .help = QT_TRANSLATE_NOOP(
            "Action", "Color kernels, NVTX ranges and library calls by name, and copies and calls by kind"),
        .menu = MainMenu::View,
        .submenu = colorMenu,
        .withoutReport = true,
        .oneOf = true,
        .checked = isChosen<ColorBy::Name>,
        .run = choose<ColorBy::Name>,
    },
    {
        .id = "colors.kind",
        .text = QT_TRANSLATE_NOOP("Action", "&Kind"),
        .help = QT_TRANSLATE_NOOP("Action", "Color kernels, and copies of each direction, alike"),
        .menu = MainMenu::View,
        .submenu = colorMenu,
        .withoutReport = true,
        .oneOf = true,
        .checked = isChosen<ColorBy::Kind>,
        .run = choose<ColorBy::Kind>,
    },
    {
        .id = "colors.class",
        .text = QT_TRANSLATE_NOOP("Action", "Kernel &class"),
        .help = QT_TRANSLATE_NOOP(
            "Action", "Color kernels by class, such as matrix product, attention or reduction"),
        .menu = MainMenu::View,
        .submenu = colorMenu,
        .withoutReport = true,
        .oneOf = true,
        .checked = isChosen<ColorBy::KernelClass>,
        .run = choose<ColorBy::KernelClass>,
    },
    {
        .id = "colors.stream",
        .text = QT_TRANSLATE_NOOP("Action", "&Stream and thread"),
        .help = QT_TRANSLATE_NOOP("Action", "Color events by stream or thread"),
        .menu = MainMenu::View,
        .submenu = colorMenu,
        .withoutReport = true,
        .oneOf = true,
        .checked = isChosen<ColorBy::Stream>,
        .run = choose<ColorBy::Stream>,
    },
    {
        .id = "colors.duration",
        .text = QT_TRANSLATE_NOOP("Action", "&Duration"),
        .help = QT_TRANSLATE_NOOP("Action", "Color events by duration"),
        .menu = MainMenu::View,
        .submenu = colorMenu,
        .withoutReport = true,
        .oneOf = true,
        .checked = isChosen<ColorBy::Duration>,
        .run = choose<ColorBy::Duration>,
    },
    {
        .id = "colors.ownNvtx",
        .text = QT_TRANSLATE_NOOP("Action", "NVTX ranges in their &own colors"),
        .help = QT_TRANSLATE_NOOP("Action", "Keep the colors that the program gave its NVTX ranges"),
        .menu = MainMenu::View,
        .submenu = colorMenu,
        .section = true,
        .withoutReport = true,
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
        .menu = MainMenu::View,
        .submenu = colorMenu,
        .withoutReport = true,
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
    return colorActionList;
}

} // namespace warpline
