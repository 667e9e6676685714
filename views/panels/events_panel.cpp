#include "views/panels/events_panel.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/query/event_text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSaveFile>
#include <QShortcut>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace warpline {

namespace {

bool parseDuration(QString text, Ns& duration)
{
    text = text.trimmed().toLower().replace(QChar(0x00b5), 'u');
    static const QRegularExpression form("^([0-9]*\\.?[0-9]+)\\s*(ns|us|ms|s|)$");
    const auto match = form.match(text);
    if (!match.hasMatch())
        return false;
    const QString unit = match.captured(2);
    const double scale = unit == "s" ? 1e9 : unit == "ms" ? 1e6 : unit == "us" ? 1e3 : 1;
    duration = static_cast<Ns>(match.captured(1).toDouble() * scale);
    return true;
}

QByteArray csvField(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return QByteArray::fromStdString(text);
    return '"' + QByteArray::fromStdString(text).replace("\"", "\"\"") + '"';
}

/// Writes `list`; an empty text on success.
QString writeCsv(const Trace& trace, const EventList& list, const QString& path, const std::stop_token& stop)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return QObject::tr("%1 cannot be written: %2").arg(path, file.errorString());
    file.write("Name,Start (ns),Duration (ns),Where,Process,Stream,Bytes,Kind\n");
    for (const EventRef& event : list.events()) {
        if (stop.stop_requested())
            return QObject::tr("Export was cancelled.");
        const EventTable& table = trace.table(event.kind);
        const Track& track = table.trackOf(event.index);
        QByteArray line = csvField(toUtf8(trace.name(event)));
        line += ',' + QByteArray::number(static_cast<qlonglong>(table.start[event.index])) + ','
            + QByteArray::number(static_cast<qlonglong>(table.duration[event.index])) + ','
            + csvField(placeOf(trace, trace.trackOf(event))) + ','
            + (track.owner ? csvField(processLabel(trace, track.owner)) : QByteArray()) + ','
            + (track.stream >= 0 ? QByteArray::number(track.stream) : QByteArray()) + ','
            + (table.bytes.empty() ? QByteArray()
                                   : QByteArray::number(static_cast<qulonglong>(table.bytes[event.index])))
            + ',' + csvField(std::string(titleOf(event.kind))) + '\n';
        file.write(line);
    }
    if (!file.commit())
        return QObject::tr("%1 cannot be written: %2").arg(path, file.errorString());
    return {};
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

EventsPanel::EventsPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_model(new EventsModel(session, this)),
      m_table(new QTableView(this)),
      m_text(new QLineEdit(this)),
      m_duration(new QLineEdit(this)),
      m_count(new QLabel(this))
{
    m_text->setPlaceholderText(tr("Filter by name"));
    m_text->setClearButtonEnabled(true);
    m_duration->setPlaceholderText(tr("Duration: > 10us, 1ms-5ms"));
    m_duration->setClearButtonEnabled(true);
    m_duration->setMaximumWidth(210);
    auto* const save = new QToolButton(this);
    save->setText(tr("CSV\u2026"));
    save->setToolTip(tr("Write these events to a CSV file"));
    save->setAutoRaise(true);

    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->setSortingEnabled(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 5);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSortIndicator(
        static_cast<int>(EventColumn::Duration), Qt::DescendingOrder);
    m_table->setSortingEnabled(true);
    const auto widths = {340, 130, 95, 190, 150, 60, 85, 130};
    int column = 0;
    for (const int width : widths)
        m_table->setColumnWidth(column++, width);
    m_table->horizontalHeader()->setStretchLastSection(true);

    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(4, 3, 4, 0);
    bar->addWidget(m_text, 1);
    bar->addWidget(m_duration);
    bar->addWidget(m_count);
    bar->addWidget(save);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addLayout(bar);
    layout->addWidget(m_table);

    connect(m_text, &QLineEdit::textChanged, this, &EventsPanel::applyFilter);
    connect(m_duration, &QLineEdit::textChanged, this, &EventsPanel::applyFilter);
    connect(m_model, &EventsModel::busyChanged, this, &EventsPanel::showCount);
    connect(m_model, &EventsModel::updated, this, &EventsPanel::showCurrent);
    connect(&m_session, &Session::currentEventChanged, this, &EventsPanel::showCurrent);
    connect(&m_session, &Session::filterChanged, this, [this] {
        if (m_text->text() != m_session.filter().text)
            m_text->setText(m_session.filter().text);
        showCount();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) {
            if (m_following || !current.isValid())
                return;
            // The row must stay under the mouse: what was chosen here is not scrolled to.
            m_leading = true;
            m_session.setCurrentEvent(m_model->eventAt(current.row()));
            m_leading = false;
        });
    connect(m_table, &QTableView::doubleClicked, this,
        [this](const QModelIndex& index) { m_session.goTo(m_model->eventAt(index.row())); });
    connect(save, &QToolButton::clicked, this, [this] {
        const QString path
            = QFileDialog::getSaveFileName(this, tr("Write events"), "events.csv", tr("CSV (*.csv)"));
        if (!path.isEmpty())
            exportCsv(path);
    });
    auto* const copy = new QShortcut(QKeySequence::Copy, m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, &EventsPanel::copySelection);
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
    if (valid)
        m_session.setFilter(filter);
}

void EventsPanel::showCount()
{
    if (m_model->isBusy()) {
        m_count->setText(tr("\u2026"));
        return;
    }
    QString text = tr("%1 events, %2")
                       .arg(QString::fromStdString(formatCount(m_model->list().size())),
                           QString::fromStdString(formatDuration(m_model->list().totalDuration())));
    const EventFilter& filter = m_session.filter();
    if (filter.name || filter.kind || filter.process != 0 || !filter.tracks.empty())
        text += tr(" (filtered)");
    m_count->setText(text);
}

void EventsPanel::showCurrent()
{
    showCount();
    if (m_leading)
        return;
    const int row = m_model->rowOf(m_session.currentEvent());
    m_following = true;
    if (row >= 0) {
        m_table->selectRow(row);
        m_table->scrollTo(m_model->index(row, 0));
    } else {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    }
    m_following = false;
}

void EventsPanel::copySelection()
{
    constexpr int most = 100'000;
    QString text;
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    for (const QModelIndex& row : rows.first(std::min<qsizetype>(rows.size(), most))) {
        QStringList cells;
        for (int column = 0; column < m_model->columnCount(); ++column)
            cells << m_model->index(row.row(), column).data().toString();
        text += cells.join('\t') + '\n';
    }
    QApplication::clipboard()->setText(text);
}

void EventsPanel::exportCsv(const QString& path)
{
    emit messages(tr("Writing %1 \u2026").arg(path));
    m_export.start(
        [trace = m_session.sharedTrace(), query = m_model->query(), path](const std::stop_token& stop) {
            const EventList list(trace, query, stop);
            return writeCsv(*trace, list, path, stop);
        },
        [this, path](const QString& problem) {
            emit messages(problem.isEmpty() ? tr("Wrote %1").arg(path) : problem);
        });
}

} // namespace warpline
