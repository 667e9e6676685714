#include "app/key_sheet.h"

#include "app/actions/all_actions.h"
#include "views/actions/action_keys.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>

namespace warpline {

namespace {

enum class KeyGroup : std::uint8_t { Move, Events, Select, Find, Rows, Runs, Panels, Files, Help };

constexpr std::array groupTitles{
    QT_TRANSLATE_NOOP("KeySheet", "Move and zoom"),
    QT_TRANSLATE_NOOP("KeySheet", "Step through events"),
    QT_TRANSLATE_NOOP("KeySheet", "Select, measure and bookmark"),
    QT_TRANSLATE_NOOP("KeySheet", "Find and go to"),
    QT_TRANSLATE_NOOP("KeySheet", "Rows"),
    QT_TRANSLATE_NOOP("KeySheet", "Steps and compared runs"),
    QT_TRANSLATE_NOOP("KeySheet", "Panels"),
    QT_TRANSLATE_NOOP("KeySheet", "Reports and window"),
    QT_TRANSLATE_NOOP("KeySheet", "Help"),
};

/// Prefixes of actions' ids with their group; the first match counts.
struct Place {
    const char* begins;
    KeyGroup group;
};

constexpr Place placesOfActions[]{
    {"timeline.zoom", KeyGroup::Move},
    {"timeline.pan", KeyGroup::Move},
    {"timeline.focus", KeyGroup::Move},
    {"go.back", KeyGroup::Move},
    {"go.forward", KeyGroup::Move},
    {"go.all", KeyGroup::Move},
    {"go.selection", KeyGroup::Move},
    {"view.zoom", KeyGroup::Move},
    {"view.inspector", KeyGroup::Panels},
    {"view.drawer", KeyGroup::Panels},
    {"inspector.", KeyGroup::Panels},
    {"panel.", KeyGroup::Panels},
    {"timeline.previous", KeyGroup::Events},
    {"timeline.next", KeyGroup::Events},
    {"timeline.row", KeyGroup::Events},
    {"findings.", KeyGroup::Events},
    {"timeline.", KeyGroup::Select},
    {"event.", KeyGroup::Select},
    {"mark.", KeyGroup::Select},
    {"go.", KeyGroup::Find},
    {"rows.", KeyGroup::Rows},
    {"row.", KeyGroup::Rows},
    {"compare.", KeyGroup::Runs},
    {"file.", KeyGroup::Files},
    {"help.", KeyGroup::Help},
};

constexpr Place placesOfGestures[]{
    {"Wheel", KeyGroup::Move},
    {"Ctrl+wheel", KeyGroup::Move},
    {"Shift+wheel", KeyGroup::Move},
    {"Right drag", KeyGroup::Move},
    {"Double-click", KeyGroup::Move},
    {"", KeyGroup::Select},
};

KeyGroup groupOf(std::span<const Place> places, const QString& what, KeyGroup otherwise)
{
    const auto found
        = std::ranges::find_if(places, [&](const Place& place) { return what.startsWith(place.begins); });
    return found == places.end() ? otherwise : found->group;
}

QString titleOf(KeyGroup group)
{
    return QCoreApplication::translate("KeySheet", groupTitles.at(static_cast<std::size_t>(group)));
}

} // namespace

std::vector<KeyLine> keyLines()
{
    std::array<std::vector<KeyLine>, groupTitles.size()> groups;
    const auto add = [&groups](KeyGroup group, const QString& keys, const QString& help) {
        groups.at(static_cast<std::size_t>(group)).push_back({keys, help, titleOf(group)});
    };
    for (const Gesture& gesture : allGestures())
        add(groupOf(placesOfGestures, gesture.mouse, KeyGroup::Select),
            QCoreApplication::translate("Action", gesture.mouse),
            QCoreApplication::translate("Action", gesture.help));
    for (const Action* const action : allActions()) {
        const QString keys = keysText(keysOf(*action));
        const KeyGroup group = groupOf(placesOfActions, action->id, KeyGroup::Files);
        const bool isPanel = QString(action->id).startsWith("panel."); // the panel's help describes it
        if (!keys.isEmpty())
            add(group, keys, isPanel ? titledText(menuText(*action), helpText(*action)) : helpText(*action));
    }
    std::vector<KeyLine> lines;
    for (std::vector<KeyLine>& group : groups)
        std::ranges::move(group, std::back_inserter(lines));
    return lines;
}

QString keySheetHtml()
{
    QString html = "<table cellpadding=2>";
    QString group;
    for (const KeyLine& line : keyLines()) {
        if (line.group != group) {
            group = line.group;
            html += "<tr><td colspan=2 style='padding-top:10px'><big><b>" + group.toHtmlEscaped()
                + "</b></big></td></tr>";
        }
        html += "<tr><td style='padding-right:14px'><b>" + line.keys.toHtmlEscaped().replace(' ', "&nbsp;")
            + "</b></td><td>" + line.help.toHtmlEscaped() + "</td></tr>";
    }
    return html + "</table>";
}

} // namespace warpline
