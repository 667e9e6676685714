#include "core/base/job_runner.h"
#include "core/base/moment.h"
#include "core/base/parallel.h"
#include "core/base/stop.h"
#include "tests/support/no_threads.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tst_job_runner {

using namespace warpline;
using namespace std::chrono_literals;

namespace {

/// Waits until `done()`, for ten seconds at most.
template <typename Done> bool becomes(Done done)
{
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (!done() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(1ms);
    return done();
}

} // namespace

class TestJobRunner : public QObject {
    Q_OBJECT
private slots:
    void runsOneAndKeepsOneWaiting();
    void tellsTheRunningJobToStop();
    void cancelDropsWhatWaits();
    void jobsThatHangTakeNoThread();
    void givenUpJobsTakeNoThread();
    void jobsThatHangGiveBackgroundWorkNoMore();
    void leavesAThreadToQuickQuestions();
    void usesNoMoreThreadsThanAllowed();
    void idleThreadsEnd();
    void neverWaitsToBeDestroyed();
    void poolStopsItsJobs();
    void saysWhyAJobFailed();
    void worksInPlaceWithoutThreads();
    void aMomentThatFailsFindsNothingAtOnce();
    void helpersPassOnExceptions();
    void helpersAreSharedByAll();
    void helpersThatBecomeFreeJoin();
    void jobsThatRunTakeProcessorsFromHelpers();
    void loopsLookAtTheStopToken();
};

void TestJobRunner::runsOneAndKeepsOneWaiting()
{
    JobPool pool(4);
    JobQueue queue(pool);
    std::atomic<int> running{0};
    std::atomic<int> most{0};
    std::atomic<int> runs{0};
    std::atomic<int> last{-1};
    std::promise<void> begun;
    std::promise<void> go;
    const std::shared_future<void> gate = go.get_future().share();
    queue.start([&](const std::stop_token&) {
        ++running;
        ++runs;
        begun.set_value();
        gate.wait();
        --running;
    });
    begun.get_future().wait();
    for (int i = 0; i < 100; ++i) {
        queue.start([&, i](const std::stop_token&) {
            most = std::max(most.load(), ++running);
            ++runs;
            last = i;
            --running;
        });
    }
    go.set_value();
    QVERIFY(becomes([&] { return last == 99; }));
    QCOMPARE(runs.load(), 2); // the first, and the newest
    QCOMPARE(most.load(), 1);
}

void TestJobRunner::tellsTheRunningJobToStop()
{
    JobPool pool(2);
    JobQueue queue(pool);
    std::atomic<bool> begun{false};
    std::atomic<bool> stopped{false};
    std::atomic<bool> second{false};
    queue.start([&](const std::stop_token& stop) {
        begun = true;
        while (!stop.stop_requested())
            std::this_thread::sleep_for(1ms);
        stopped = true;
    });
    QVERIFY(becomes([&] { return begun.load(); }));
    queue.start([&](const std::stop_token& stop) { second = stopped && !stop.stop_requested(); });
    QVERIFY(becomes([&] { return second.load(); }));
}

void TestJobRunner::cancelDropsWhatWaits()
{
    JobPool pool(2);
    JobQueue queue(pool);
    std::atomic<bool> begun{false};
    std::atomic<bool> ended{false};
    std::atomic<bool> ran{false};
    queue.start([&](const std::stop_token& stop) {
        begun = true;
        while (!stop.stop_requested())
            std::this_thread::sleep_for(1ms);
        std::this_thread::sleep_for(20ms);
        ended = true;
    });
    QVERIFY(becomes([&] { return begun.load(); }));
    queue.start([&](const std::stop_token&) { ran = true; });
    queue.cancel();
    QVERIFY(becomes([&] { return ended.load(); }));
    std::this_thread::sleep_for(50ms);
    QVERIFY(!ran);
}

void TestJobRunner::jobsThatHangTakeNoThread()
{
    JobPool pool(2);
    std::atomic<int> hanging{0};
    std::promise<void> go;
    const std::shared_future<void> gate = go.get_future().share();
    for (int i = 0; i < 5; ++i) {
        JobQueue queue(pool, i % 2 == 0 ? Urgency::Soon : Urgency::Background);
        queue.start([&](const std::stop_token&) {
            ++hanging;
            gate.wait(); // as a disk that does not answer
            --hanging;
        });
        QVERIFY(becomes([&] { return hanging == i + 1; }));
    }
    std::atomic<int> answered{0};
    JobQueue queue(pool);
    queue.start([&](const std::stop_token&) { ++answered; });
    pool.post([&](const std::stop_token&) { ++answered; }, Urgency::Background);
    QVERIFY(becomes([&] { return answered == 2; }));
    go.set_value();
    QVERIFY(becomes([&] { return hanging == 0; }));
}

/// Somebody still waits for them.
void TestJobRunner::givenUpJobsTakeNoThread()
{
    JobPool pool(2);
    std::atomic<int> hanging{0};
    std::promise<void> go;
    const std::shared_future<void> gate = go.get_future().share();
    std::vector<std::unique_ptr<JobQueue>> queues;
    for (int i = 0; i < 5; ++i) {
        queues.push_back(std::make_unique<JobQueue>(pool));
        queues.back()->start([&](const std::stop_token&) {
            ++hanging;
            gate.wait();
            --hanging;
        });
        QVERIFY(becomes([&] { return hanging == i + 1; }));
        for (int twice = 0; twice < 2; ++twice)
            queues.back()->giveUp();
    }
    std::atomic<bool> answered{false};
    JobQueue queue(pool);
    queue.start([&](const std::stop_token&) { answered = true; });
    QVERIFY(becomes([&] { return answered.load(); }));
    go.set_value();
    QVERIFY(becomes([&] { return hanging == 0; }));
    queues.clear();
    std::promise<void> again;
    const std::shared_future<void> next = again.get_future().share();
    for (int i = 0; i < 3; ++i) { // no more than two at once again
        queues.push_back(std::make_unique<JobQueue>(pool));
        queues.back()->start([&](const std::stop_token&) {
            ++hanging;
            next.wait();
            --hanging;
        });
    }
    QVERIFY(becomes([&] { return hanging == 2; }));
    std::this_thread::sleep_for(50ms);
    QCOMPARE(hanging.load(), 2);
    again.set_value();
    QVERIFY(becomes([&] { return hanging == 0; }));
}

void TestJobRunner::jobsThatHangGiveBackgroundWorkNoMore()
{
    JobPool pool(2);
    std::promise<void> go;
    const std::shared_future<void> gate = go.get_future().share();
    std::atomic<int> running{0};
    const auto hang = [&](const std::stop_token&) {
        ++running;
        gate.wait();
        --running;
    };
    {
        JobQueue quick(pool, Urgency::Soon);
        quick.start(hang);
        QVERIFY(becomes([&] { return running == 1; }));
    }
    for (int i = 0; i < 2; ++i)
        pool.post(hang, Urgency::Background);
    QVERIFY(becomes([&] { return running == 2; }));
    std::atomic<bool> answered{false};
    JobQueue quick(pool, Urgency::Soon);
    quick.start([&](const std::stop_token&) { answered = true; });
    QVERIFY(becomes([&] { return answered.load(); }));
    go.set_value();
    QVERIFY(becomes([&] { return running == 0; }));
}

void TestJobRunner::leavesAThreadToQuickQuestions()
{
    JobPool pool(2);
    JobQueue first(pool, Urgency::Background);
    JobQueue second(pool, Urgency::Background);
    JobQueue quick(pool, Urgency::Soon);
    std::promise<void> go;
    const std::shared_future<void> gate = go.get_future().share();
    std::atomic<int> inBackground{0};
    std::atomic<int> ended{0};
    std::atomic<bool> answered{false};
    for (JobQueue* const queue : {&first, &second})
        queue->start([&](const std::stop_token&) {
            ++inBackground;
            gate.wait();
            ++ended;
        });
    QVERIFY(becomes([&] { return inBackground == 1; }));
    quick.start([&](const std::stop_token&) { answered = true; });
    QVERIFY(becomes([&] { return answered.load(); }));
    QCOMPARE(inBackground.load(), 1); // the other waits for the first
    go.set_value();
    QVERIFY(becomes([&] { return ended == 2; }));
}

void TestJobRunner::usesNoMoreThreadsThanAllowed()
{
    JobPool pool(3);
    std::atomic<int> running{0};
    std::atomic<int> most{0};
    std::atomic<int> ended{0};
    for (int i = 0; i < 60; ++i)
        pool.post(
            [&](const std::stop_token&) {
                const int now = ++running;
                int seen = most;
                while (now > seen && !most.compare_exchange_weak(seen, now)) { }
                // The first ones stay until all threads are there, however busy the machine is.
                for (int waited = 0; most < 3 && waited < 2000; ++waited)
                    std::this_thread::sleep_for(1ms);
                std::this_thread::sleep_for(1ms);
                --running;
                ++ended;
            },
            Urgency::Soon);
    QVERIFY(becomes([&] { return ended == 60; }));
    QCOMPARE(most.load(), 3);
    QCOMPARE(pool.threads(), 3U);
}

void TestJobRunner::idleThreadsEnd()
{
    JobPool pool(3, 20ms);
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> ended{0};
        for (int i = 0; i < 6; ++i)
            pool.post(
                [&](const std::stop_token&) { ++ended; }, i % 2 == 0 ? Urgency::Soon : Urgency::Background);
        QVERIFY(becomes([&] { return ended == 6; }));
        QVERIFY(pool.running() <= 3);
        if (round % 4 == 0)
            QVERIFY(becomes([&] { return pool.running() == 0; }));
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(15 + round)); // just as they end
    }
}

void TestJobRunner::neverWaitsToBeDestroyed()
{
    JobPool pool(2);
    std::atomic<bool> begun{false};
    std::atomic<bool> ended{false};
    std::promise<void> go;
    const std::shared_future<void> gate = go.get_future().share();
    {
        JobQueue queue(pool);
        queue.start([&](const std::stop_token&) {
            begun = true;
            gate.wait();
            ended = true;
        });
        QVERIFY(becomes([&] { return begun.load(); }));
    }
    QVERIFY(!ended); // the queue is gone, its job is not
    go.set_value();
    QVERIFY(becomes([&] { return ended.load(); }));
}

void TestJobRunner::poolStopsItsJobs()
{
    std::atomic<bool> begun{false};
    std::atomic<bool> stopped{false};
    std::atomic<bool> ran{false};
    {
        JobPool pool(2);
        JobQueue queue(pool);
        queue.start([&](const std::stop_token& stop) {
            begun = true;
            while (!stop.stop_requested())
                std::this_thread::sleep_for(1ms);
            stopped = true;
        });
        QVERIFY(becomes([&] { return begun.load(); }));
    }
    QVERIFY(stopped); // the pool waited for it
    QVERIFY(!ran);
}

void TestJobRunner::saysWhyAJobFailed()
{
    JobPool pool(2);
    JobQueue queue(pool);
    std::promise<std::string> told;
    queue.start([](const std::stop_token&) { throw std::bad_alloc(); },
        [&](const std::string& message) { told.set_value(message); });
    const std::string message = told.get_future().get();
    QVERIFY2(message.find("Not enough memory") != std::string::npos, message.c_str());
    QVERIFY(failureOf([] { throw Stopped{}; }).empty());
    QVERIFY(failureOf([] { throw std::runtime_error("odd"); }).find("odd") != std::string::npos);
    std::atomic<bool> ran{false};
    queue.start([&](const std::stop_token&) { ran = true; }); // the pool lives on
    QVERIFY(becomes([&] { return ran.load(); }));
}

void TestJobRunner::worksInPlaceWithoutThreads()
{
    if (!test::NoThreads::works)
        QSKIP("threads cannot be refused here");
    JobPool pool(2);
    std::vector<int> done;
    std::string told;
    {
        const test::NoThreads none;
        JobQueue queue(pool, Urgency::Background);
        for (const int i : {0, 1}) {
            queue.start([&, i](const std::stop_token&) { done.push_back(i); });
            QCOMPARE(done.size(), static_cast<std::size_t>(i) + 1);
        }
        queue.start([](const std::stop_token&) { throw std::runtime_error("odd"); },
            [&](const std::string& message) { told = message; });
        Helpers helpers;
        helpers.start([&] { done.push_back(2); });
        QVERIFY(!helpers.tryStart([&] { done.push_back(3); }));
        helpers.join();
    }
    QVERIFY2(told.find("odd") != std::string::npos, told.c_str());
    QCOMPARE(done, (std::vector<int>{0, 1, 2}));
    QCOMPARE(pool.running(), std::size_t{0});
    std::promise<std::thread::id> thread; // there are threads again
    pool.post([&](const std::stop_token&) { thread.set_value(std::this_thread::get_id()); }, Urgency::Soon);
    QVERIFY(thread.get_future().get() != std::this_thread::get_id());
}

void TestJobRunner::aMomentThatFailsFindsNothingAtOnce()
{
    const auto begin = std::chrono::steady_clock::now();
    QVERIFY(!withinAMoment([]() -> int { throw std::bad_alloc(); }, 10s));
    QVERIFY(std::chrono::steady_clock::now() - begin < 5s);
}

void TestJobRunner::helpersPassOnExceptions()
{
    for (const std::size_t thrower : {0U, 1U, 2U}) {
        std::atomic<int> done{0};
        bool caught = false;
        try {
            inParallel(3, 30, [&](std::size_t thread, std::size_t first, std::size_t last) {
                if (thread == thrower)
                    throw std::bad_alloc();
                done += static_cast<int>(last - first);
            });
        } catch (const std::bad_alloc&) {
            caught = true;
        }
        QVERIFY(caught);
        QCOMPARE(done.load(), 20);
    }
}

void TestJobRunner::helpersAreSharedByAll()
{
    // Four callers request eight threads each, at once: together they get at most as many as there are
    // processors.
    constexpr int askers = 4;
    const int all = static_cast<int>(processors());
    std::atomic<int> working{0};
    std::atomic<int> most{0};
    std::atomic<std::size_t> items{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < askers; ++i)
            threads.emplace_back([&] {
                for (int round = 0; round < 5; ++round)
                    inParallel(8, 1000, [&](std::size_t, std::size_t first, std::size_t last) {
                        const int now = ++working;
                        for (int seen = most.load(); now > seen && !most.compare_exchange_weak(seen, now);) {
                        }
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        items += last - first;
                        --working;
                    });
            });
    }
    QCOMPARE(items.load(), std::size_t{askers * 5 * 1000});
    QVERIFY2(most.load() <= askers + all - 1, qPrintable(QString::number(most.load())));
    // They are given back, also by work that ends by an exception.
    for (int round = 0; round < 2 * all; ++round) {
        try {
            inParallel(8, 8, [](std::size_t, std::size_t, std::size_t) { throw std::bad_alloc(); });
            QFAIL("nothing is thrown");
        } catch (const std::bad_alloc&) {
        }
    }
    std::vector<SharedHelper> taken(static_cast<std::size_t>(all));
    QCOMPARE(std::ranges::count_if(taken, &SharedHelper::take), all - 1);
}

void TestJobRunner::helpersThatBecomeFreeJoin()
{
    if (processors() < 2)
        QSKIP("one processor: there are no helpers");
    std::vector<SharedHelper> others(processors());
    for (SharedHelper& other : others)
        other.take();
    std::mutex mutex;
    std::set<std::thread::id> threads;
    const auto seen = [&] {
        const std::scoped_lock lock(mutex);
        return threads.size();
    };
    std::size_t alone = 0;
    handOut(2, 10, [&](std::size_t i) {
        {
            const std::scoped_lock lock(mutex);
            threads.insert(std::this_thread::get_id());
        }
        if (i == 4) {
            alone = seen();
            others.clear();
        }
        if (i > 4)
            becomes([&] { return seen() == 2; });
    });
    QCOMPARE(alone, std::size_t{1});
    QCOMPARE(seen(), std::size_t{2});
}

void TestJobRunner::jobsThatRunTakeProcessorsFromHelpers()
{
    const auto jobs = static_cast<unsigned>(std::max<std::size_t>(2, processors()));
    std::atomic<unsigned> running{0};
    std::promise<void> go;
    const std::shared_future<void> gate = go.get_future().share();
    JobPool pool(jobs);
    for (unsigned i = 0; i < jobs; ++i)
        pool.post(
            [&](const std::stop_token&) {
                ++running;
                gate.wait();
                --running;
            },
            Urgency::Soon);
    QVERIFY(becomes([&] { return running == jobs; }));
    QVERIFY(!SharedHelper().take()); // every processor works for a job
    go.set_value();
    QVERIFY(becomes([&] { return SharedHelper().take() == (processors() > 1); }));
}

void TestJobRunner::loopsLookAtTheStopToken()
{
    std::stop_source source;
    const std::stop_token stop = source.get_token();
    std::uint32_t seen = 0;
    for (const std::uint32_t i : stoppable(5U, 200'000U, stop)) {
        QCOMPARE(i, seen + 5);
        ++seen;
    }
    QCOMPARE(seen, 199'995U);
    for ([[maybe_unused]] const std::uint32_t i : stoppable(7U, 7U, stop))
        QFAIL("an empty run");
    for ([[maybe_unused]] const std::uint32_t i : stoppable(7U, 3U, stop))
        QFAIL("an inverted run");
    seen = 0;
    bool stopped = false;
    try {
        for (const std::uint32_t i : stoppable(0U, 4'000'000'000U, stop)) {
            if (i == 100'000)
                source.request_stop();
            ++seen;
        }
    } catch (const Stopped&) {
        stopped = true;
    }
    QVERIFY(stopped);
    QVERIFY2(seen <= 100'000 + stepsBetweenStops, qPrintable(QString::number(seen)));
    StopCheck check(stop);
    stopped = false;
    try {
        check.step();
    } catch (const Stopped&) {
        stopped = true;
    }
    QVERIFY(stopped);
}

WARPLINE_TEST(TestJobRunner)

} // namespace tst_job_runner

#include "tst_job_runner.moc"
