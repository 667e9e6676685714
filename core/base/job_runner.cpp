#include "core/base/job_runner.h"

#include "core/base/parallel.h"
#include "core/base/platform/large_blocks.h"
#include "core/base/platform/platform.h"
#include "core/base/stop.h"
#include "core/base/working_thread.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace warpline {

namespace {

struct Pools {
    std::mutex mutex;
    std::vector<JobPool*> all;
};

/// Never destroyed: pools may be.
Pools& pools()
{
    static auto* const known = new Pools;
    return *known;
}

} // namespace

JobPool::JobPool(unsigned threads, std::chrono::milliseconds idleTime)
    : m_most(std::max(2U, threads > 0 ? threads : static_cast<unsigned>(processors()))),
      m_idleTime(idleTime)
{
    const std::scoped_lock lock(pools().mutex);
    pools().all.push_back(this);
}

JobPool::~JobPool()
{
    {
        const std::scoped_lock lock(pools().mutex);
        std::erase(pools().all, this);
    }
    end();
}

void JobPool::requestEnd()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_ending = true; // from here on no thread is added or retired
    }
    for (std::jthread& thread : m_threads)
        thread.request_stop();
}

void JobPool::end()
{
    requestEnd();
    m_threads.clear(); // joins
    m_retired.clear();
}

bool JobPool::endAll(std::chrono::milliseconds patience)
{
    const auto until = std::chrono::steady_clock::now() + patience;
    const std::scoped_lock lock(pools().mutex);
    for (JobPool* const pool : pools().all)
        pool->requestEnd();
    const bool haveEnded = std::ranges::all_of(pools().all, [&](JobPool* pool) {
        std::unique_lock own(pool->m_mutex);
        return pool->m_ended.wait_until(own, until, [pool] { return pool->m_alive == 0; });
    });
    if (haveEnded)
        std::ranges::for_each(pools().all, &JobPool::end);
    return haveEnded;
}

JobPool& JobPool::shared()
{
    static JobPool pool;
    return pool;
}

JobPool& JobPool::files()
{
    constexpr unsigned threads
        = 64; // each may wait for a disk that hangs; they are made when they are needed
    static JobPool pool(threads);
    return pool;
}

void JobPool::post(Job job, Urgency urgency)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_ending)
            return;
        m_retired.clear(); // they no longer need the lock
        std::deque<Job>& jobs = urgency == Urgency::Soon ? m_soon : m_background;
        jobs.push_back(std::move(job));
        grow();
        if (!m_threads.empty()) {
            m_posted.notify_one();
            return;
        }
        job = std::move(jobs.back()); // it would wait for ever
        jobs.pop_back();
    }
    job(std::stop_token());
}

void JobPool::grow()
{
    if (m_ending || m_soon.size() + m_background.size() <= m_idle || m_threads.size() >= m_most + m_spared)
        return;
    if (addThread(m_threads, [this](const std::stop_token& ends) { run(ends); }))
        ++m_alive;
}

void JobPool::spare(bool more, Urgency urgency)
{
    const std::scoped_lock lock(m_mutex);
    more ? ++m_spared : --m_spared;
    if (urgency == Urgency::Background)
        more ? ++m_sparedInBackground : --m_sparedInBackground;
    grow();
    m_posted.notify_one();
}

bool JobPool::canStart() const
{
    // A thread that took the place of a given-up job stays for a while, and may be one too many.
    if (m_alive - m_idle >= m_most + m_spared)
        return false;
    return !m_soon.empty() || (!m_background.empty() && m_inBackground + 1 < m_most + m_sparedInBackground);
}

void JobPool::retire()
{
    const auto self = std::ranges::find(m_threads, std::this_thread::get_id(), &std::jthread::get_id);
    m_retired.push_back(std::move(*self));
    m_threads.erase(self);
}

std::size_t JobPool::running() const
{
    const std::scoped_lock lock(m_mutex);
    return m_threads.size();
}

JobPool::Job JobPool::take(Urgency& urgency)
{
    urgency = m_soon.empty() ? Urgency::Background : Urgency::Soon;
    std::deque<Job>& from = m_soon.empty() ? m_background : m_soon;
    Job job = std::move(from.front());
    from.pop_front();
    m_inBackground += urgency == Urgency::Background ? 1 : 0;
    return job;
}

void JobPool::run(const std::stop_token& ends)
{
    platform::yieldToOtherThreads(); // to the window's
    std::unique_lock lock(m_mutex);
    struct Alive {
        JobPool& pool;
        ~Alive() // before the lock goes
        {
            --pool.m_alive;
            pool.m_ended.notify_all();
        }
    } const alive{*this};
    while (!ends.stop_requested()) {
        ++m_idle;
        m_posted.notify_one(); // another thread may start what had to wait for this one
        const bool found = m_posted.wait_for(lock, ends, m_idleTime, [this] { return canStart(); });
        --m_idle;
        if (ends.stop_requested() || m_ending)
            return;
        if (!found) {
            lock.unlock();
            platform::giveBackSpareMemory(); // nothing is asked for a while
            lock.lock();
            if (m_ending)
                return;
            if (!m_soon.empty() || !m_background.empty()) // posted in between: look again
                continue;
            retire();
            return;
        }
        Urgency urgency = Urgency::Soon;
        Job job = take(urgency);
        lock.unlock();
        {
            const WorkingThread counted;
            job(ends);
        }
        job = {}; // may hold much memory: release it without the lock
        lock.lock();
        m_inBackground -= urgency == Urgency::Background ? 1 : 0;
    }
}

std::string failureOf(const std::function<void()>& work)
{
    try {
        work();
    } catch (const Stopped&) {
        return {};
    } catch (const std::bad_alloc&) {
        return "Not enough memory for this. Close other reports or programs, or use a shorter range.";
    } catch (const std::exception& error) {
        return std::string("This could not be computed: ") + error.what() + ".";
    }
    return {};
}

JobQueue::JobQueue(JobPool& pool, Urgency urgency)
    : m_pool(pool),
      m_urgency(urgency)
{
}

JobQueue::~JobQueue()
{
    cancel();
    giveUp();
}

void JobQueue::giveUp()
{
    const std::scoped_lock lock(m_state->mutex);
    if (!m_state->running.stop_possible() || std::exchange(m_state->isGivenUp, true)) // nothing runs
        return;
    m_pool.spare(true, m_urgency);
}

void JobQueue::start(
    std::function<void(const std::stop_token&)> work, std::function<void(const std::string&)> failed)
{
    auto next = std::make_unique<Work>(Work{std::move(work), std::move(failed), {}});
    bool isPosted = false;
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->running.request_stop();
        m_state->waiting.swap(next);
        isPosted = std::exchange(m_state->posted, true);
    }
    isPosted ? drop(std::move(next)) : post(m_pool, m_urgency, m_state);
}

void JobQueue::drop(std::unique_ptr<Work> work) noexcept
{
    if (!work)
        return;
    try {
        m_pool.post(
            [held = std::shared_ptr<Work>(std::move(work))](const std::stop_token&) {}, Urgency::Soon);
    } catch (const std::bad_alloc&) { // it has ended here
    }
}

void JobQueue::cancel()
{
    std::unique_ptr<Work> dropped;
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->running.request_stop();
        dropped.swap(m_state->waiting);
    }
    drop(std::move(dropped));
}

void JobQueue::post(JobPool& pool, Urgency urgency, std::shared_ptr<State> state)
{
    pool.post([&pool, urgency, state = std::move(state)](
                  const std::stop_token& poolEnds) { runNext(pool, urgency, state, poolEnds); },
        urgency);
}

void JobQueue::runNext(
    JobPool& pool, Urgency urgency, const std::shared_ptr<State>& state, const std::stop_token& poolEnds)
{
    std::unique_ptr<Work> next;
    {
        const std::scoped_lock lock(state->mutex);
        next.swap(state->waiting);
        if (!next) {
            state->posted = false;
            return;
        }
        state->running = next->stop;
    }
    {
        const std::stop_callback passOn(poolEnds, [&] { next->stop.request_stop(); });
        const std::string failure = failureOf([&] {
            if (failsInTests)
                throw std::bad_alloc();
            next->work(next->stop.get_token());
        });
        if (!failure.empty() && next->failed && !next->stop.stop_requested())
            next->failed(failure);
    }
    next.reset();
    {
        const std::scoped_lock lock(state->mutex);
        state->running = std::stop_source(std::nostopstate);
        if (std::exchange(state->isGivenUp, false))
            pool.spare(false, urgency);
        if (!state->waiting) {
            state->posted = false;
            return;
        }
    }
    post(pool, urgency, state); // queue behind the jobs that others posted in between
}

} // namespace warpline
