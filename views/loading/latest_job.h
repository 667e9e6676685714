#pragma once

#include "core/base/job_runner.h"
#include "views/loading/delivery.h"
#include "views/loading/dispose.h"
#include "views/loading/job_failures.h"

#include <QObject>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace warpline {

/// Runs work off the GUI thread and delivers only the newest result: starting again stops the running work
/// and drops its result. Unless a pool is named they share the threads of JobPool::shared(). Of one LatestJob
/// at most one job runs and one waits, next to those that it abandoned. Never blocks the GUI thread.
class LatestJob : public QObject {
public:
    explicit LatestJob(QObject* parent = nullptr, Urgency urgency = Urgency::Soon)
        : LatestJob(JobPool::shared(), urgency, parent)
    {
    }
    /// On the threads of `pool`: JobPool::files() for what waits for files.
    explicit LatestJob(JobPool& pool, Urgency urgency = Urgency::Soon, QObject* parent = nullptr)
        : QObject(parent),
          m_pool(pool),
          m_urgency(urgency),
          m_queue(std::make_unique<JobQueue>(pool, urgency)),
          m_delivery(std::make_shared<Delivery>(this))
    {
    }
    ~LatestJob() override { m_delivery->end(); }

    /// Runs `work(std::stop_token)` on a thread of the pool, then `done(result)` on this object's thread.
    /// `work` may throw Stopped once its token is stopped. `done` is not called then, nor when memory runs
    /// out, which JobFailures reports.
    template <typename Work, typename Done> void start(Work work, Done done)
    {
        const quint64 request = ++m_request;
        m_busy = true;
        m_failure.clear();
        // By pointer, because std::function copies its target.
        const auto task = std::make_shared<Task<Work, Done>>(std::move(work), std::move(done));
        m_queue->start(
            [this, request, task, delivery = m_delivery](const std::stop_token& stop) {
                auto value
                    = std::make_shared<std::invoke_result_t<Work&, const std::stop_token&>>(task->work(stop));
                if (stop.stop_requested())
                    return;
                delivery->post([this, request, task, value]() mutable {
                    if (request != m_request) {
                        disposeElsewhere(std::pair(std::move(value), std::move(task)));
                        return;
                    }
                    m_busy = false;
                    task->done(std::move(*value));
                });
            },
            [this, request, delivery = m_delivery](const std::string& message) {
                delivery->post([this, request, message] {
                    if (request != m_request)
                        return;
                    m_busy = false;
                    m_failure = QString::fromStdString(message);
                    if (m_failed)
                        m_failed();
                    JobFailures::shared().tell(QString::fromStdString(message));
                });
            });
    }

    /// Stops the running work and drops its result.
    void cancel()
    {
        ++m_request;
        m_busy = false;
        m_failure.clear();
        m_queue->cancel();
    }

    /// The same of a job that may hang: the next does not wait for its end.
    void abandon()
    {
        cancel();
        m_queue = std::make_unique<JobQueue>(m_pool, m_urgency);
    }

    bool isBusy() const { return m_busy; }
    /// Why the newest work has no result, as JobFailures reports it; empty: it has one, or may get one.
    const QString& failure() const { return m_failure; }
    /// Runs `failed()` whenever work fails, to show failure() in the place of the result.
    void onFailure(std::function<void()> failed) { m_failed = std::move(failed); }

private:
    template <typename Work, typename Done> struct Task {
        Task(Work theWork, Done theDone)
            : work(std::move(theWork)),
              done(std::move(theDone))
        {
        }
        Work work;
        Done done;
    };
    quint64 m_request = 0;
    bool m_busy = false;
    QString m_failure;
    std::function<void()> m_failed;
    JobPool& m_pool;
    Urgency m_urgency;
    std::unique_ptr<JobQueue> m_queue;
    std::shared_ptr<Delivery> m_delivery;
};

} // namespace warpline
