#pragma once

#include <QEvent>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <utility>

namespace warpline {

/// When a burst of requests is answered.
enum class RefreshTime {
    SoonAfterFirst, ///< a panel that is quick follows a drag, every `delayMs` ms
    AfterRest, ///< a panel that reads all of a report waits until there was no request for `delayMs` ms
};

/// Combines a burst of requests into one refresh. Requests of a hidden widget wait until it is shown, so that
/// panels behind other tabs cost nothing.
class DelayedRefresh : public QObject {
public:
    DelayedRefresh(QWidget& widget, int delayMs, std::function<void()> refresh,
        RefreshTime time = RefreshTime::SoonAfterFirst)
        : m_widget(widget),
          m_delayMs(delayMs),
          m_refresh(std::move(refresh)),
          m_time(time)
    {
        m_timer.setSingleShot(true);
        connect(&m_timer, &QTimer::timeout, this, [this] { run(); });
        widget.installEventFilter(this);
    }

    void request()
    {
        m_wanted = true;
        if (!m_timer.isActive() || m_time == RefreshTime::AfterRest)
            m_timer.start(m_delayMs); // restarts a running timer
    }

    /// The same without the delay, for the result of a click. Combines only simultaneous requests.
    void requestAtOnce()
    {
        m_wanted = true;
        m_timer.start(0);
    }

    /// Cancels the request, because it is done or obsolete.
    void cancel()
    {
        m_wanted = false;
        m_timer.stop();
    }

    /// Whether the widget is in front of others at its place. Qt calls a dock behind another tab visible:
    /// only the owner of the dock knows better.
    bool isInFront() const { return m_isInFront; }
    void setInFront(bool inFront)
    {
        m_isInFront = inFront;
        if (inFront && m_wanted)
            QTimer::singleShot(0, this, [this] { run(); });
    }

    /// True while a request has no result yet, for example because the widget is hidden.
    bool isWanted() const { return m_wanted; }
    /// True while a refresh will happen by itself.
    bool isPending() const { return m_wanted && m_isInFront && m_widget.isVisible(); }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Show && m_wanted)
            QTimer::singleShot(0, this, [this] { run(); });
        return QObject::eventFilter(watched, event);
    }

private:
    void run()
    {
        if (!isPending())
            return;
        m_wanted = false;
        m_refresh();
    }

    QWidget& m_widget;
    int m_delayMs;
    std::function<void()> m_refresh;
    RefreshTime m_time;
    bool m_isInFront = true;
    QTimer m_timer;
    bool m_wanted = false;
};

} // namespace warpline
