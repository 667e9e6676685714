#pragma once

#include "core/base/stop.h"
#include "views/loading/dispose.h"

#include <QMetaObject>
#include <QObject>

#include <atomic>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpline {

/// Runs work off the GUI thread and delivers only the newest result: starting again stops what runs and drops
/// what it would have answered. Never blocks the GUI thread, except in the destructor.
class LatestJob : public QObject {
public:
    explicit LatestJob(QObject* parent = nullptr)
        : QObject(parent)
    {
    }
    ~LatestJob() override { cancel(); }

    /// Runs `work(std::stop_token)` on a thread of its own, then `done(result)` on this object's thread.
    template <typename Work, typename Done> void start(Work work, Done done)
    {
        cancel();
        std::erase_if(m_retired, [](const Running& running) { return running.finished->load(); });
        const quint64 request = m_request;
        m_busy = true;
        auto finished = std::make_shared<std::atomic<bool>>(false);
        std::jthread thread([this, request, finished, work = std::move(work), done = std::move(done)](
                                const std::stop_token& stop) mutable {
            using Value = std::invoke_result_t<Work, std::stop_token>;
            std::shared_ptr<Value> value;
            try {
                value = std::make_shared<Value>(work(stop));
            } catch (const Stopped&) { // by cancel(): nobody waits for it
                finished->store(true);
                return;
            }
            QMetaObject::invokeMethod(
                this,
                [this, request, value, done = std::move(done)]() mutable {
                    if (request != m_request) {
                        disposeElsewhere(std::pair(std::move(value), std::move(done)));
                        return;
                    }
                    m_busy = false;
                    done(std::move(*value));
                },
                Qt::QueuedConnection);
            finished->store(true);
        });
        m_current = {std::move(thread), finished};
    }

    /// Stops what runs and drops its result.
    void cancel()
    {
        ++m_request;
        m_busy = false;
        if (m_current.thread.joinable()) {
            m_current.thread.request_stop();
            m_retired.push_back(std::move(m_current));
            m_current = {};
        }
    }

    bool isBusy() const { return m_busy; }

private:
    struct Running {
        std::jthread thread;
        std::shared_ptr<std::atomic<bool>> finished;
    };
    quint64 m_request = 0;
    bool m_busy = false;
    Running m_current;
    std::vector<Running> m_retired; ///< stopped, not joined yet
};

} // namespace warpline
