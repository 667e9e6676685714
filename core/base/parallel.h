#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace warpline {

/// How many processors this process may use: fewer than the machine has in a Slurm job or under taskset.
/// Queried once.
std::size_t processors();

/// How many threads are worth starting for `items` pieces of light work: one per `itemsWorthAThread`, at most
/// processors().
inline std::size_t threadsFor(std::size_t items, std::size_t itemsWorthAThread = 200'000)
{
    return std::clamp<std::size_t>(items / itemsWorthAThread, 1, processors());
}

/// Adds a thread that runs `work` to `threads`. False when the system has no more threads, or no memory for
/// it.
template <typename Work> bool addThread(std::vector<std::jthread>& threads, Work&& work)
{
    try {
        threads.emplace_back(std::forward<Work>(work));
        return true;
    } catch (const std::system_error&) {
        return false;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

/// Threads that help the calling thread, which waits for them in join(). An exception in a helper (out of
/// memory) does not end the program: join() rethrows the first.
class Helpers {
public:
    /// Runs `work()` on a new thread, or in place when the system has no more threads.
    template <typename Work> void start(Work work)
    {
        if (!tryStart(work))
            run(work);
    }
    /// The same of work that waits for this thread: not at all, and false, when the system has no more
    /// threads.
    template <typename Work> bool tryStart(Work work)
    {
        return addThread(m_threads, [this, work = std::move(work)]() mutable noexcept { run(work); });
    }
    /// Runs `work()` on this thread, to the same end.
    template <typename Work> void run(Work&& work) noexcept
    {
        try {
            work();
        } catch (...) {
            const std::scoped_lock lock(m_mutex);
            if (!m_first)
                m_first = std::current_exception();
        }
    }
    void join()
    {
        m_threads.clear();
        if (m_first)
            std::rethrow_exception(std::exchange(m_first, nullptr));
    }

private:
    std::mutex m_mutex;
    std::exception_ptr m_first;
    std::vector<std::jthread> m_threads; ///< last: they use the others
};

/// One of the helper threads that all calls of inParallel() and handOut() share. There are as many as
/// processors are free of callers: of the one that asks, or of all WorkingThreads when these are more. A
/// helper stays until its work is done, even if others start to work.
class SharedHelper {
public:
    SharedHelper() = default;
    SharedHelper(const SharedHelper&) = delete;
    SharedHelper& operator=(const SharedHelper&) = delete;
    ~SharedHelper();
    /// False when all are at work for others.
    bool take();

private:
    bool m_taken = false;
};

/// Splits [0, items) into `threads` runs in order and calls work(thread, first, last) for each, in parallel
/// where SharedHelpers are free. Returns when all are done, and rethrows the first exception.
template <typename Work> void inParallel(std::size_t threads, std::size_t items, Work&& work)
{
    threads = std::max<std::size_t>(1, threads);
    const auto runOf = [&work, threads, items](std::size_t t) {
        work(t, items / threads * t, t + 1 >= threads ? items : items / threads * (t + 1));
    };
    Helpers helpers;
    std::size_t own = 1; // the runs before it are the helpers'
    for (; own < threads; ++own) {
        auto helper = std::make_shared<SharedHelper>();
        if (!helper->take())
            break;
        helpers.start([&runOf, own, helper] { runOf(own); });
    }
    helpers.run([&] { runOf(0); });
    for (; own < threads; ++own)
        helpers.run([&] { runOf(own); });
    helpers.join();
}

/// Calls work(i) for each i of [0, items), whichever is next, until there are none; for several threads.
template <typename Work> class NextItems {
public:
    NextItems(std::size_t items, Work& work)
        : m_items(items),
          m_work(work)
    {
    }
    std::size_t left() const { return m_items - std::min(m_items, m_next.load()); }
    /// False: there are none.
    bool takeOne()
    {
        const std::size_t i = m_next++;
        if (i < m_items)
            m_work(i);
        return i < m_items;
    }
    void takeAll()
    {
        while (takeOne()) { }
    }

private:
    std::atomic<std::size_t> m_next{0};
    std::size_t m_items;
    Work& m_work;
};

/// Calls work(i) for each i below `items` on up to `threads` threads, each of which takes the next free item:
/// for items of different cost. SharedHelpers that become free later join between two items. Returns when all
/// are done, and rethrows the first exception.
template <typename Work> void handOut(std::size_t threads, std::size_t items, Work&& work)
{
    threads = std::min(threads, items);
    NextItems next(items, work);
    Helpers helpers;
    std::size_t working = 1;
    const auto callHelpers = [&] {
        for (; working < threads && next.left() > 1; ++working) {
            auto helper = std::make_shared<SharedHelper>();
            if (!helper->take())
                return;
            helpers.start([&next, helper] { next.takeAll(); });
        }
    };
    helpers.run([&] {
        do {
            callHelpers();
        } while (next.takeOne());
    });
    helpers.join();
}

/// handOut() on `threads` threads of its own: for work that a frame waits for, whatever else runs.
template <typename Work> void handOutAtOnce(std::size_t threads, std::size_t items, Work&& work)
{
    NextItems next(items, work);
    Helpers helpers;
    for (std::size_t t = 1; t < threads; ++t)
        helpers.start([&next] { next.takeAll(); });
    helpers.run([&next] { next.takeAll(); });
    helpers.join();
}

} // namespace warpline
