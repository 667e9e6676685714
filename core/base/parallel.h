#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace warpline {

/// How many threads the machine runs at once. The system answers from a file each time: asked once.
inline std::size_t processors()
{
    static const std::size_t count = std::max(1U, std::thread::hardware_concurrency());
    return count;
}

/// How many threads are worth `items` pieces of light work: one for every `itemsWorthAThread`, and no more
/// than the machine has.
inline std::size_t threadsFor(std::size_t items, std::size_t itemsWorthAThread = 200'000)
{
    return std::clamp<std::size_t>(items / itemsWorthAThread, 1, processors());
}

/// Threads that help the one that made them, which waits for all of them in join(). An exception of a helper
/// (memory that ran out) does not end the program: join() throws the first of them again.
class Helpers {
public:
    /// Runs `work()` on a thread of its own; here and now when the system gives no more threads.
    template <typename Work> void start(Work work)
    {
        auto guarded = [this, work = std::move(work)]() mutable noexcept { run(work); };
        try {
            m_threads.emplace_back(guarded);
        } catch (const std::system_error&) {
            guarded();
        }
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

/// Splits [0, items) into `threads` runs in order and calls work(thread, first, last) for each, side by side.
/// Returns when all are done. The first exception of any is thrown again, here.
template <typename Work> void inParallel(std::size_t threads, std::size_t items, Work&& work)
{
    Helpers helpers;
    for (std::size_t t = 1; t < threads; ++t)
        helpers.start([&work, t, threads, items] {
            work(t, items / threads * t, t + 1 == threads ? items : items / threads * (t + 1));
        });
    helpers.run([&] { work(std::size_t{0}, std::size_t{0}, threads > 1 ? items / threads : items); });
    helpers.join();
}

/// Calls work(i) for each i below `items` on `threads` threads, each of which takes the next when it is done
/// with one: for items that differ in what they take. Returns when all are done; exceptions as of
/// inParallel().
template <typename Work> void handOut(std::size_t threads, std::size_t items, Work&& work)
{
    std::atomic<std::size_t> next{0};
    inParallel(threads, items, [&](std::size_t, std::size_t, std::size_t) {
        for (std::size_t i = next++; i < items; i = next++)
            work(i);
    });
}

} // namespace warpline
