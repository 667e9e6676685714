#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QObject>

#include <functional>
#include <utility>

namespace warpline {

/// Does `work` in a turn of the event loop of its own: after all that waits now, and after the painting that
/// was asked for until then. So what takes a while each does not add up to one long turn, in which the window
/// would not answer. However often it is asked for meanwhile, it is done once.
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

    /// Forgets what was asked for.
    void cancel()
    {
        m_isPending = false;
        QCoreApplication::removePostedEvents(this, QEvent::User);
    }

    /// True while it was asked for and is not done.
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
