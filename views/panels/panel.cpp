#include "views/panels/panel.h"

#include "core/store/trace.h"

#include <QSettings>

#include <algorithm>

namespace warpline {

namespace {

constexpr int followMs = 40; ///< between two updates during a drag
constexpr int restMs = 250; ///< a drag must rest this long before a panel reads a whole report again

} // namespace

Panel::Panel(Session& session, QWidget* parent, RefreshTime time)
    : QWidget(parent),
      m_session(session),
      m_refresh(
          *this, time == RefreshTime::AfterRest ? restMs : followMs, [this] { refresh(); }, time)
{
    connect(&session, &Session::traceChanged, this, &Panel::follow);
    connect(&session, &Session::reportChosen, this, &Panel::follow);
}

void Panel::follow()
{
    const std::shared_ptr<const Trace> trace = m_session.sharedTrace();
    const bool isOther = !trace->complete || m_shown.lock() != trace;
    if (isOther)
        clear();
    m_shown = trace->complete ? trace : nullptr;
    const bool isAlone = m_session.workspace().reports().size() == 1; // otherwise others may come and go
    if (trace->complete && (isOther || isAlone))
        showReport();
}

void Panel::setInFront(bool inFront)
{
    m_refresh.setInFront(inFront);
    setSeen(inFront && isVisible());
}

void Panel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    setSeen(isInFront());
}

void Panel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    setSeen(false);
}

bool hasGpuWork(Session& session)
{
    return std::ranges::any_of(session.workspace().reports(), [](const OpenReport& report) {
        return std::ranges::any_of(allEventKinds(),
            [&](EventKind kind) { return isGpuWork(kind) && !report.trace->table(kind).empty(); });
    });
}

} // namespace warpline
