#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QObject>

#include <functional>
#include <utility>

namespace warpline {

/// Runs `work` in its own turn of the event loop: after all pending events and painting. So several slow
/// tasks do not block the window in one long turn. Requests in between are combined.
class OwnTurn : public QObject {
public:
    explicit OwnTurn(std::function<void()> work)
        : m_work(std::move(work))
    {
    }

    void request()
    {
        if (!std::exchange(m_isPending, true))
            QCoreApplication::postEvent(this, new QEvent(QEvent::User), afterPainting);
    }

    /// Cancels the request.
    void cancel()
    {
        m_isPending = false;
        QCoreApplication::removePostedEvents(this, QEvent::User);
    }

    /// True after a request until it is done.
    bool isPending() const { return m_isPending; }

protected:
    void customEvent(QEvent* event) override
    {
        if (event->type() == QEvent::User && std::exchange(m_isPending, false))
            m_work();
    }

private:
    static constexpr int afterPainting = Qt::LowEventPriority - 1; ///< windows are painted at the former

    std::function<void()> m_work;
    bool m_isPending = false;
};

} // namespace warpline
