#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace warpline {

/// How soon a result is needed. Work that reads all of a report must not delay quick queries.
enum class Urgency : std::uint8_t {
    Soon, ///< the user looks at the place where the result will appear
    Background, ///< runs on all but one of the pool's threads at most
};

/// A pool with a maximum number of threads. A thread starts when there is work, and ends after an idle time.
/// Thread-safe.
class JobPool {
public:
    /// `threads` 0: as many as the machine has; at least two, so that background work never blocks quick
    /// answers.
    explicit JobPool(unsigned threads = 0, std::chrono::milliseconds idleTime = std::chrono::seconds(2));
    ~JobPool(); ///< end().
    JobPool(const JobPool&) = delete;
    JobPool& operator=(const JobPool&) = delete;

    /// The pool that all queries of the window share. The program ends it before main() returns.
    static JobPool& shared();
    /// The pool of what waits for files: a disk that hangs must not keep questions waiting that need none.
    static JobPool& files();
    /// Asks the running jobs to stop, drops the waiting ones and waits for the running. None starts after
    /// that.
    void end();
    /// The same of all pools, but waits no longer than `patience`. False: a job still runs, as one that reads
    /// from a disk that hangs. Destroying its pool would wait for it: only std::_Exit() ends the program
    /// then. True: no thread is left.
    static bool endAll(std::chrono::milliseconds patience);

    /// Runs `job` as soon as a thread is free, jobs of one urgency in the order they come; in place when the
    /// pool has no thread and the system no more. The token is requested when the pool ends.
    void post(std::function<void(const std::stop_token& poolEnds)> job, Urgency urgency);
    /// The most threads the pool uses.
    unsigned threads() const { return m_most; }
    /// How many there are now.
    std::size_t running() const;

private:
    friend class JobQueue;
    using Job = std::function<void(const std::stop_token&)>;
    void requestEnd();
    void grow(); ///< by a thread for what waits, where it may; with m_mutex held
    /// One more job, or one less, that nobody waits for and that may never end: others get its place.
    void spare(bool more, Urgency urgency);
    void run(const std::stop_token& ends);
    bool canStart() const; ///< with m_mutex held
    Job take(Urgency& urgency); ///< with m_mutex held
    void retire(); ///< this thread, with m_mutex held

    const unsigned m_most;
    const std::chrono::milliseconds m_idleTime;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_posted;
    std::deque<Job> m_soon;
    std::deque<Job> m_background;
    unsigned m_idle = 0; ///< threads that wait for work
    unsigned m_inBackground = 0; ///< background jobs that run
    unsigned m_spared = 0; ///< see spare(): of both urgencies
    unsigned m_sparedInBackground = 0;
    bool m_ending = false;
    unsigned m_alive = 0; ///< threads in run()
    std::condition_variable m_ended;
    std::vector<std::jthread> m_retired; ///< about to end, or ended
    std::vector<std::jthread> m_threads; ///< last: they use the others
};

/// Runs one repeated query: at most one job runs and at most one waits. Starting a job stops the running one
/// and replaces the waiting one. Never blocks, not even in the destructor. Thread-safe.
class JobQueue {
public:
    /// For tests: whether all work fails, as without memory.
    static inline std::atomic<bool> failsInTests = false;

    explicit JobQueue(JobPool& pool, Urgency urgency = Urgency::Soon);
    /// cancel() and giveUp().
    ~JobQueue();
    JobQueue(const JobQueue&) = delete;
    JobQueue& operator=(const JobQueue&) = delete;

    /// Runs `work(stop)` on the pool; the work itself delivers its result. When it throws anything but
    /// Stopped, `failed` gets a sentence that gives the reason ("Not enough memory ..."), unless the job was
    /// stopped or replaced. Both are destroyed on a thread of the pool, where it has one.
    void start(std::function<void(const std::stop_token&)> work,
        std::function<void(const std::string& message)> failed = {});
    /// Stops the running job and drops the waiting one.
    void cancel();
    /// The running job may never end, as one whose disk hangs: until it does, it takes no thread from others.
    void giveUp();

private:
    struct Work {
        std::function<void(const std::stop_token&)> work;
        std::function<void(const std::string&)> failed;
        std::stop_source stop;
    };
    struct State {
        std::mutex mutex;
        std::unique_ptr<Work> waiting;
        std::stop_source running{std::nostopstate};
        bool posted = false; ///< a job of this queue waits for a thread or runs
        bool isGivenUp = false; ///< what runs
    };
    /// Lets `work`, which may hold much, end on the pool.
    void drop(std::unique_ptr<Work> work) noexcept;
    static void runNext(
        JobPool& pool, Urgency urgency, const std::shared_ptr<State>& state, const std::stop_token& poolEnds);
    static void post(JobPool& pool, Urgency urgency, std::shared_ptr<State> state);

    JobPool& m_pool;
    Urgency m_urgency;
    std::shared_ptr<State> m_state = std::make_shared<State>();
};

/// Runs `work()` and returns the reason as a sentence when it throws, else an empty message. Stopped is not a
/// failure.
std::string failureOf(const std::function<void()>& work);

} // namespace warpline
