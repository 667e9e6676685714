#include "views/session.h"

#include "views/loading/dispose.h"

#include <QSettings>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace warpline {

namespace {

constexpr Ns shortestShown = 10;
constexpr qint64 stepsOfOneJumpMs = 700;
constexpr std::size_t longestHistory = 200;

/// Never goes back, whatever happens to the clock on the wall.
qint64 millisecondsNow()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

QString keyOfRow(const RowTree& rows, RowId row)
{
    return QString::fromStdString(rows.row(row).key);
}

/// A report is recognized by its content's measure, not by its path: copies keep the user's layout.
QString settingsGroup(const Trace& trace)
{
    return QStringLiteral("reports/%1-%2-%3")
        .arg(trace.info.fileBytes)
        .arg(trace.session.start)
        .arg(trace.session.end);
}

} // namespace

Session::Session(QObject* parent)
    : QObject(parent),
      m_trace(std::make_shared<const Trace>()),
      m_rows(std::make_shared<const RowTree>())
{
}

void Session::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const RowTree> rows)
{
    const bool sameReport
        = !m_trace->complete && !trace->info.path.empty() && trace->info.path == m_trace->info.path;
    const bool wasAll = m_trace->session.empty() || m_shown == m_trace->session;
    m_trace.swap(trace);
    m_rows.swap(rows);
    // Row ids and event numbers belong to the old snapshot.
    m_sameName.cancel();
    m_selectedRows.clear();
    m_current = {};
    setHighlighted({});
    if (!sameReport) {
        m_selected = {};
        m_back.clear();
        m_forward.clear();
        m_filter = {};
        m_expanded.clear();
        m_hidden.clear();
        m_pinned.clear();
        m_scale.clear();
        m_order.clear();
    }
    if (!sameReport || wasAll)
        m_shown = m_trace->session;
    if (m_trace->complete)
        restoreState();
    if (!sameReport)
        emit reportOpened();
    emit traceChanged();
    emit shownChanged(m_shown);
    disposeElsewhere(std::pair(std::move(trace), std::move(rows))); // the ones from before
}

void Session::show(TimeRange range, bool remember)
{
    const TimeRange session = m_trace->session;
    if (session.empty())
        return;
    const Ns length = std::clamp(
        range.end - range.start, std::min(shortestShown, session.duration()), session.duration());
    const Ns start = std::clamp(range.start, session.start, session.end - length);
    const TimeRange shown{start, start + length};
    if (shown == m_shown)
        return;
    const qint64 now = millisecondsNow();
    if (remember || now - m_lastStep > stepsOfOneJumpMs) {
        m_back.push_back(m_shown);
        if (m_back.size() > longestHistory)
            m_back.erase(m_back.begin());
        m_forward.clear();
    }
    m_lastStep = remember ? 0 : now;
    m_shown = shown;
    emit shownChanged(m_shown);
}

void Session::zoomAt(Ns anchor, double factor)
{
    const double length = std::max<double>(shortestShown, static_cast<double>(m_shown.duration()) * factor);
    const double place = static_cast<double>(anchor - m_shown.start)
        / std::max<double>(1, static_cast<double>(m_shown.duration()));
    const Ns start = anchor - std::llround(length * place);
    show({start, start + std::llround(length)}, false);
}

void Session::panBy(Ns distance)
{
    show({m_shown.start + distance, m_shown.end + distance}, false);
}

void Session::showAll()
{
    show(m_trace->session);
}

void Session::goBack()
{
    if (m_back.empty())
        return;
    m_forward.push_back(m_shown);
    m_shown = m_back.back();
    m_back.pop_back();
    m_lastStep = 0;
    emit shownChanged(m_shown);
}

void Session::goForward()
{
    if (m_forward.empty())
        return;
    m_back.push_back(m_shown);
    m_shown = m_forward.back();
    m_forward.pop_back();
    m_lastStep = 0;
    emit shownChanged(m_shown);
}

void Session::selectRange(TimeRange range)
{
    if (range.start > range.end)
        std::swap(range.start, range.end);
    range = range.clippedTo(m_trace->session);
    if (range.empty())
        range = {};
    if (range == m_selected)
        return;
    m_selected = range;
    emit selectedRangeChanged(m_selected);
}

void Session::zoomToSelection()
{
    if (!m_selected.empty())
        show(m_selected);
    else if (m_current.valid())
        goTo(m_current);
}

void Session::selectRows(std::vector<RowId> rows)
{
    if (rows == m_selectedRows)
        return;
    m_selectedRows = std::move(rows);
    emit selectedRowsChanged();
}

bool Session::isExpanded(RowId row) const
{
    const auto known = m_expanded.constFind(keyOfRow(*m_rows, row));
    return known != m_expanded.constEnd() ? *known : m_rows->row(row).expanded;
}

void Session::setExpanded(RowId row, bool expanded)
{
    if (isExpanded(row) == expanded)
        return;
    m_expanded[keyOfRow(*m_rows, row)] = expanded;
    emit rowLayoutChanged();
}

void Session::setExpandedBelow(RowId row, bool expanded)
{
    bool changed = false;
    for (const RowId each : m_rows->subtree(row)) {
        if (isExpanded(each) == expanded)
            continue;
        m_expanded[keyOfRow(*m_rows, each)] = expanded;
        changed = true;
    }
    if (changed)
        emit rowLayoutChanged();
}

bool Session::isHidden(RowId row) const
{
    return m_hidden.contains(keyOfRow(*m_rows, row));
}

void Session::setHidden(RowId row, bool hidden)
{
    if (isHidden(row) == hidden)
        return;
    if (hidden)
        m_hidden.insert(keyOfRow(*m_rows, row));
    else
        m_hidden.remove(keyOfRow(*m_rows, row));
    emit rowLayoutChanged();
}

void Session::showAllRows()
{
    if (m_hidden.isEmpty())
        return;
    m_hidden.clear();
    emit rowLayoutChanged();
}

bool Session::isPinned(RowId row) const
{
    return m_pinned.contains(keyOfRow(*m_rows, row));
}

void Session::setPinned(RowId row, bool pinned)
{
    if (isPinned(row) == pinned)
        return;
    if (pinned)
        m_pinned.insert(keyOfRow(*m_rows, row));
    else
        m_pinned.remove(keyOfRow(*m_rows, row));
    emit rowLayoutChanged();
}

double Session::rowScale(RowId row) const
{
    return m_scale.value(keyOfRow(*m_rows, row), 1.0);
}

void Session::setRowScale(RowId row, double scale)
{
    scale = std::clamp(scale, 0.5, 8.0);
    if (scale == rowScale(row))
        return;
    m_scale[keyOfRow(*m_rows, row)] = scale;
    emit rowLayoutChanged();
}

void Session::moveRow(RowId row, RowId before)
{
    const RowId parent = m_rows->row(row).parent;
    if (row == before || (before != RowTree::root && m_rows->row(before).parent != parent))
        return;
    QStringList order;
    for (const RowId child : visibleChildren(parent)) {
        if (child == before)
            order << keyOfRow(*m_rows, row);
        if (child != row)
            order << keyOfRow(*m_rows, child);
    }
    if (before == RowTree::root)
        order << keyOfRow(*m_rows, row);
    m_order[keyOfRow(*m_rows, parent)] = order;
    emit rowLayoutChanged();
}

std::vector<RowId> Session::visibleChildren(RowId row) const
{
    std::vector<RowId> children;
    for (const RowId child : m_rows->children(row)) {
        if (!isHidden(child))
            children.push_back(child);
    }
    const QStringList order = m_order.value(keyOfRow(*m_rows, row));
    if (!order.isEmpty()) {
        const auto place = [&](RowId child) {
            const auto at = order.indexOf(keyOfRow(*m_rows, child));
            return at < 0 ? order.size() : at;
        };
        std::ranges::stable_sort(children, {}, place);
    }
    return children;
}

void Session::reveal(RowId row)
{
    if (row == RowTree::root)
        return;
    bool changed = false;
    for (RowId at = row; at != RowTree::root; at = m_rows->row(at).parent) {
        changed |= m_hidden.remove(keyOfRow(*m_rows, at));
        if (at != row && !isExpanded(at)) {
            m_expanded[keyOfRow(*m_rows, at)] = true;
            changed = true;
        }
    }
    if (changed)
        emit rowLayoutChanged();
    emit revealed(row);
}

void Session::setCurrentEvent(EventRef event)
{
    if (event == m_current)
        return;
    m_current = event;
    emit currentEventChanged(event);
}

void Session::setHighlighted(std::vector<EventRef> events)
{
    if (!std::ranges::is_sorted(events)) // millions may come, and mostly in order
        std::ranges::sort(events);
    if (events == m_highlighted)
        return;
    m_highlighted.swap(events);
    emit highlightedChanged();
    disposeElsewhere(std::move(events));
}

void Session::highlightName(EventKind kind, StringId name)
{
    m_sameName.start(
        [trace = m_trace, kind, name](const std::stop_token& stop) {
            std::vector<EventRef> same;
            const EventTable& table = trace->table(kind);
            for (EventIndex i = 0; i < table.size() && !stop.stop_requested(); ++i) {
                if (table.name[i] == name)
                    same.push_back({kind, i});
            }
            return same;
        },
        [this](std::vector<EventRef> same) { setHighlighted(std::move(same)); });
}

bool Session::isHighlighted(EventRef event) const
{
    return std::ranges::binary_search(m_highlighted, event);
}

void Session::goTo(EventRef event)
{
    if (!event.valid())
        return;
    const TimeRange range = m_trace->range(event);
    constexpr Ns leastRoom = 500;
    const Ns room = std::max(leastRoom, range.duration());
    show({range.start - room, range.end + room});
    reveal(m_rows->rowOf(m_trace->trackOf(event)));
    setCurrentEvent(event);
}

void Session::goToAtScale(EventRef event)
{
    constexpr Ns leastPart = 400;
    constexpr Ns mostPart = 2;
    if (!event.valid())
        return;
    const TimeRange range = m_trace->range(event);
    const Ns length = m_shown.duration();
    if (range.duration() < length / leastPart || range.duration() > length / mostPart) {
        goTo(event);
        return;
    }
    if (range.start < m_shown.start || range.end > m_shown.end) {
        const Ns start = range.start + range.duration() / 2 - length / 2;
        show({start, start + length});
    }
    reveal(m_rows->rowOf(m_trace->trackOf(event)));
    setCurrentEvent(event);
}

void Session::goTo(TimeRange range)
{
    const Ns room = std::max<Ns>(100, range.duration() / 10);
    show({range.start - room, range.end + room});
}

void Session::setFilter(EventFilter filter)
{
    if (filter == m_filter)
        return;
    m_filter = std::move(filter);
    emit filterChanged();
}

void Session::saveState() const
{
    if (!m_trace->complete || m_trace->session.empty())
        return;
    QSettings settings;
    settings.beginGroup(settingsGroup(*m_trace));
    QStringList open;
    QStringList closed;
    for (auto it = m_expanded.begin(); it != m_expanded.end(); ++it)
        (it.value() ? open : closed) << it.key();
    settings.setValue("open", open);
    settings.setValue("closed", closed);
    settings.setValue("hidden", QStringList(m_hidden.begin(), m_hidden.end()));
    settings.setValue("pinned", QStringList(m_pinned.begin(), m_pinned.end()));
    QVariantMap scale;
    for (auto it = m_scale.begin(); it != m_scale.end(); ++it)
        scale[it.key()] = it.value();
    settings.setValue("scale", scale);
    QVariantMap order;
    for (auto it = m_order.begin(); it != m_order.end(); ++it)
        order[it.key()] = it.value();
    settings.setValue("order", order);
}

void Session::restoreState()
{
    QSettings settings;
    settings.beginGroup(settingsGroup(*m_trace));
    if (!settings.contains("open"))
        return;
    // What the user did while the report was loading is newer and stays.
    const auto remember = [](auto& known, const QString& key, auto value) {
        if (!known.contains(key))
            known.insert(key, value);
    };
    for (const QString& key : settings.value("open").toStringList())
        remember(m_expanded, key, true);
    for (const QString& key : settings.value("closed").toStringList())
        remember(m_expanded, key, false);
    for (const QString& key : settings.value("hidden").toStringList())
        m_hidden.insert(key);
    for (const QString& key : settings.value("pinned").toStringList())
        m_pinned.insert(key);
    const QVariantMap scale = settings.value("scale").toMap();
    for (auto it = scale.begin(); it != scale.end(); ++it)
        remember(m_scale, it.key(), it.value().toDouble());
    const QVariantMap order = settings.value("order").toMap();
    for (auto it = order.begin(); it != order.end(); ++it)
        remember(m_order, it.key(), it.value().toStringList());
}

void Session::clearSelection()
{
    selectRange({});
    selectRows({});
    setCurrentEvent({});
    setHighlighted({});
}

} // namespace warpline
