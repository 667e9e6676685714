#include "views/timeline/result_band.h"

#include "core/query/find_event.h"
#include "views/style/rich_text.h"
#include "views/style/text_scale.h"
#include "views/timeline/time_axis.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QInputDialog>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr int crossSize = 14;
constexpr double resultReach = 3;
constexpr double resultStretch = 1.5; // as of other rows

} // namespace

ResultBand::ResultBand(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_rows(session.results()),
      m_theme(&theme)
{
    setMouseTracking(true);
    setFixedHeight(0);
    setAccessibleName(tr("Query results as rows"));
    connect(&m_rows, &ResultRows::changed, this, &ResultBand::follow);
    connect(&m_session.time(), &TimeView::drawnChanged, this, [this] { update(); });
    connect(&m_session, &Session::clocksChanged, this, [this] { update(); });
}

void ResultBand::setTheme(const Theme& theme)
{
    m_theme = &theme;
    update();
}

void ResultBand::setColumns(int labels, int left, int rows)
{
    m_labels = labels;
    m_left = left;
    m_width = std::max(1, rows);
    update();
}

int ResultBand::heightOf(std::size_t place) const
{
    return static_cast<int>(std::lround(inTextSize(rowHeight) * m_rows.all()[place].scale));
}

int ResultBand::topOf(std::size_t place) const
{
    int top = 0;
    for (std::size_t i = 0; i < place; ++i)
        top += heightOf(i);
    return top;
}

std::size_t ResultBand::placeAt(int y) const
{
    std::size_t place = 0;
    for (int bottom = 0; place < m_rows.all().size(); ++place) {
        bottom += heightOf(place);
        if (y < bottom)
            break;
    }
    return place;
}

void ResultBand::follow()
{
    const int wanted = topOf(m_rows.all().size());
    if (wanted != height()) {
        setFixedHeight(wanted);
        emit heightChanged();
    }
    update();
}

double ResultBand::xOf(const ResultRow& row, Ns time) const
{
    const TimeAxis axis{m_session.time().drawn(), static_cast<double>(m_width)};
    return m_left + axis.xAt(m_session.workspace().report(row.report).clock.toWorkspace(time));
}

QRect ResultBand::crossOf(std::size_t place) const
{
    return {4, topOf(place) + (heightOf(place) - crossSize) / 2, crossSize, crossSize};
}

void ResultBand::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->alternate);
    for (std::size_t i = 0; i < m_rows.all().size(); ++i)
        paintRow(painter, i);
    painter.fillRect(0, height() - 1, width(), 1, m_theme->dimText);
}

void ResultBand::paintRow(QPainter& painter, std::size_t place)
{
    const ResultRow& row = m_rows.all()[place];
    const int top = topOf(place);
    const int tallest = heightOf(place);
    painter.setClipping(false);
    const QRect cross = crossOf(place);
    painter.setPen(m_theme->dimText);
    painter.drawText(cross, Qt::AlignCenter, QChar(0x00d7));
    painter.setPen(m_theme->text);
    const QRect label(cross.right() + 6, top, m_labels - cross.right() - 10, tallest - 1);
    painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft,
        fontMetrics().elidedText(row.title, Qt::ElideRight, label.width()));
    painter.fillRect(0, top + tallest - 1, width(), 1, m_theme->grid);
    painter.setClipRect(m_left, top, m_width, tallest - 1);
    if (!row.problem.isEmpty()) {
        painter.setPen(m_theme->dimText);
        painter.drawText(QRect(m_left + 3, top, m_width - 6, tallest - 1), Qt::AlignVCenter | Qt::AlignLeft,
            fontMetrics().elidedText(row.problem, Qt::ElideRight, m_width - 6));
    }
    // Slices are sorted by start; none that begins earlier than the longest takes can reach in.
    const TimeRange shown = m_session.workspace().report(row.report).clock.toReport(m_session.time().drawn());
    auto slice = std::ranges::lower_bound(
        row.slices, shown.start - row.longest, {}, [](const ResultSlice& each) { return each.range.start; });
    const QColor color = m_theme->chartColor(place);
    double painted = -1; // of thin ones one a pixel
    for (; slice != row.slices.end() && slice->range.start < shown.end; ++slice) {
        const double left = xOf(row, slice->range.start);
        const double right = std::max(left + 1, xOf(row, slice->range.end));
        if (right < m_left || right <= painted)
            continue;
        painted = right - left <= 1 ? right : painted;
        const double share
            = row.most > 0 && slice->value ? std::clamp(*slice->value / row.most, 0.05, 1.0) : 1.0;
        const double tall = (tallest - 5) * share;
        const QRectF box(left, top + tallest - 2 - tall, right - left, tall);
        painter.fillRect(box, color);
        constexpr double minTextWidth = 26;
        if (box.width() < minTextWidth || slice->name.isEmpty())
            continue;
        const QRectF room(
            std::max<double>(left, m_left) + 3, top, right - std::max<double>(left, m_left) - 6, tallest - 1);
        painter.setPen(share > 0.7 ? Theme::textOn(color) : m_theme->text);
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
            fontMetrics().elidedText(slice->name, Qt::ElideRight, static_cast<int>(room.width())));
    }
}

const ResultSlice* ResultBand::sliceAt(std::size_t place, double x) const
{
    if (place >= m_rows.all().size() || x < m_left)
        return nullptr;
    const ResultRow& row = m_rows.all()[place];
    const TimeAxis axis{m_session.time().drawn(), static_cast<double>(m_width)};
    const ClockOffset& clock = m_session.workspace().report(row.report).clock;
    const Ns time = clock.toReport(axis.timeAt(x - m_left));
    const Ns slack = static_cast<Ns>(axis.nsPerPixel() * resultReach);
    auto slice = std::ranges::lower_bound(
        row.slices, time - row.longest - slack, {}, [](const ResultSlice& each) { return each.range.start; });
    const ResultSlice* best = nullptr;
    for (; slice != row.slices.end() && slice->range.start <= time + slack; ++slice) {
        const bool isThere = slice->range.start - slack <= time && time <= slice->range.end + slack;
        if (isThere && (!best || slice->range.duration() <= best->range.duration()))
            best = &*slice; // the shortest lies on top
    }
    return best;
}

void ResultBand::goTo(const ResultRow& row, const ResultSlice& slice)
{
    const OpenReport& report = m_session.workspace().report(row.report);
    const EventRef event = eventTaking(*report.trace, slice.range, slice.name.toStdString());
    if (event.valid()) {
        m_session.selection().goTo({row.report, event});
        return;
    }
    const TimeRange shared = report.clock.toWorkspace(slice.range);
    m_session.selection().markRange(shared);
    m_session.time().goTo(shared);
}

void ResultBand::mousePressEvent(QMouseEvent* event)
{
    const std::size_t place = placeAt(event->pos().y());
    if (event->button() != Qt::LeftButton || place >= m_rows.all().size())
        return;
    if (crossOf(place).adjusted(-2, -2, 2, 2).contains(event->pos()))
        m_rows.remove(place);
    else if (const ResultSlice* const slice = sliceAt(place, event->position().x()))
        goTo(m_rows.all()[place], *slice);
}

void ResultBand::mouseMoveEvent(QMouseEvent* event)
{
    const std::size_t place = placeAt(event->pos().y());
    const bool isRow = place < m_rows.all().size();
    const bool isCross = isRow && crossOf(place).contains(event->pos());
    const ResultSlice* const slice = sliceAt(place, event->position().x());
    setCursor(slice || isCross ? Qt::PointingHandCursor : Qt::ArrowCursor);
    QString tip = isCross ? tr("Remove row")
        : isRow           ? m_rows.all()[place].problem.toHtmlEscaped()
                          : QString();
    if (slice) {
        tip = slice->name.toHtmlEscaped();
        if (!slice->range.empty())
            tip += (tip.isEmpty() ? "" : "<br>") + durationText(slice->range.duration());
        if (slice->value)
            tip += (tip.isEmpty() ? "" : "<br>") + QString::number(*slice->value, 'g', 12);
    }
    QToolTip::showText(
        event->globalPosition().toPoint(), tip.isEmpty() ? QString() : "<p>" + tip + "</p>", this);
}

void ResultBand::askForName(std::size_t place)
{
    auto* const dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_rows, &ResultRows::changed, dialog, &QWidget::close); // another row may be there then
    dialog->setWindowTitle(tr("Rename row"));
    dialog->setLabelText(tr("Name of the row:"));
    dialog->setTextValue(m_rows.all()[place].title);
    connect(dialog, &QInputDialog::textValueSelected, this,
        [this, place](const QString& name) { m_rows.rename(place, name); });
    dialog->open();
}

void ResultBand::contextMenuEvent(QContextMenuEvent* event)
{
    const std::size_t place = placeAt(event->pos().y());
    if (place >= m_rows.all().size())
        return;
    const ResultRow& row = m_rows.all()[place];
    auto* const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_rows, &ResultRows::changed, menu, &QWidget::close); // places are of other rows then
    if (const ResultSlice* const slice = sliceAt(place, event->pos().x())) {
        menu->addAction(
            tr("Go to event"), this, [this, place, slice = *slice] { goTo(m_rows.all()[place], slice); });
        menu->addSeparator();
    }
    menu->addAction(tr("Rename row\u2026"), this, [this, place] { askForName(place); });
    const auto add = [&](const QString& text, bool isEnabled, auto run) {
        menu->addAction(text, this, run)->setEnabled(isEnabled);
    };
    add(tr("Move row up"), place > 0, [this, place] { m_rows.move(place, -1); });
    add(tr("Move row down"), place + 1 < m_rows.all().size(), [this, place] { m_rows.move(place, 1); });
    const double scale = row.scale;
    add(tr("&Taller row"), true, [=, this] { m_rows.setScale(place, scale * resultStretch); });
    add(tr("&Shorter row"), scale > 1, [=, this] { m_rows.setScale(place, scale / resultStretch); });
    add(tr("Reset row height"), scale != 1, [this, place] { m_rows.setScale(place, 1); });
    menu->addSeparator();
    add(tr("Copy query"), !row.sql.isEmpty(),
        [sql = row.sql] { QGuiApplication::clipboard()->setText(sql); });
    add(tr("Remove row"), true, [this, place] { m_rows.remove(place); });
    menu->popup(event->globalPos());
}

} // namespace warpline
