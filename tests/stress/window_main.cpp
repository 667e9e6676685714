// stress-window REPORT...: what the window does on other threads, with Qt's event loop and no widgets:
// questions are asked, asked anew, cancelled and given up while their answers arrive, and reports are opened,
// abandoned and read to the end. Ends with 1 when a newest answer is missing or a report does not load.

#include "core/base/stop.h"
#include "views/loading/latest_job.h"
#include "views/loading/trace_loader.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

using namespace warpline;

namespace {

constexpr int patienceMs = 30'000;

template <typename Condition> bool waitFor(Condition holds)
{
    QElapsedTimer timer;
    timer.start();
    while (!holds() && timer.elapsed() < patienceMs)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    return holds();
}

std::vector<std::uint64_t> work(std::uint64_t number, const std::stop_token& stop)
{
    std::vector<std::uint64_t> numbers(1000, number);
    for (const std::uint32_t i : stoppable(0U, 200'000U, stop))
        numbers[i % numbers.size()] += i;
    return numbers;
}

/// Many questions on behalf of panels that come and go; true when the last of each is answered.
bool askMuch()
{
    std::mt19937 random(1);
    std::vector<std::unique_ptr<LatestJob>> questions(5);
    std::vector<std::uint64_t> answers(questions.size(), 0);
    for (std::uint64_t i = 1; i <= 2000; ++i) {
        const std::size_t at = random() % questions.size();
        auto& question = questions[at];
        if (random() % 16 == 0)
            question.reset();
        if (!question)
            question = std::make_unique<LatestJob>(
                nullptr, random() % 2 == 0 ? Urgency::Soon : Urgency::Background);
        if (random() % 8 == 0)
            question->cancel();
        answers[at] = 0;
        question->start([i](const std::stop_token& stop) { return work(i, stop); },
            [&answers, at, i](
                const std::vector<std::uint64_t>& numbers) { answers[at] = numbers.empty() ? 0 : i; });
        if (i % 4 == 0)
            QCoreApplication::processEvents();
    }
    return waitFor([&] {
        std::size_t done = 0;
        for (std::size_t i = 0; i < questions.size(); ++i)
            done += !questions[i] || (!questions[i]->isBusy() && answers[i] > 0) ? 1 : 0;
        return done == questions.size();
    });
}

/// Opens each report several times, without waiting for the one before.
bool loadMuch(const std::vector<QString>& paths)
{
    auto loader = std::make_unique<TraceLoader>();
    std::uint64_t events = 0;
    const auto connectTo = [&] {
        QObject::connect(loader.get(), &TraceLoader::loaded, loader.get(),
            [&events](const std::shared_ptr<const Trace>& trace, const std::shared_ptr<const RowTree>&) {
                events = trace->complete ? trace->eventCount() : 0;
            });
    };
    connectTo();
    bool all = true;
    for (const QString& path : paths) {
        for (int i = 0; i < 6; ++i) {
            loader->open(path);
            QElapsedTimer timer;
            timer.start();
            while (timer.elapsed() < 5 * i)
                QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            if (i == 3) {
                loader = std::make_unique<TraceLoader>();
                connectTo();
            }
        }
        events = 0;
        loader->open(path);
        all = waitFor([&] { return events > 0; }) && all;
    }
    return all;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const bool asked = askMuch();
    const bool loaded = loadMuch({argv + 1, argv + argc});
    std::printf("%s, %s\n", asked ? "all answered" : "not answered", loaded ? "all loaded" : "not loaded");
    return asked && loaded ? 0 : 1;
}
