#include "views/panels/events_panel.h"

#include "core/base/format_instant.h"
#include "views/actions/window_action.h"
#include "views/models/events_text.h"
#include "views/models/written_files.h"
#include "views/panels/events_copy.h"
#include "views/panels/events_filter_bar.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/long_table.h"
#include "views/panels/table_columns.h"
#include "views/session/filter_edit.h"
#include "views/session/report_scope.h"
#include "views/style/elided_label.h"
#include "views/style/empty_note.h"
#include "views/style/rich_text.h"
#include "views/style/text_scale.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <limits>
#include <utility>

namespace warpline {

EventsPanel::EventsPanel(Session& session, QWidget* parent)
    : Panel(session, parent),
      m_model(new EventsModel(session, this)),
      m_table(new LongTable(this)),
      m_nested(new NestedEventsModel(session, this)),
      m_tree(new QTreeView(this)),
      m_stack(new QStackedWidget(this)),
      m_nest(new QToolButton(this)),
      m_filter(new EventsFilterBar(session, this)),
      m_count(new ElidedLabel(Qt::ElideRight, this))
{
    m_model->setActive(false); // until it is shown
    auto* const save = new TableExport(
        session, "events", [this](std::size_t) { return shownTable(*m_model); }, this);
    save->menu()->addAction(tr("Save all as CSV\u2026"), this, &EventsPanel::askForFile);
    makeTable();
    makeTree();

    auto* const bar = barLayout({{m_filter, 1}, m_nest, m_count, new WayBack(m_session, this), save});
    fillColumn(this, 3, {bar, m_stack});
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_tree);

    connect(m_model, &EventsModel::busyChanged, this, &EventsPanel::showCount);
    connect(m_model, &EventsModel::updated, this, [this] {
        showOrder();
        nest();
        showCurrent();
        showFirst();
        emit updated();
    });
    connect(&m_session.selection(), &Selection::currentEventChanged, this, &EventsPanel::showCurrent);
    connect(&m_session.selection(), &Selection::filterChanged, this, [this] {
        m_isFilteredAnew = true;
        showCount();
    });
    connect(&m_session.scope(), &ReportScope::changed, this, [this] {
        const EventFilter filter = m_session.selection().filter();
        m_session.selection().setFilter({}); // the filter's events are now marked in other reports
        m_session.selection().setFilter(filter);
    });
    connect(&m_session.selection(), &Selection::highlightedChanged, m_table->viewport(),
        qOverload<>(&QWidget::update));
    connect(save, &TableExport::messages, this, &EventsPanel::messages);
    connect(&m_export, &FileWriter::messages, this, &EventsPanel::messages);
    connectTable();
    connectTree();
}

FilterEdit& EventsPanel::nameFilter()
{
    return m_filter->text();
}

void EventsPanel::makeTable()
{
    m_table->setObjectName("events-table");
    styleTable(*m_table);
    m_table->setModel(m_model);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    showOrder();
    const auto widthOfTitle = [this](int column) {
        constexpr int room = 30; // room for the sort indicator
        return m_table->horizontalHeader()->fontMetrics().horizontalAdvance(
                   m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString())
            + room;
    };
    int column = 0;
    // Long texts may be cut; a number without its unit says nothing.
    for (const int width :
        {340, inTextSize(130), inTextSize(95), 190, 150, inTextSize(60), inTextSize(85), inTextSize(130)}) {
        m_table->setColumnWidth(column, std::max(width, widthOfTitle(column)));
        ++column;
    }
    widenStart();
    // Payload fields have columns of their own, which differ between reports: their titles are shown in full.
    connect(m_model, &QAbstractItemModel::modelReset, this,
        [this, widthOfTitle, own = column, known = QStringList()]() mutable {
            QStringList titles;
            for (int i = own; i < m_model->columnCount(); ++i)
                titles << m_model->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
            if (titles == known)
                return; // sorted again: keeps the widths
            known = titles;
            for (int i = own; i < m_model->columnCount(); ++i)
                m_table->setColumnWidth(i, std::max(m_table->columnWidth(i), widthOfTitle(i)));
        });
    auto* const note = new EmptyNote(*m_table, [this] {
        if (!m_model->failure().isEmpty())
            return m_model->failure();
        if (m_model->isBusy() || !m_session.hasReport())
            return QString();
        const bool ofSelection
            = !m_session.time().selectedRange().empty() || !m_session.selection().selectedRows().empty();
        if (m_session.selection().filter() != EventFilter())
            return ofSelection
                ? tr(
                    "No events in the selection match the filter. Press Esc in the timeline to clear the selection.")
                : tr("No events match the filter.");
        if (ofSelection)
            return tr("No events in this range. Press Esc in the timeline to clear it.");
        return tr("This report contains no events.");
    });
    connect(m_model, &EventsModel::busyChanged, note, &EmptyNote::refresh);
    connect(m_model, &EventsModel::updated, note, &EmptyNote::refresh);
    constexpr int widest = 260;
    widenColumns(*m_table, {static_cast<int>(EventColumn::Where), static_cast<int>(EventColumn::Process)},
        static_cast<int>(EventColumn::Name), widest);
    stretchColumn(*m_table, static_cast<int>(EventColumn::Name));
}

/// Columns come and go with reports, and the order of one that goes ends.
void EventsPanel::showOrder()
{
    const QSignalBlocker isSorted(m_table->horizontalHeader());
    m_table->horizontalHeader()->setSortIndicator(m_model->sortedColumn(), m_model->sortOrder());
}

void EventsPanel::widenStart()
{
    constexpr int start = static_cast<int>(EventColumn::Start);
    m_table->setColumnWidth(start, std::max(m_table->columnWidth(start), widthOfInstants(*m_table)));
}

void EventsPanel::changeEvent(QEvent* event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        widenStart();
}

void EventsPanel::saveState(QSettings& settings) const
{
    settings.setValue("nested", m_nest->isChecked());
}

void EventsPanel::restoreState(const QSettings& settings)
{
    m_nest->setChecked(settings.value("nested").toBool());
}

void EventsPanel::connectTable()
{
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) {
            if (m_following || !current.isValid())
                return;
            // The row must stay under the mouse: no scrolling to a selection made here.
            m_leading = true;
            m_session.selection().setCurrentEvent(m_model->idAt(current.row()));
            m_leading = false;
        });
    connect(m_table, &QTableView::doubleClicked, this,
        [this](const QModelIndex& index) { m_session.selection().goTo(m_model->idAt(index.row())); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        // The return key; a double-click is handled separately.
        const EventId event = m_model->idAt(index.row());
        if (m_session.selection().currentEvent() != event)
            m_session.selection().goTo(event);
    });
    connect(m_table, &QTableView::customContextMenuRequested, this, &EventsPanel::openMenu);
    auto* const copy = new QShortcut(QKeySequence::Copy, m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, [this] { copySelection(); });
}

void EventsPanel::showReport()
{
    m_filter->showFilter(); // the model follows the session itself
    showCount();
}

void EventsPanel::clear()
{
    m_filter->showFilter(); // a loading report lists the events read up to now
    showCount();
}

void EventsPanel::showEvent(QShowEvent* event)
{
    m_model->setActive(true);
    Panel::showEvent(event);
}

void EventsPanel::hideEvent(QHideEvent* event)
{
    m_model->setActive(false);
    Panel::hideEvent(event);
}

void EventsPanel::openMenu(QPoint position)
{
    const EventId event = m_model->idAt(m_table->indexAt(position).row());
    if (!event.valid())
        return;
    QMenu menu;
    fillMenu(menu, event);
    menu.exec(m_table->viewport()->mapToGlobal(position));
}

void EventsPanel::showCount()
{
    if (m_model->isBusy() || !m_model->failure().isEmpty()) {
        m_count->setWhole(m_model->isBusy() ? tr("\u2026") : QString());
        return;
    }
    // A filter to a stream or thread counts instead of the selected rows.
    const std::size_t rows
        = m_session.selection().filter().tracks.empty() ? m_session.selection().selectedRows().size() : 0;
    const bool ofRange = !m_session.time().selectedRange().empty();
    QString text = ofRange && rows > 0 ? tr("%1 events in the selection, sum of whole durations: %2")
        : ofRange                      ? tr("%1 events in the selected range, sum of whole durations: %2")
        : rows == 1                    ? tr("%1 events, %2 in the selected row")
        : rows > 1                     ? tr("%1 events, %2 in %3 selected rows")
                                       : tr("%1 events, %2");
    const std::size_t listed = m_model->list().size();
    if (listed == 1)
        text.replace(tr("%1 events"), tr("%1 event"));
    text = text.arg(numberText(listed), durationText(m_model->list().totalDuration()));
    m_count->setWhole(rows > 1 && !ofRange ? text.arg(rows) : text);
}

void EventsPanel::showCurrent()
{
    showCount();
    if (m_leading || !isVisible())
        return;
    if (m_nest->isChecked()) {
        m_following = true;
        m_tree->setCurrentIndex(m_nested->indexOf(m_session.selection().currentEvent()));
        m_following = false;
        return;
    }
    m_following = true;
    const int row = m_model->rowOf(m_session.selection().currentEvent());
    if (row >= 0) {
        m_table->selectRow(row);
        m_table->scrollTo(m_model->index(row, 0));
    } else {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    }
    m_following = false;
}

/// The list of another filter begins at its top where the current event is not in it.
void EventsPanel::showFirst()
{
    if (!m_model->isBusy() && std::exchange(m_isFilteredAnew, false)
        && m_model->rowOf(m_session.selection().currentEvent()) < 0)
        m_table->scrollToTop();
}

std::vector<std::string> EventsPanel::labelsOfReports() const
{
    std::vector<std::string> labels;
    for (const OpenReport& report : m_session.workspace().reports())
        labels.push_back(report.label);
    return labels;
}

void EventsPanel::copySelection(std::size_t most)
{
    const QItemSelection selection = m_table->selectionModel()->selection();
    RowStretches rows = stretchesOf(selection, most);
    const std::size_t count = rowsIn(rows);
    const std::size_t selected = rowsIn(stretchesOf(selection, std::numeric_limits<std::size_t>::max()));
    if (count == 0)
        return;
    m_copy.start([list = m_model->sharedList(), labels = labelsOfReports(), rows = std::move(rows)](
                     const std::stop_token& stop) { return textOfRows(*list, labels, rows, stop); },
        [this, count, selected](const QString& text) {
            QApplication::clipboard()->setText(text);
            emit messages(
                count < selected ? tr(
                    "Copied the first %1 of %2 events. To keep all, choose File > Export > Events as CSV.")
                                       .arg(numberText(count), numberText(selected))
                    : count == 1 ? tr("Copied 1 event")
                                 : tr("Copied %1 events").arg(numberText(count)));
        });
}

void EventsPanel::askForFile()
{
    if (!m_export.isRead(m_session.workspace().isComplete()))
        return;
    const QString path = m_export.ask(tr("Save events"), "events.csv", tr("CSV (*.csv)"));
    if (!path.isEmpty())
        exportCsv(path);
}

void EventsPanel::exportCsv(const QString& path)
{
    emit messages(tr("Writing %1 \u2026").arg(path));
    m_export.start(
        path, [make = m_model->makeList(), labels = labelsOfReports(), path](const std::stop_token& stop) {
            return writeEventsCsv(*make(stop), labels, path, stop);
        });
}

namespace {

constexpr Action eventsPanelActions[]{
    {
        .id = "events.copyRows",
        .text = QT_TRANSLATE_NOOP("Action", "Copy selected rows"),
        .help = QT_TRANSLATE_NOOP("Action", "Copy the selected rows of the Events panel"),
        .context = ContextMenu::Event,
        .run = [](const ActionContext& at) { at.part<EventsPanel>()->copySelection(); },
    },
    {
        .id = "events.export",
        .text = QT_TRANSLATE_NOOP("Action", "&Events as CSV\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Save the listed events as CSV"),
        .menu = MainMenu::File,
        .submenu = QT_TRANSLATE_NOOP("Action", "&Export"),
        .enabled = areReportsRead,
        .run = [](const ActionContext& at) { at.part<EventsPanel>()->askForFile(); },
    },
};

} // namespace

void EventsPanel::fillMenu(QMenu& menu, EventId event)
{
    const ActionContext context{m_session, this, event};
    addContextActions(menu, eventActions(), ContextMenu::Event, context);
    addContextActions(menu, eventsPanelActions, ContextMenu::Event, context);
    menu.addSeparator();
    addContextActions(menu, sessionActions(), ContextMenu::Everywhere, context);
    addWhatIsThis(menu, context);
}

extern const PanelKind eventsPanel;
const PanelKind eventsPanel{
    .id = "events",
    .title = QT_TRANSLATE_NOOP("Action", "Events"),
    .help = QT_TRANSLATE_NOOP("Action", "Events of the selected rows and range"),
    .place = PanelPlace::Below,
    .about = PanelReports::Several,
    .keys = "Ctrl+1",
    .make = makePanel<EventsPanel>,
    .actions = eventsPanelActions,
};

} // namespace warpline
