#include "views/panels/table_export.h"

#include "views/actions/window_action.h"
#include "views/models/cells_model.h"
#include "views/models/events_model.h"
#include "views/models/stats_model.h"
#include "views/models/table_text.h"
#include "views/models/written_files.h"
#include "views/models/written_roles.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace warpline {

namespace {

std::string_view symbolOf(Unit unit)
{
    switch (unit) {
    case Unit::Nanoseconds:
    case Unit::NanosecondsReal:
        return " (ns)";
    case Unit::Bytes:
        return " (B)";
    case Unit::BytesPerSecond:
        return " (B/s)";
    case Unit::Percent:
        return " (%)";
    case Unit::Megabytes:
        return " (MB)";
    default:
        return {};
    }
}

/// A cell as files have it: a plain number where its column has a unit, and no number where it shows none.
Cell writtenCell(const QModelIndex& index, Unit unit)
{
    const QString shown = index.data().toString();
    const QVariant number = unit == Unit::Text ? QVariant() : index.data(numberRole);
    if (!number.isValid())
        return shown.isEmpty() && unit != Unit::Text ? Cell() : Cell(shown.toStdString());
    const bool isReal = unit == Unit::NanosecondsReal || unit == Unit::Percent || unit == Unit::Real
        || unit == Unit::Rate || unit == Unit::AsStored;
    return isReal ? Cell(number.toDouble())
                  : Cell(static_cast<std::int64_t>(std::llround(number.toDouble())));
}

/// Rows are made where they are written: millions would hold up the window.
ShownTable shownEvents(const EventsModel& events)
{
    auto cells = std::make_shared<Cells>(events.cells());
    for (Column& column : cells->columns)
        column.title += symbolOf(column.unit);
    return wholeTable(std::move(cells));
}

} // namespace

ShownTable wholeTable(std::shared_ptr<const Cells> cells)
{
    std::vector<std::uint32_t> order(cells->rowCount());
    std::iota(order.begin(), order.end(), 0U);
    return {std::move(cells), std::move(order)};
}

ShownTable shownTable(const QAbstractItemModel& model, std::size_t most)
{
    if (const auto* const stats = qobject_cast<const StatsModel*>(&model))
        return {stats->cells(), stats->order()};
    if (const auto* const events = qobject_cast<const EventsModel*>(&model))
        return shownEvents(*events);
    auto cells = std::make_shared<Cells>();
    for (int column = 0; column < model.columnCount(); ++column) {
        const QVariant unit = model.headerData(column, Qt::Horizontal, unitRole);
        cells->columns.push_back({model.headerData(column, Qt::Horizontal).toString().toStdString(),
            unit.isValid() ? static_cast<Unit>(unit.toInt()) : Unit::Text});
    }
    const auto* const ofRange = qobject_cast<const CellsModel*>(&model);
    const TimeRange range = ofRange ? ofRange->range() : TimeRange();
    if (!range.empty()) {
        cells->columns.push_back({TableExport::tr("Range start").toStdString(), Unit::Nanoseconds});
        cells->columns.push_back({TableExport::tr("Range end").toStdString(), Unit::Nanoseconds});
    }
    for (Column& column : cells->columns)
        column.title += symbolOf(column.unit);
    const auto all = static_cast<std::size_t>(model.rowCount());
    const int lines = static_cast<int>(std::min(all, most));
    for (int line = 0; line < lines; ++line) {
        std::vector<Cell> row;
        for (int column = 0; column < model.columnCount(); ++column)
            row.push_back(writtenCell(
                model.index(line, column), cells->columns[static_cast<std::size_t>(column)].unit));
        if (!range.empty()) {
            row.emplace_back(range.start);
            row.emplace_back(range.end);
        }
        cells->addRow(std::move(row));
    }
    ShownTable shown = wholeTable(std::move(cells));
    shown.leftOut = all - shown.order.size();
    return shown;
}

TableExport::TableExport(Session& session, QString ending, Content table, QWidget* parent)
    : QToolButton(parent),
      m_session(session),
      m_ending(std::move(ending)),
      m_table(std::move(table))
{
    connect(&m_writer, &FileWriter::messages, this, &TableExport::messages);
    setObjectName("table-export");
    setText(tr("Export"));
    setToolTip(tr("Copy or save the table"));
    setPopupMode(QToolButton::InstantPopup);
    auto* const menu = new QMenu(this);
    menu->addAction(tr("Copy"), this, [this] { copyAs("tsv"); });
    menu->addAction(tr("Copy as CSV"), this, [this] { copyAs("csv"); });
    menu->addAction(tr("Copy as Markdown"), this, [this] { copyAs("markdown"); });
    menu->addAction(tr("Copy as JSON"), this, [this] { copyAs("json"); });
    menu->addAction(tr("Save to file\u2026"), this, &TableExport::askForFile);
    setMenu(menu);
}

void TableExport::serve(QAbstractItemView& view)
{
    view.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&view, &QWidget::customContextMenuRequested, this, [this, &view](QPoint position) {
        auto* const offered = new QMenu(&view);
        offered->setAttribute(Qt::WA_DeleteOnClose);
        offered->addActions(menu()->actions());
        addWhatIsThis(*offered, {m_session, &view, EventId{}});
        offered->popup(view.viewport()->mapToGlobal(position));
    });
}

bool TableExport::isThere(const ShownTable& table)
{
    const bool isThere = !table.cells->columns.empty();
    if (!isThere)
        emit messages(tr("No table to export yet."));
    return isThere;
}

void TableExport::copyAs(const QString& format, std::size_t most)
{
    ShownTable table = m_table(most);
    if (!isThere(table))
        return;
    const std::size_t all = table.order.size() + table.leftOut;
    table.order.resize(std::min(table.order.size(), most));
    emit messages(tr("Copying the table \u2026"));
    m_job.start(
        [table, format](
            const std::stop_token& stop) { return tableText(*table.cells, table.order, format, stop); },
        [this, copied = table.order.size(), all](const QString& text) {
            QApplication::clipboard()->setText(text);
            emit messages(copied == all
                    ? tr("Copied the table")
                    : tr("Copied the first %1 of %2 rows. To keep all, save the table to a file.")
                          .arg(numberText(copied), numberText(all)));
        });
}

void TableExport::askForFile()
{
    const QString path = m_writer.ask(tr("Save table"), m_ending + ".csv",
        tr("CSV (*.csv);;Tab-separated values (*.tsv);;Markdown (*.md);;JSON (*.json)"));
    if (!path.isEmpty())
        write(path);
}

void TableExport::write(const QString& path)
{
    const ShownTable table = m_table(std::numeric_limits<std::size_t>::max());
    if (!isThere(table))
        return;
    m_writer.start(path, [table, path](const std::stop_token& stop) {
        return writeTable(path, *table.cells, table.order, stop);
    });
}

std::vector<TableExport*> offerTables(QWidget& panel, Session& session, const QString& ending)
{
    std::vector<TableExport*> offered;
    for (QTableView* const view : panel.findChildren<QTableView*>()) {
        if (view->contextMenuPolicy() != Qt::DefaultContextMenu)
            continue;
        auto* const made = new TableExport(
            session, ending,
            [view](std::size_t most) { // a panel may have taken the model away while the menu was open
                return view->model() ? shownTable(*view->model(), most) : ShownTable();
            },
            &panel);
        made->hide(); // only its menu is used
        made->serve(*view);
        offered.push_back(made);
    }
    return offered;
}

} // namespace warpline
