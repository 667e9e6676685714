#include "views/timeline/current_links.h"

#include "core/query/link_chain.h"
#include "core/store/trace.h"
#include "views/session/rank_judge.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>

namespace warpline {

namespace {

/// Why there is nowhere to go from `event`.
QString endOfChain(const Trace& trace, EventRef event, bool forward)
{
    const QString name = textOf(trace.displayName(event));
    const auto words = [](const char* text) { return QCoreApplication::translate("Timeline", text); };
    if (event.kind == EventKind::ApiCall && trace.workOf(event).empty())
        return words("%1 starts no GPU work and waits for none.").arg(name);
    if (event.kind == EventKind::Nvtx && forward)
        return words("No GPU work was launched inside %1.").arg(name);
    if (isGpuWork(event.kind))
        return forward ? words("Nothing in the report waits for %1.").arg(name)
                       : words("The launch of %1 is not recorded.").arg(name);
    return forward ? words("Nothing is linked after %1.").arg(name)
                   : words("Nothing is linked before %1.").arg(name);
}

} // namespace

CurrentLinks::CurrentLinks(Session& session, QObject* parent)
    : QObject(parent),
      m_session(session)
{
    connect(&session, &Session::traceChanged, this, &CurrentLinks::look);
    connect(&session.selection(), &Selection::currentEventChanged, this, &CurrentLinks::look);
    connect(&session.judgement().ranks(), &RankJudge::changed, this, &CurrentLinks::look);
}

void CurrentLinks::look()
{
    const EventId id = m_session.selection().currentEvent();
    m_links.clear();
    m_together.clear();
    m_work.reset();
    m_linkJob.cancel();
    if (const MatchedExchange* const exchange = m_session.judgement().ranks().exchangeOf(id)) {
        for (const ExchangeMember& member : exchange->members) {
            if (member.event != id)
                m_together.push_back(member.event);
        }
    }
    if (id.valid()) {
        const Trace& trace = m_session.trace(id.report);
        m_links = nearLinks(trace, id);
        const EventRef range = isDerived(id.event.kind) ? madeFrom(trace, id.event) : id.event;
        if (range.valid() && range.kind == EventKind::Nvtx)
            m_work = workInside(trace, id.report, range.index);
        findAll(id);
    }
    emit changed();
}

void CurrentLinks::findAll(EventId id)
{
    // Stream waits and backward passes need a pass over the whole report at first.
    const std::shared_ptr<const Trace> trace = m_session.workspace().report(id.report).trace;
    m_linkJob.start([trace, id](const std::stop_token& stop) { return allLinks(*trace, id, stop); },
        [this, id](std::vector<EventLink> links) {
            if (id != m_session.selection().currentEvent())
                return;
            m_links = std::move(links);
            emit changed();
        });
}

void CurrentLinks::hop(bool forward)
{
    const EventId current = m_session.selection().currentEvent();
    if (!current.valid())
        return;
    const std::shared_ptr<const Trace> trace = m_session.workspace().report(current.report).trace;
    // Matching waits needs a pass over the whole report at first.
    m_hopJob.start(
        [trace, event = current.event, forward](const std::stop_token&) {
            return forward ? nextInChain(*trace, event) : previousInChain(*trace, event);
        },
        [this, current, forward](EventRef next) {
            if (current != m_session.selection().currentEvent())
                return;
            if (next.valid())
                m_session.selection().goToAtScale({current.report, next});
            else
                emit ended(endOfChain(m_session.trace(current.report), current.event, forward));
        });
}

} // namespace warpline
