#include "views/panels/events_panel.h"

#include "core/base/duration_text.h"
#include "core/base/format.h"
#include "core/base/stop.h"
#include "core/query/event_text.h"
#include "core/store/place_names.h"
#include "views/models/events_text.h"
#include "views/models/written_files.h"
#include "views/panels/judged_range.h"
#include "views/panels/long_table.h"
#include "views/panels/table_columns.h"
#include "views/panels/table_export.h"
#include "views/session/filter_edit.h"
#include "views/session/report_scope.h"
#include "views/style/empty_note.h"
#include "views/style/rich_text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace warpline {

namespace {

constexpr std::size_t mostCopied = 1'000'000; // more is a matter for a file

bool parseDuration(const QString& text, Ns& duration)
{
    const auto time = parseTime(text.toStdString());
    if (time.ok())
        duration = time.value();
    return time.ok() && duration >= 0;
}

} // namespace

bool parseDurationFilter(const QString& text, Ns& least, Ns& most)
{
    least = 0;
    most = std::numeric_limits<Ns>::max();
    const QString plain = text.trimmed();
    if (plain.isEmpty())
        return true;
    if (plain.startsWith('>'))
        return parseDuration(plain.mid(plain.startsWith(">=") ? 2 : 1), least);
    if (plain.startsWith('<'))
        return parseDuration(plain.mid(plain.startsWith("<=") ? 2 : 1), most);
    if (const auto dash = plain.indexOf('-'); dash > 0)
        return parseDuration(plain.left(dash), least) && parseDuration(plain.mid(dash + 1), most);
    return parseDuration(plain, least);
}

namespace {

constexpr int durationWidth = 210; ///< of the field of durations; more where its text needs it

} // namespace

QString durationFilterText(Ns least, Ns most)
{
    if (most == std::numeric_limits<Ns>::max())
        return QString(">= %1ns").arg(least);
    return least <= 0 ? QString("<= %1ns").arg(most) : QString("%1ns - %2ns").arg(least).arg(most);
}

EventsPanel::EventsPanel(Session& session, QWidget* parent)
    : Panel(session, parent),
      m_model(new EventsModel(session, this)),
      m_table(new LongTable(this)),
      m_nested(new NestedEventsModel(session, this)),
      m_tree(new QTreeView(this)),
      m_stack(new QStackedWidget(this)),
      m_nest(new QToolButton(this)),
      m_text(new FilterEdit(session, this)),
      m_duration(new QLineEdit(this)),
      m_clear(new QToolButton(this)),
      m_count(new QLabel(this))
{
    setProperty("isAboutSeveral", true); // reports: see ReportChooser
    m_model->setActive(false); // until it is shown
    m_text->setObjectName("events-filter");
    m_text->setPlaceholderText(tr("Filter: a part of a name, dur>50us, stream=7 \u2026"));
    m_text->setClearButtonEnabled(true);
    m_duration->setPlaceholderText(tr("Duration: > 10us"));
    m_duration->setToolTip(tr("> 10us, < 5ms, or 1ms-5ms"));
    m_duration->setClearButtonEnabled(true);
    m_duration->setMaximumWidth(durationWidth);
    m_clear->setToolTip(tr("Clear the filter"));
    m_clear->hide();
    constexpr int mostExported = 100'000; // more is a matter for a file
    auto* const save = new TableExport(
        session, "events", [this] { return shownTable(*m_model, mostExported); }, this);
    save->menu()->addAction(tr("Write all as CSV\u2026"), this, &EventsPanel::askForFile);
    makeTable();
    makeTree();

    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(4, 3, 4, 0);
    bar->addWidget(m_text, 1);
    bar->addWidget(m_duration);
    bar->addWidget(m_clear);
    bar->addWidget(m_nest);
    bar->addWidget(m_count);
    bar->addWidget(new WayBack(m_session, this));
    bar->addWidget(save);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addLayout(bar);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_tree);
    layout->addWidget(m_stack);

    connect(m_text, &FilterEdit::filterTyped, this, &EventsPanel::applyFilter);
    connect(m_duration, &QLineEdit::textChanged, this, &EventsPanel::applyFilter);
    connect(m_clear, &QToolButton::clicked, this, [this] { m_session.setFilter({}); });
    connect(m_model, &EventsModel::busyChanged, this, &EventsPanel::showCount);
    connect(m_model, &EventsModel::updated, this, [this] {
        nest();
        showCurrent();
        emit updated();
    });
    connect(&m_session, &Session::currentEventChanged, this, &EventsPanel::showCurrent);
    connect(&m_session, &Session::filterChanged, this, &EventsPanel::showFilter);
    connect(&ReportScope::of(m_session), &ReportScope::changed, this, [this] {
        const EventFilter filter = m_session.filter();
        m_session.setFilter({}); // what it leaves is marked in other reports now
        m_session.setFilter(filter);
    });
    connect(&m_session, &Session::highlightedChanged, m_table->viewport(), qOverload<>(&QWidget::update));
    connect(save, &TableExport::messages, this, &EventsPanel::messages);
    connectTable();
    connectTree();
}

void EventsPanel::makeTable()
{
    m_table->setObjectName("events-table");
    styleTable(*m_table);
    m_table->setModel(m_model);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->horizontalHeader()->setSortIndicator(
        static_cast<int>(EventColumn::Duration), Qt::DescendingOrder);
    const auto widths = {340, 130, 95, 190, 150, 60, 85, 130};
    int column = 0;
    for (const int width : widths)
        m_table->setColumnWidth(column++, width);
    auto* const note = new EmptyNote(*m_table, [this] {
        if (m_model->isBusy() || m_session.isEmpty())
            return QString();
        const bool ofSelection = !m_session.selectedRange().empty() || !m_session.selectedRows().empty();
        if (m_session.filter() != EventFilter())
            return ofSelection
                ? tr("No event of what is selected passes the filter above. Esc in the timeline "
                     "selects everything again; the filter stays.")
                : tr("No event passes the filter above.");
        if (ofSelection)
            return tr("Nothing in this range. Esc in the timeline selects everything again.");
        return tr("This report holds no events.");
    });
    connect(m_model, &EventsModel::busyChanged, note, &EmptyNote::refresh);
    connect(m_model, &EventsModel::updated, note, &EmptyNote::refresh);
    stretchColumn(*m_table, static_cast<int>(EventColumn::Name));
}

void EventsPanel::makeTree()
{
    m_nest->setObjectName("events-nest");
    m_nest->setText(tr("Nest"));
    m_nest->setToolTip(
        tr("Show the events as a tree of the NVTX ranges around them, with number and time of each"));
    m_nest->setCheckable(true);
    m_nest->setAutoRaise(true);
    m_tree->setObjectName("events-tree");
    m_tree->setModel(m_nested);
    m_tree->setUniformRowHeights(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setAlternatingRowColors(m_table->alternatingRowColors());
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(NestedEventsModel::Name, QHeaderView::Stretch);
    const auto widths = {90, 110, 130, 220};
    int column = NestedEventsModel::Count;
    for (const int width : widths)
        m_tree->header()->resizeSection(column++, width);
    new EmptyNote(*m_tree, [this] {
        return isBusy() || m_session.isEmpty() ? QString()
                                               : tr("No event passes what is selected and filtered.");
    });
}

void EventsPanel::connectTree()
{
    connect(m_nest, &QToolButton::toggled, this, [this](bool nested) {
        m_stack->setCurrentWidget(nested ? static_cast<QWidget*>(m_tree) : m_table);
        nest();
        showCurrent();
    });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
        [this](const QModelIndex& current) {
            const EventId event = m_nested->idAt(current);
            if (m_following || !event.valid())
                return;
            m_leading = true;
            m_session.setCurrentEvent(event);
            m_leading = false;
        });
    connect(m_tree, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        if (const EventId event = m_nested->idAt(index); event.valid())
            m_session.goTo(event);
    });
    connect(m_tree, &QTreeView::customContextMenuRequested, this, [this](QPoint position) {
        const EventId event = m_nested->idAt(m_tree->indexAt(position));
        if (!event.valid())
            return;
        QMenu menu;
        fillMenu(menu, event);
        menu.exec(m_tree->viewport()->mapToGlobal(position));
    });
    // Events of a trace that is gone must not be shown, not even for a moment.
    connect(&m_session, &Session::traceChanged, m_nested, [this] { m_nested->show({}, {}); });
}

void EventsPanel::nest()
{
    if (!m_nest->isChecked()) {
        m_nesting.cancel();
        m_nested->show({}, {});
        return;
    }
    const auto list = m_model->sharedList();
    if (m_nested->list() == list || m_model->isBusy())
        return;
    m_nesting.start(
        [list, known = m_nested->parts()](const std::stop_token& stop) -> std::optional<NestedParts> {
            try {
                return nestedParts(*list, known, stop);
            } catch (const Stopped&) {
                return std::nullopt;
            }
        },
        [this, list](std::optional<NestedParts> parts) {
            if (!parts || list != m_model->sharedList())
                return;
            m_nested->show(list, std::move(*parts));
            if (m_nested->rowCount() == 1)
                m_tree->expand(m_nested->index(0, 0));
            showCurrent();
            emit updated();
        });
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
            // The row must stay under the mouse: what was chosen here is not scrolled to.
            m_leading = true;
            m_session.setCurrentEvent(m_model->idAt(current.row()));
            m_leading = false;
        });
    connect(m_table, &QTableView::doubleClicked, this,
        [this](const QModelIndex& index) { m_session.goTo(m_model->idAt(index.row())); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        // The return key; a double-click came here by itself.
        const EventId event = m_model->idAt(index.row());
        if (m_session.currentEvent() != event)
            m_session.goTo(event);
    });
    connect(m_table, &QTableView::customContextMenuRequested, this, &EventsPanel::openMenu);
    auto* const copy = new QShortcut(QKeySequence::Copy, m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, &EventsPanel::copySelection);
}

void EventsPanel::showReport()
{
    showFilter(); // the model follows the session by itself
}

void EventsPanel::clear()
{
    showFilter(); // of a report that is loading the events read so far are listed
}

void EventsPanel::showEvent(QShowEvent* event)
{
    m_model->setActive(true);
    QWidget::showEvent(event);
}

void EventsPanel::hideEvent(QHideEvent* event)
{
    m_model->setActive(false);
    QWidget::hideEvent(event);
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

void EventsPanel::applyFilter()
{
    EventFilter filter = m_session.filter();
    filter.text = m_text->text();
    const bool valid = parseDurationFilter(m_duration->text(), filter.minDuration, filter.maxDuration);
    QPalette colors = palette();
    if (!valid)
        colors.setColor(QPalette::Text, QColor(0xd0402b));
    m_duration->setPalette(colors);
    if (valid && !m_text->mistake()) // what is half typed empties no list
        m_session.setFilter(filter);
}

QString EventsPanel::filterWords() const
{
    const EventFilter& filter = m_session.filter();
    const Trace& trace = m_session.trace();
    QStringList words;
    if (filter.name)
        words << textOf(*filter.name);
    else if (filter.kind)
        words << QString::fromStdString(std::string(titleOf(*filter.kind)));
    for (const TrackRef& track : filter.tracks)
        words << textOf(placeOf(trace, track));
    if (filter.process != 0)
        words << textOf(processLabel(trace, filter.process));
    words.removeDuplicates(); // a stream has a track for each kind of event
    return words.join(", ");
}

void EventsPanel::showFilter()
{
    const EventFilter& filter = m_session.filter();
    if (m_text->text() != filter.text) {
        const QSignalBlocker quiet(m_text);
        m_text->setText(filter.text);
    }
    // The field holds the user's words; only another filter than theirs replaces them.
    Ns least = 0;
    Ns most = 0;
    if (!parseDurationFilter(m_duration->text(), least, most) || least != filter.minDuration
        || most != filter.maxDuration) {
        if (filter.minDuration == 0 && filter.maxDuration == std::numeric_limits<Ns>::max()) {
            const QSignalBlocker quiet(m_duration);
            m_duration->clear();
            m_duration->setPalette(palette());
        } else {
            const QSignalBlocker quiet(m_duration);
            m_duration->setText(durationFilterText(filter.minDuration, filter.maxDuration));
            constexpr int frameAndCross = 44;
            m_duration->setFixedWidth(
                std::clamp(m_duration->fontMetrics().horizontalAdvance(m_duration->text()) + frameAndCross,
                    durationWidth, 2 * durationWidth));
            m_duration->setCursorPosition(0);
            m_duration->setPalette(palette());
        }
    }
    const QString words = filterWords();
    m_clear->setVisible(!words.isEmpty());
    constexpr int widest = 240;
    m_clear->setToolTip(plainTip(tr("The events listed are only of: %1. Click to list all.").arg(words)));
    m_clear->setText(m_clear->fontMetrics().elidedText(words, Qt::ElideMiddle, widest) + " \u2715");
    showCount();
}

void EventsPanel::showCount()
{
    if (m_model->isBusy()) {
        m_count->setText(tr("\u2026"));
        return;
    }
    // A filter to a stream or thread counts instead of the selected rows.
    const std::size_t rows = m_session.filter().tracks.empty() ? m_session.selectedRows().size() : 0;
    const bool ofRange = !m_session.selectedRange().empty();
    QString text = ofRange && rows > 0 ? tr("%1 events, %2 in the selected box")
        : ofRange                      ? tr("%1 events, %2 in the selected range")
        : rows == 1                    ? tr("%1 events, %2 in the selected row")
        : rows > 1                     ? tr("%1 events, %2 in %3 selected rows")
                                       : tr("%1 events, %2");
    const std::size_t listed = m_model->list().size();
    if (listed == 1)
        text.replace(tr("%1 events"), tr("%1 event"));
    text = text.arg(QString::fromStdString(formatCount(listed)),
        QString::fromStdString(formatDuration(m_model->list().totalDuration())));
    m_count->setText(rows > 1 && !ofRange ? text.arg(rows) : text);
}

void EventsPanel::showCurrent()
{
    showCount();
    if (m_leading || !isVisible())
        return;
    if (m_nest->isChecked()) {
        m_following = true;
        m_tree->setCurrentIndex(m_nested->indexOf(m_session.currentEvent()));
        m_following = false;
        return;
    }
    m_following = true;
    const int row = m_model->rowOf(m_session.currentEvent());
    if (row >= 0) {
        m_table->selectRow(row);
        m_table->scrollTo(m_model->index(row, 0));
    } else {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    }
    m_following = false;
}

std::vector<std::string> EventsPanel::labelsOfReports() const
{
    std::vector<std::string> labels;
    for (const OpenReport& report : m_session.workspace().reports())
        labels.push_back(report.label);
    return labels;
}

void EventsPanel::copySelection()
{
    std::vector<std::pair<std::size_t, std::size_t>> rows; // of each stretch the first, and behind the last
    std::size_t count = 0;
    QItemSelection selection = m_table->selectionModel()->selection();
    std::ranges::sort(selection, {}, &QItemSelectionRange::top);
    for (const QItemSelectionRange& range : selection) {
        const auto first = static_cast<std::size_t>(range.top());
        const auto size = std::min(static_cast<std::size_t>(range.height()), mostCopied - count);
        rows.emplace_back(first, first + size);
        count += size;
    }
    if (count == 0)
        return;
    m_copy.start(
        [list = m_model->sharedList(), labels = labelsOfReports(), rows = std::move(rows)](
            const std::stop_token& stop) {
            const bool ofReports = list->parts().size() > 1;
            QByteArray text = eventTitles('\t', ofReports);
            for (const auto& [first, end] : rows) {
                for (std::size_t row = first; row < end && !stop.stop_requested(); ++row) {
                    const EventId event = (*list)[row];
                    const EventsPart& part
                        = *std::ranges::find(list->parts(), event.report, &EventsPart::report);
                    text += ofReports ? eventLine(part, event.event, labels[raw(event.report)], '\t')
                                      : eventLine(*part.trace, event.event, '\t');
                }
            }
            return QString::fromUtf8(text);
        },
        [this, count](const QString& text) {
            QApplication::clipboard()->setText(text);
            emit messages(count == 1
                    ? tr("Copied 1 event")
                    : tr("Copied %1 events").arg(QString::fromStdString(formatCount(count))));
        });
}

void EventsPanel::askForFile()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Write events"), exportName(m_session.trace(), "events.csv"), tr("CSV (*.csv)"));
    if (!path.isEmpty())
        exportCsv(path);
}

void EventsPanel::exportCsv(const QString& path)
{
    if (!mayWrite(m_session, path, this))
        return;
    emit messages(tr("Writing %1 \u2026").arg(path));
    if (m_model->isOfSeveral()) {
        m_export.start([list = m_model->sharedList(), labels = labelsOfReports(), path](
                           const std::stop_token& stop) { return writeEventsCsv(*list, labels, path, stop); },
            [this, path](const Result<void>& written) { emit messages(tellOutcome(written, path, this)); });
        return;
    }
    m_export.start(
        [trace = m_session.sharedTrace(), query = m_model->query(), path](const std::stop_token& stop) {
            const EventList list(trace, query, stop);
            return writeEventsCsv(*trace, list.events(), path, stop);
        },
        [this, path](const Result<void>& written) { emit messages(tellOutcome(written, path, this)); });
}

namespace {

constexpr Action eventsPanelActions[]{
    {
        .id = "events.copyRows",
        .text = QT_TRANSLATE_NOOP("Action", "Copy selected rows"),
        .help = QT_TRANSLATE_NOOP("Action", "Put the selected rows of the events view on the clipboard"),
        .context = ContextMenu::Event,
        .run = [](const ActionContext& at) { at.part<EventsPanel>()->copySelection(); },
    },
    {
        .id = "events.export",
        .text = QT_TRANSLATE_NOOP("Action", "&Events as CSV\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Write the events listed as CSV"),
        .menu = MainMenu::File,
        .submenu = QT_TRANSLATE_NOOP("Action", "&Export"),
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
}

extern const PanelKind eventsPanel;
const PanelKind eventsPanel{
    .id = "events",
    .title = QT_TRANSLATE_NOOP("Action", "Events"),
    .help = QT_TRANSLATE_NOOP("Action", "All events of the selected rows and range, sorted and filtered"),
    .place = PanelPlace::Below,
    .make = [](Session& session, const Theme&, QWidget* parent) -> Panel* {
        return new EventsPanel(session, parent);
    },
    .actions = eventsPanelActions,
};

} // namespace warpline
