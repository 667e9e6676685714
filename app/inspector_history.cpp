#include "app/inspector_history.h"

#include "core/workspace/workspace.h"

#include <utility>

namespace warpline {

namespace {

constexpr std::size_t maxPages = 100;

} // namespace

InspectorHistory::InspectorHistory(
    std::function<Page()> now, std::function<void(const Page&)> show, QObject* parent)
    : QObject(parent),
      m_now(std::move(now)),
      m_show(std::move(show))
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &InspectorHistory::look);
}

void InspectorHistory::lookSoon()
{
    m_soon.start(0);
}

void InspectorHistory::forget()
{
    m_pages.clear();
    m_at = 0;
    emit changed();
    lookSoon();
}

void InspectorHistory::follow(const Workspace& workspace)
{
    for (std::size_t place = m_pages.size(); place-- > 0;) {
        Page& page = m_pages[place];
        if (!page.event.valid())
            continue;
        if (const OpenReport* const report = workspace.find(page.trace.lock())) {
            page.event.report = report->id; // others may stand before it
            continue;
        }
        m_pages.erase(m_pages.begin() + static_cast<std::ptrdiff_t>(place));
        if (place <= m_at && m_at > 0)
            --m_at;
    }
    emit changed();
}

void InspectorHistory::look()
{
    const Page page = m_now();
    if (page.panel.isEmpty() || (!m_pages.empty() && m_pages[m_at] == page))
        return;
    // Between two findings none is chosen for a moment.
    if (!m_pages.empty() && m_pages[m_at].panel == page.panel && !page.hasSubject())
        return;
    if (!m_pages.empty())
        m_pages.resize(m_at + 1);
    if (m_pages.size() == maxPages)
        m_pages.erase(m_pages.begin());
    m_pages.push_back(page);
    m_at = m_pages.size() - 1;
    emit changed();
}

void InspectorHistory::go(bool isThere, std::size_t place)
{
    if (m_soon.isActive()) { // the current page belongs to the history
        m_soon.stop();
        look();
    }
    if (!isThere || place >= m_pages.size())
        return;
    m_at = place;
    m_show(Page(m_pages[place]));
    emit changed();
}

} // namespace warpline
