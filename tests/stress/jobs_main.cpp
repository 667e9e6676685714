// stress-jobs: many threads start, restart, cancel and drop queries on one pool. Exit code 1 when a newest
// query had no result, or too many ran at once.

#include "core/base/job_runner.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <stop_token>
#include <thread>
#include <vector>

using namespace warpline;

namespace {

/// Work that checks its stop token, sometimes with helpers of its own.
std::uint64_t work(unsigned seed, const std::stop_token& stop)
{
    std::uint64_t sum = 0;
    if (seed % 7 == 0) {
        std::atomic<std::uint64_t> total{0};
        inParallel(
            2, 10'000, [&](std::size_t, std::size_t first, std::size_t last) { total += last - first; });
        sum = total;
    }
    for (const std::uint32_t i : stoppable(0U, 200'000U, stop))
        sum += i;
    if (seed % 11 == 0)
        throw std::bad_alloc();
    return sum;
}

struct Counts {
    std::atomic<unsigned> running{0};
    std::atomic<unsigned> most{0};
    std::atomic<unsigned> answers{0};
    std::atomic<unsigned> failures{0};
};

/// Runs one job and counts how many run at the same time. One that is to stop does not count: where its query
/// is gone, the pool lets another job run.
void countedWork(Counts& counts, unsigned seed, const std::stop_token& stop)
{
    const unsigned now = ++counts.running;
    unsigned seen = counts.most;
    while (now > seen && !counts.most.compare_exchange_weak(seen, now)) { }
    struct Leaver {
        std::atomic<unsigned>& running;
        std::atomic<bool> hasLeft{false};
        void leave()
        {
            if (!hasLeft.exchange(true))
                --running;
        }
        ~Leaver() { leave(); }
    } leaver{counts.running};
    const std::stop_callback onStop(stop, [&] { leaver.leave(); });
    if (work(seed, stop) > 0)
        ++counts.answers;
}

/// Simulates a window during a drag: queries come and go.
void ask(JobPool& pool, Counts& counts, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<std::unique_ptr<JobQueue>> questions(4);
    for (int i = 0; i < 400; ++i) {
        auto& question = questions[random() % questions.size()];
        switch (random() % 8) {
        case 0:
            question.reset(); // a panel is closed
            break;
        case 1:
        case 2:
            if (question)
                question->cancel();
            break;
        default:
            if (!question)
                question = std::make_unique<JobQueue>(
                    pool, random() % 2 == 0 ? Urgency::Soon : Urgency::Background);
            question->start([&counts, number = static_cast<unsigned>(random())](
                                const std::stop_token& stop) { countedWork(counts, number, stop); },
                [&counts](const std::string&) { ++counts.failures; });
        }
        if (i % 16 == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

/// True when the last of many requests has its result.
bool newestIsAnswered(JobPool& pool)
{
    std::atomic<int> last{-1};
    JobQueue question(pool);
    for (int i = 0; i < 200; ++i)
        question.start([&last, i](const std::stop_token&) { last = i; });
    for (int waited = 0; last != 199 && waited < 10'000; ++waited)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return last == 199;
}

} // namespace

int main()
{
    Counts counts;
    bool answered = true;
    constexpr unsigned threads = 3;
    for (unsigned round = 0; round < 5; ++round) {
        JobPool pool(threads); // ends while jobs still run and wait
        {
            std::vector<std::jthread> askers;
            for (unsigned i = 0; i < 4; ++i)
                askers.emplace_back([&, i] { ask(pool, counts, round * 100 + i); });
        }
        answered = newestIsAnswered(pool) && answered;
    }
    std::printf("%u answers, %u failures, at most %u at once\n", counts.answers.load(),
        counts.failures.load(), counts.most.load());
    return answered && counts.answers > 0 && counts.most <= threads && counts.running == 0 ? 0 : 1;
}
