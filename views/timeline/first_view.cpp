#include "views/timeline/first_view.h"

#include "core/query/gpu_span.h"
#include "views/style/rich_text.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr Ns shortest = 100'000'000; ///< of shorter reports nothing is far away
constexpr double maxBusyShare = 0.4; ///< of the time; GPU work in more is no silence around it
constexpr double room = 0.03; ///< of the shown range, on both sides

/// From the first to the last GPU work of all reports, on the common clock.
template <typename Span> TimeRange workOfAll(const Workspace& workspace, Span spanOf)
{
    TimeRange all;
    for (const OpenReport& report : workspace.reports()) {
        const TimeRange own = report.clock.toWorkspace(spanOf(*report.trace));
        if (!own.empty())
            all = all.empty() ? own : TimeRange{std::min(all.start, own.start), std::max(all.end, own.end)};
    }
    return all;
}

} // namespace

FirstView::FirstView(Session& session, QObject* parent)
    : QObject(parent),
      m_session(session)
{
    connect(&session, &Session::traceChanged, this, &FirstView::onTraceChanged);
    connect(&session, &Session::clocksChanged, this, [this] {
        // Deferred: the session itself moves its shown range with the clocks, away from the first view.
        m_followsClocks = m_followsClocks || isAsBegun();
        QTimer::singleShot(0, this, &FirstView::onClocksChanged);
    });
    connect(&session.time(), &TimeView::shownChanged, this, [this](TimeRange shown) {
        if (m_work.empty() || shown == m_begun)
            return;
        m_work = {}; // the user found the way
        emit changed();
    });
}

TimeRange FirstView::rangeToBeginWith(TimeRange session, TimeRange work)
{
    if (work.empty() || session.duration() < shortest
        || static_cast<double>(work.duration()) > maxBusyShare * static_cast<double>(session.duration()))
        return {};
    const Ns around = std::max<Ns>(1, static_cast<Ns>(static_cast<double>(work.duration()) * room));
    return TimeRange{work.start - around, work.end + around}.clippedTo(session);
}

void FirstView::onTraceChanged()
{
    const bool wasBegun = isAsBegun();
    if (!m_work.empty()) {
        m_work = {};
        emit changed();
    }
    const Workspace& workspace = m_session.workspace();
    if (!workspace.isComplete() || m_session.isEmpty())
        return;
    const std::shared_ptr<const Trace>& trace = workspace.reports().back().trace;
    if (m_seen.lock() == trace)
        return;
    m_seen = trace;
    if (wasBegun || isUntouched())
        begin();
}

void FirstView::onClocksChanged()
{
    const Workspace& workspace = m_session.workspace();
    if (workspace.reports().size() > 1 && m_seen.lock() == workspace.reports().back().trace
        && (std::exchange(m_followsClocks, false) || isUntouched()))
        begin();
}

bool FirstView::isAsBegun() const
{
    return !m_work.empty() && m_session.time().shown() == m_begun;
}

bool FirstView::isUntouched() const
{
    // A range from the command line, or changed by the user during loading, is kept.
    return m_session.time().shown() == m_session.session() && !m_session.time().canGoBack()
        && m_session.time().reach() == m_session.session();
}

void FirstView::begin()
{
    const TimeRange all = m_session.session();
    const TimeRange whole = workOfAll(m_session.workspace(), gpuWorkSpan);
    TimeRange work = whole;
    TimeRange first = rangeToBeginWith(all, work);
    if (first.empty()) { // a copy long before must not stretch it
        work = workOfAll(m_session.workspace(), mainGpuSpan);
        first = rangeToBeginWith(all, work);
    }
    m_work = {}; // so that the current range does not count as the user's
    m_session.time().show(first.empty() ? all : first, !first.empty(), Manner::AtOnce);
    m_begun = m_session.time().shown();
    m_work = first.empty() ? TimeRange() : work;
    m_holdsAll = work == whole;
    emit changed();
}

QString FirstView::note() const
{
    if (m_work.empty())
        return {};
    const TimeRange all = m_session.session();
    const QString whole = roundedText(all.duration());
    constexpr Ns part = 8; // an eighth of the time from an end is at that end
    if (all.end - m_work.end < all.duration() / part)
        return (m_holdsAll ? tr("%1, GPU work in the last %2") : tr("%1, most GPU work in the last %2"))
            .arg(whole, roundedText(all.end - m_work.start));
    if (m_work.start - all.start < all.duration() / part)
        return (m_holdsAll ? tr("%1, GPU work in the first %2") : tr("%1, most GPU work in the first %2"))
            .arg(whole, roundedText(m_work.end - all.start));
    return (m_holdsAll ? tr("%1, GPU work in %2 of it") : tr("%1, most GPU work in %2 of it"))
        .arg(whole, roundedText(m_work.duration()));
}

} // namespace warpline
