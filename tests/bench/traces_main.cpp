// warpline-bench-traces TRACE...: reading speed of PyTorch's traces in bytes of inflated text, on one thread
// and on all; the time of each stage alone; and the memory needed in addition to the trace.

#include "core/base/format.h"
#include "core/base/platform/platform.h"
#include "core/kineto/block_events.h"
#include "core/kineto/event_reader.h"
#include "core/load/load_report.h"
#include "core/store/trace.h"
#include "tests/support/resident_bytes.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <ctime>

namespace warpline::bench {
namespace {

struct Time {
    double wall = 0;
    double cpu = 0; ///< of all threads
};

template <typename Work> Time timeOf(Work&& work)
{
    const auto started = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count(),
        static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC};
}

std::size_t bytesOf(const Trace& trace)
{
    std::size_t bytes = 0;
    for (const EventKind kind : allEventKinds())
        bytes += trace.table(kind).memoryBytes();
    return bytes;
}

void print(std::string_view what, std::uint64_t bytes, const Time& time)
{
    const double megabytes = static_cast<double>(bytes) / 1e6;
    fmt::print("  {:<44} {:7.2f} s   {:7.0f} MB/s   {:7.0f} MB/s a core\n", what, time.wall,
        megabytes / time.wall, megabytes / time.cpu);
}

/// Reading or inflating alone; then cutting into events too; then parsing as well.
std::uint64_t timeStages(const std::string& path)
{
    std::uint64_t bytes = 0;
    const Time inflating = timeOf([&] {
        auto source = TextSource::open(path);
        std::string buffer(std::size_t{1} << 20U, '\0');
        for (std::size_t read = 1; read > 0; bytes += read)
            read = source.value().read(buffer.data(), buffer.size());
    });
    print("reading and inflating", bytes, inflating);
    std::uint64_t events = 0;
    const Time cutting = timeOf([&] {
        auto source = TextSource::open(path);
        EventSplitter splitter(source.value());
        EventBlock block;
        while (splitter.next(block))
            events += block.text.size();
    });
    print("the same and finding events", bytes, cutting);
    const Time parsing = timeOf([&] {
        auto source = TextSource::open(path);
        EventSplitter splitter(source.value());
        EventBlock block;
        RawEvent event;
        while (splitter.next(block)) {
            BlockEvents read(block);
            while (read.next(event)) { }
        }
    });
    print("the same and parsing them", bytes, parsing);
    return bytes;
}

void measure(const std::string& path)
{
    fmt::print("{}\n", path);
    const std::uint64_t bytes = timeStages(path);
    for (const unsigned threads : {1U, 0U}) {
        LoadOptions options;
        options.threads = threads;
        const std::uint64_t before = residentBytes();
        std::shared_ptr<const Trace> trace;
        const Time time = timeOf([&] {
            auto loaded = loadReport(path, options);
            if (loaded.ok())
                trace = loaded.take();
        });
        if (!trace) {
            fmt::print("  cannot be read\n");
            return;
        }
        print(threads == 1 ? "whole trace, one thread that parses" : "whole trace, all threads", bytes, time);
        const std::uint64_t held = residentBytes() - before;
        fmt::print("  {} events, {:.0f} ns of CPU an event; tables {}, all held {}\n",
            formatCount(trace->eventCount()), time.cpu * 1e9 / static_cast<double>(trace->eventCount()),
            formatBytes(bytesOf(*trace)), formatBytes(held));
    }
}

} // namespace
} // namespace warpline::bench

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
        warpline::bench::measure(argv[i]);
    return argc > 1 ? 0 : 2;
}
