#pragma once

#include <QMetaObject>
#include <QObject>

#include <mutex>
#include <utility>

namespace warpline {

/// Delivers results of other threads to the thread of an object, while that object lives. The object ends it
/// in its destructor; the threads hold the Delivery by shared_ptr.
class Delivery {
public:
    explicit Delivery(QObject* receiver)
        : m_receiver(receiver)
    {
    }

    /// Runs `action()` on the receiver's thread, soon; drops it when the receiver is gone. Thread-safe.
    template <typename Action> void post(Action action)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_receiver)
            QMetaObject::invokeMethod(m_receiver, std::move(action), Qt::QueuedConnection);
    }

    /// Nothing is delivered from now on. Posted calls are dropped with the receiver.
    void end()
    {
        const std::scoped_lock lock(m_mutex);
        m_receiver = nullptr;
    }

private:
    std::mutex m_mutex;
    QObject* m_receiver;
};

} // namespace warpline
