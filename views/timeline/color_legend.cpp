#include "views/timeline/color_legend.h"

#include "core/steps/steps.h"
#include "core/store/trace.h"
#include "views/actions/action.h"
#include "views/session/rank_judge.h"
#include "views/style/rich_text.h"
#include "views/timeline/row_layout.h"

#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <unordered_map>

namespace warpline {

namespace {

constexpr int swatch = 10;
constexpr int gap = 5;
constexpr int entrySpacing = 14;
constexpr int widestText = 210;
constexpr int narrowestText = 80;
constexpr int minEntries = 8; ///< so many are wanted, where there is room for them at all
constexpr int legendRestMs = 150; ///< colours that come and go while the view moves would only flicker

/// The events of `kind` whose names equal `family` up to numbers.
std::vector<EventRef> eventsOfFamily(
    const Trace& trace, EventKind kind, const std::string& family, const std::stop_token& stop)
{
    const EventTable& table = trace.table(kind);
    std::unordered_map<StringId, bool> isOf; // tests each name once
    std::vector<EventRef> events;
    for (EventIndex i = 0; i < table.size() && !stop.stop_requested(); ++i) {
        const auto [name, isNew] = isOf.try_emplace(table.name[i]);
        if (isNew)
            name->second = withoutNumbers(trace.name({kind, i})) == family;
        if (name->second)
            events.push_back({kind, i});
    }
    return events;
}

/// Interleaves the entries of two runs, so that the largest of each come first.
std::vector<LegendEntry> ofBoth(const std::vector<LegendEntry>& a, const std::vector<LegendEntry>& b)
{
    std::vector<LegendEntry> both;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        for (const std::vector<LegendEntry>* const side : {&a, &b}) {
            if (i < side->size()
                && std::ranges::find(both, (*side)[i].text, &LegendEntry::text) == both.end())
                both.push_back((*side)[i]);
        }
    }
    return both;
}

} // namespace

ColorLegend::ColorLegend(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_theme(&theme),
      m_button(new QToolButton(this)),
      m_idle(session.idle())
{
    setMouseTracking(true);
    setObjectName("color-legend");
    setAccessibleName(tr("What the colors mean"));
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setAutoRaise(true);
    m_button->setFocusPolicy(Qt::TabFocus);
    m_button->setToolTip(tr("Choose how events are colored"));
    m_button->setMenu(new QMenu(m_button));
    connect(m_button->menu(), &QMenu::aboutToShow, this, [this] {
        fillMenu(*m_button->menu(), colorActions(), {m_session, window(), {}, RowTree::root});
    });
    m_rest.setSingleShot(true);
    m_rest.setInterval(legendRestMs);
    connect(&m_rest, &QTimer::timeout, this, &ColorLegend::look);
    connect(&m_session.time(), &TimeView::shownChanged, this, [this] { m_rest.start(); });
    connect(&m_session.rowView(), &RowView::rowLayoutChanged, this, [this] { m_rest.start(); });
    connect(&m_session, &Session::clocksChanged, this, [this] { m_rest.start(); });
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this, &ColorLegend::fill);
    connect(&m_idle, &IdleBooks::changed, this, &ColorLegend::look);
    connect(&ColorChoice::shared(), &ColorChoice::changed, this, &ColorLegend::fill);
    connect(&m_session, &Session::traceChanged, this, [this] {
        m_seen.clear(); // they are of another report
        look();
    });
    connect(&m_session, &Session::reportChosen, this, [this] {
        m_seen.clear();
        look();
    });
    fill();
}

void ColorLegend::setRows(const RowLayout& layout)
{
    m_layout = &layout;
    look();
}

void ColorLegend::setOther(ColorLegend& other)
{
    m_other = &other;
    connect(&other, &ColorLegend::filled, this, &ColorLegend::fill);
    fill();
}

void ColorLegend::look()
{
    m_rest.stop();
    const OpenReport& report = m_session.report();
    std::vector<TrackRef> tracks;
    std::vector<RowId> gpus;
    const auto add = [&](const PlacedRow& placed) {
        const bool isKnown = raw(placed.row) < m_session.rows().size();
        if (const Row* const row = isKnown ? &m_session.rows().row(placed.row) : nullptr;
            row && row->report == report.id) {
            tracks.insert(tracks.end(), row->tracks.begin(), row->tracks.end());
            if (row->tellsIdle)
                gpus.push_back(row->id);
        }
    };
    if (m_layout) {
        std::ranges::for_each(m_layout->pinned(), add); // they may be all there is
        std::ranges::for_each(m_layout->rows(), add);
    }
    std::ranges::sort(tracks); // a stream is shown by its own row and by that of all
    const auto [first, last] = std::ranges::unique(tracks);
    tracks.erase(first, last);
    fill();
    if (m_session.isEmpty() || tracks.empty()) {
        m_job.cancel();
        m_seen.clear();
        fill();
        return;
    }
    struct Seen {
        std::vector<SeenName> names;
        std::vector<std::uint16_t> idle;
    };
    m_job.start(
        [trace = report.trace, rows = m_session.sharedRows(), idle = m_idle.find(report.id),
            tracks = std::move(tracks), gpus = std::move(gpus),
            window = report.clock.toReport(m_session.time().shown())](const std::stop_token& stop) {
            return Seen{namesSeen(*trace, tracks, window, stop),
                idle ? idleSeen(*trace, *rows, *idle, gpus, window) : std::vector<std::uint16_t>()};
        },
        [this, of = std::weak_ptr<const Trace>(report.trace)](Seen seen) {
            m_seen = std::move(seen.names);
            m_idleSeen = std::move(seen.idle);
            m_seenOf = of;
            fill();
        });
}

void ColorLegend::setTheme(const Theme& theme)
{
    m_theme = &theme;
    fill();
}

QSize ColorLegend::sizeHint() const
{
    return {200, std::max(22, fontMetrics().height() + 6)};
}

void ColorLegend::fill()
{
    for (const Action& action : colorActions()) {
        if (QString(action.id) == "colors." + keyOf(ColorChoice::shared().by()))
            m_button->setText(tr("Color by %1").arg(nameText(action).toLower()));
    }
    // Others may be notified about another report first, and call this before its names are known.
    if (m_session.isEmpty() || m_seenOf.lock() != m_session.sharedTrace())
        m_seen.clear();
    m_entries = m_session.isEmpty() ? std::vector<LegendEntry>() : legendEntries(m_session, m_seen, *m_theme);
    if (const auto idle = m_seen.empty() ? nullptr : m_idle.find(m_session.report().id)) {
        std::vector<LegendEntry> entries = idleEntries(*idle, m_idleSeen, *m_theme);
        // Computes the largest reason first, because it dominates the view; the others follow.
        for (std::size_t i = 0; i < entries.size(); ++i)
            m_entries.insert(i == 0 ? m_entries.begin() : m_entries.end(), std::move(entries[i]));
    }
    if (m_other)
        m_entries = ofBoth(m_other->m_entries, m_entries);
    arrange();
    emit filled();
}

void ColorLegend::arrange()
{
    const QSize button = m_button->sizeHint();
    m_button->setGeometry(0, 0, button.width(), height());
    m_places.clear();
    const int around = swatch + gap + entrySpacing;
    const int widest
        = std::clamp((width() - button.width()) / minEntries - around, narrowestText, widestText);
    m_texts = fittingTexts(m_entries, fontMetrics(), widest);
    int left = button.width() + entrySpacing;
    for (const QString& fitting : m_texts) {
        const int text = std::min(widest, fontMetrics().horizontalAdvance(fitting));
        const QRect place(left, 0, swatch + gap + text, height());
        const bool fits = place.right() <= width() - entrySpacing;
        m_places.push_back(fits ? place : QRect()); // a shorter one may still fit
        left = fits ? place.right() + entrySpacing : left;
    }
    update();
}

QRect ColorLegend::placeOf(std::size_t index) const
{
    return index < m_places.size() ? m_places[index] : QRect();
}

const LegendEntry* ColorLegend::entryAt(QPoint position) const
{
    const auto found
        = std::ranges::find_if(m_places, [&](const QRect& place) { return place.contains(position); });
    return found == m_places.end() ? nullptr : &m_entries[static_cast<std::size_t>(found - m_places.begin())];
}

void ColorLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->panel);
    painter.fillRect(0, 0, width(), 1, m_theme->grid);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const QRect& place = m_places[i];
        if (place.isEmpty())
            continue;
        const QRect box(place.left(), place.center().y() - swatch / 2, swatch, swatch);
        painter.fillRect(box, QBrush(m_entries[i].color, m_entries[i].pattern));
        if (m_entries[i].hatched) { // as the rows have it
            QColor lines = m_theme->background;
            lines.setAlphaF(0.7F);
            painter.fillRect(box, QBrush(lines, Qt::BDiagPattern));
        }
        painter.setPen(m_theme->text);
        const QRect text = place.adjusted(swatch + gap, 0, 2, 0);
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, m_texts[i]);
    }
}

bool ColorLegend::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    const LegendEntry* const entry = entryAt(help->pos());
    if (!entry)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(),
            plainTip(!entry->name.empty()  ? entry->tip + "\n" + tr("Click to highlight these events")
                    : entry->tip.isEmpty() ? entry->text
                                           : entry->tip),
            this);
    return true;
}

void ColorLegend::resizeEvent(QResizeEvent*)
{
    arrange();
}

void ColorLegend::mouseMoveEvent(QMouseEvent* event)
{
    const LegendEntry* const entry = entryAt(event->pos());
    setCursor(entry && !entry->name.empty() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ColorLegend::mouseReleaseEvent(QMouseEvent* event)
{
    const LegendEntry* const entry = entryAt(event->pos());
    if (!entry || entry->name.empty() || event->button() != Qt::LeftButton)
        return;
    const LegendEntry chosen = *entry; // marking may fill the list again
    mark(chosen);
    if (m_other)
        m_other->mark(chosen);
}

void ColorLegend::mark(const LegendEntry& entry)
{
    if (entry.family.empty())
        m_session.selection().highlightName(entry.kind, entry.name);
    else
        markFamily(entry.kind, entry.family);
}

void ColorLegend::markFamily(EventKind kind, const std::string& family)
{
    std::vector<std::pair<ReportId, std::shared_ptr<const Trace>>> reports;
    for (const OpenReport& report : m_session.workspace().reports())
        reports.emplace_back(report.id, report.trace);
    m_marking.start(
        [reports = std::move(reports), kind, family](const std::stop_token& stop) {
            Selection::Highlights marked;
            for (const auto& [id, trace] : reports)
                marked.emplace(id, eventsOfFamily(*trace, kind, family, stop));
            return marked;
        },
        [this](Selection::Highlights marked) { m_session.selection().setHighlights(std::move(marked)); });
}

} // namespace warpline
