// Actions for a row of the timeline.

#include "core/workspace/row_pairs.h"
#include "views/actions/action.h"
#include "views/session/session.h"

namespace warpline {

namespace {

constexpr double stretch = 1.5;

bool hasRow(const ActionContext& at)
{
    return at.row != RowTree::root;
}

bool hasRowsBelow(const ActionContext& at)
{
    return hasRow(at) && !at.session.rows().children(at.row).empty();
}

constexpr Action rowActionList[]{
    {
        .id = "row.show",
        .text = QT_TRANSLATE_NOOP("Action", "List row in Events"),
        .help = QT_TRANSLATE_NOOP("Action", "List the events of the row"),
        .section = true,
        .enabled = [](const ActionContext& at) { return hasPanels(at) && hasRow(at); },
        .run =
            [](const ActionContext& at) {
                at.session.selection().selectRows({at.row});
                emit at.session.panelRequested("events");
            },
    },
    {
        .id = "row.pin",
        .text = QT_TRANSLATE_NOOP("Action", "&Pin row to the top"),
        .help = QT_TRANSLATE_NOOP("Action", "Keep the row at the top"),
        .enabled
        = [](const ActionContext& at) { return hasRow(at) && !at.session.rowView().isPinned(at.row); },
        .run = [](const ActionContext& at) { at.session.rowView().setPinned(at.row, true); },
    },
    {
        .id = "row.pinSame",
        .text = QT_TRANSLATE_NOOP("Action", "Pin the same row of all reports"),
        .help = QT_TRANSLATE_NOOP("Action", "Pin this row of every rank at the top"),
        .enabled =
            [](const ActionContext& at) {
                return hasRow(at) && at.session.workspace().reports().size() > 1
                    && sameRows(at.session.workspace(), at.row).size() > 1;
            },
        .run =
            [](const ActionContext& at) {
                for (const RowId row : sameRows(at.session.workspace(), at.row))
                    at.session.rowView().setPinned(row, true);
            },
    },
    {
        .id = "row.unpin",
        .text = QT_TRANSLATE_NOOP("Action", "&Unpin row"),
        .help = QT_TRANSLATE_NOOP("Action", "Unpin the row"),
        .enabled
        = [](const ActionContext& at) { return hasRow(at) && at.session.rowView().isPinned(at.row); },
        .run = [](const ActionContext& at) { at.session.rowView().setPinned(at.row, false); },
    },
    {
        .id = "row.hide",
        .text = QT_TRANSLATE_NOOP("Action", "Hi&de row"),
        .help = QT_TRANSLATE_NOOP("Action", "Hide the row and its children"),
        .enabled = hasRow,
        .run = [](const ActionContext& at) { at.session.rowView().setHidden(at.row, true); },
    },
    {
        .id = "row.expand",
        .text = QT_TRANSLATE_NOOP("Action", "Expand all below"),
        .help = QT_TRANSLATE_NOOP("Action", "Expand the row and its children"),
        .enabled = hasRowsBelow,
        .run = [](const ActionContext& at) { at.session.rowView().setExpandedBelow(at.row, true); },
    },
    {
        .id = "row.collapse",
        .text = QT_TRANSLATE_NOOP("Action", "Collapse all below"),
        .help = QT_TRANSLATE_NOOP("Action", "Collapse the row and its children"),
        .enabled = hasRowsBelow,
        .run = [](const ActionContext& at) { at.session.rowView().setExpandedBelow(at.row, false); },
    },
    {
        .id = "row.taller",
        .text = QT_TRANSLATE_NOOP("Action", "&Taller row"),
        .help = QT_TRANSLATE_NOOP("Action", "Increase row height"),
        .enabled = hasRow,
        .run =
            [](const ActionContext& at) {
                at.session.rowView().setRowScale(at.row, at.session.rowView().rowScale(at.row) * stretch);
            },
    },
    {
        .id = "row.shorter",
        .text = QT_TRANSLATE_NOOP("Action", "&Shorter row"),
        .help = QT_TRANSLATE_NOOP("Action", "Decrease row height"),
        .enabled = hasRow,
        .run =
            [](const ActionContext& at) {
                at.session.rowView().setRowScale(at.row, at.session.rowView().rowScale(at.row) / stretch);
            },
    },
    {
        .id = "row.usualHeight",
        .text = QT_TRANSLATE_NOOP("Action", "Reset row height"),
        .help = QT_TRANSLATE_NOOP("Action", "Restore the default row height"),
        .enabled
        = [](const ActionContext& at) { return hasRow(at) && at.session.rowView().rowScale(at.row) != 1; },
        .run = [](const ActionContext& at) { at.session.rowView().setRowScale(at.row, 1); },
    },
};

} // namespace

std::span<const Action> rowActions()
{
    static constexpr auto actions = actionsLike({.context = ContextMenu::Row}, rowActionList);
    return actions;
}

} // namespace warpline
