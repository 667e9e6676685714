#pragma once

#include "core/base/time.h"
#include "core/workspace/event_id.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace warpline {

class Trace;
class Workspace;

/// History of the inspector's pages: summary, findings, events, ranges. Pages within one turn of the event
/// loop count as one.
class InspectorHistory : public QObject {
    Q_OBJECT
public:
    struct Page {
        QString panel; ///< PanelKind::id; empty: the inspector is closed
        EventId event{}; ///< of the details
        std::weak_ptr<const Trace> trace{}; ///< of the event
        TimeRange range{}; ///< that is selected
        QString finding{}; ///< stableId(), of the findings
        bool operator==(const Page& other) const
        {
            return panel == other.panel && event == other.event && range == other.range
                && finding == other.finding;
        }
        /// Whether it is about something in its panel.
        bool hasSubject() const { return event.valid() || !range.empty() || !finding.isEmpty(); }
    };

    /// `now` returns the current page, `show` shows one.
    InspectorHistory(
        std::function<Page()> now, std::function<void(const Page&)> show, QObject* parent = nullptr);

    /// Something may have changed.
    void lookSoon();
    /// Other reports are open: clears the history.
    void forget();
    /// Some were added or removed, and `workspace` has those that are open now: pages of events that are gone
    /// go.
    void follow(const Workspace& workspace);
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_pages.size(); }
    void goBack() { go(canGoBack(), m_at - 1); }
    void goForward() { go(canGoForward(), m_at + 1); }

signals:
    void changed(); ///< canGoBack() or canGoForward()

private:
    void look();
    void go(bool isThere, std::size_t place);

    std::function<Page()> m_now;
    std::function<void(const Page&)> m_show;
    QTimer m_soon;
    std::vector<Page> m_pages;
    std::size_t m_at = 0; ///< in m_pages
};

} // namespace warpline
