// Background jobs of the window: only the newest result arrives, and requests never block.

#include "core/base/stop.h"
#include "tests/support/test_program.h"
#include "views/loading/latest_job.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <thread>

namespace tst_latest_job {

using namespace warpline;
using namespace std::chrono_literals;

class LatestJobTest : public QObject {
    Q_OBJECT

private slots:
    void deliversOnTheObjectsThread();
    void onlyTheNewestAnswerArrives();
    void asksTheOldJobToStop();
    void cancelledJobsSayNothing();
    void workMayThrowThatItIsStopped();
    void destroyingNeverWaits();
    void runsWithinThePool();
    void saysThatMemoryRanOut();
    void failuresStayUntilTheNextRequest();
};

void LatestJobTest::deliversOnTheObjectsThread()
{
    LatestJob job;
    int answer = 0;
    bool elsewhere = false;
    const std::thread::id gui = std::this_thread::get_id();
    job.start(
        [&, gui](const std::stop_token&) {
            elsewhere = std::this_thread::get_id() != gui;
            return std::make_unique<int>(7); // results may be movable only
        },
        [&, gui](std::unique_ptr<int> found) { answer = std::this_thread::get_id() == gui ? *found : -1; });
    QVERIFY(job.isBusy());
    QTRY_COMPARE(answer, 7);
    QVERIFY(elsewhere);
    QVERIFY(!job.isBusy());
}

void LatestJobTest::onlyTheNewestAnswerArrives()
{
    LatestJob job;
    std::vector<int> answers;
    std::atomic<int> runs{0};
    for (int i = 0; i < 60; ++i)
        job.start(
            [i, &runs](const std::stop_token&) {
                ++runs;
                std::this_thread::sleep_for(2ms);
                return i;
            },
            [&](int answer) { answers.push_back(answer); });
    QTRY_VERIFY(!job.isBusy());
    QCOMPARE(answers, std::vector<int>{59});
    QVERIFY2(runs <= 3, qPrintable(QString::number(runs)));
}

void LatestJobTest::asksTheOldJobToStop()
{
    LatestJob job;
    std::atomic<bool> begun{false};
    std::atomic<bool> stopped{false};
    int answer = 0;
    job.start(
        [&](const std::stop_token& stop) {
            begun = true;
            while (!stop.stop_requested())
                std::this_thread::sleep_for(1ms);
            stopped = true;
            return 1;
        },
        [&](int found) { answer = found; });
    QTRY_VERIFY(begun);
    job.start([](const std::stop_token&) { return 2; }, [&](int found) { answer = found; });
    QTRY_COMPARE(answer, 2);
    QVERIFY(stopped);
}

void LatestJobTest::cancelledJobsSayNothing()
{
    LatestJob job;
    std::atomic<bool> ended{false};
    bool answered = false;
    job.start(
        [&](const std::stop_token&) {
            std::this_thread::sleep_for(20ms);
            ended = true;
            return 1;
        },
        [&](int) { answered = true; });
    job.cancel();
    QVERIFY(!job.isBusy());
    QTest::qWait(80);
    QVERIFY(!answered);
    job.start([](const std::stop_token&) { return 2; }, [&](int) { answered = true; });
    QTRY_VERIFY(answered);
}

void LatestJobTest::workMayThrowThatItIsStopped()
{
    LatestJob job;
    QSignalSpy failures(&JobFailures::shared(), &JobFailures::happened);
    std::atomic<bool> begun{false};
    std::vector<int> answers;
    job.start(
        [&](const std::stop_token& stop) -> int {
            begun = true;
            for (;;) {
                throwIfStopped(stop);
                std::this_thread::sleep_for(1ms);
            }
        },
        [&](int found) { answers.push_back(found); });
    QTRY_VERIFY(begun);
    job.start([](const std::stop_token&) { return 2; }, [&](int found) { answers.push_back(found); });
    QTRY_VERIFY(!job.isBusy());
    QCOMPARE(answers, std::vector<int>{2});
    QVERIFY(failures.isEmpty());
}

void LatestJobTest::destroyingNeverWaits()
{
    const auto begun = std::make_shared<std::atomic<bool>>(false);
    const auto go = std::make_shared<std::atomic<bool>>(false);
    const auto ended = std::make_shared<std::atomic<bool>>(false);
    const auto answered = std::make_shared<bool>(false);
    {
        LatestJob job;
        job.start(
            [=](const std::stop_token&) {
                *begun = true;
                while (!*go)
                    std::this_thread::sleep_for(1ms);
                *ended = true;
                return 1;
            },
            [=](int) { *answered = true; });
        QTRY_VERIFY(*begun);
    }
    QVERIFY(!*ended);
    *go = true;
    QTRY_VERIFY(*ended);
    QTest::qWait(20);
    QVERIFY(!*answered);
}

void LatestJobTest::runsWithinThePool()
{
    std::vector<std::unique_ptr<LatestJob>> jobs;
    std::atomic<int> running{0};
    std::atomic<int> most{0};
    int answers = 0;
    for (int i = 0; i < 20; ++i) {
        jobs.push_back(std::make_unique<LatestJob>(nullptr, i % 2 ? Urgency::Soon : Urgency::Background));
        jobs.back()->start(
            [&](const std::stop_token&) {
                const int now = ++running;
                int seen = most;
                while (now > seen && !most.compare_exchange_weak(seen, now)) { }
                std::this_thread::sleep_for(3ms);
                --running;
                return 0;
            },
            [&](int) { ++answers; });
    }
    QTRY_COMPARE(answers, 20);
    QVERIFY2(most <= static_cast<int>(JobPool::shared().threads()), qPrintable(QString::number(most)));
}

void LatestJobTest::saysThatMemoryRanOut()
{
    LatestJob job;
    QSignalSpy told(&JobFailures::shared(), &JobFailures::happened);
    bool answered = false;
    job.start([](const std::stop_token&) -> int { throw std::bad_alloc(); }, [&](int) { answered = true; });
    QTRY_COMPARE(told.count(), 1);
    QVERIFY(told.at(0).at(0).toString().contains("Not enough memory"));
    QVERIFY(!job.isBusy());
    QVERIFY(!answered);
}

void LatestJobTest::failuresStayUntilTheNextRequest()
{
    LatestJob job;
    QString shown;
    job.onFailure([&] { shown = job.failure(); });
    QSignalSpy told(&JobFailures::shared(), &JobFailures::happened);
    const auto fail = [](const std::stop_token&) -> int { throw std::bad_alloc(); };
    job.start(fail, [](int) {});
    QTRY_COMPARE(told.count(), 1);
    QCOMPARE(shown, told.at(0).at(0).toString()); // the panel and the window say the same
    QCOMPARE(job.failure(), shown);
    bool answered = false;
    job.start([](const std::stop_token&) { return 1; }, [&](int) { answered = true; });
    QVERIFY(job.failure().isEmpty());
    QTRY_VERIFY(answered);
    job.start(fail, [](int) {});
    QTRY_COMPARE(told.count(), 2);
    job.cancel();
    QVERIFY(job.failure().isEmpty());
}

WARPLINE_TEST(LatestJobTest)

} // namespace tst_latest_job

#include "tst_latest_job.moc"
