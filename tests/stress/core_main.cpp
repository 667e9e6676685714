// stress-core [--cache FOLDER] REPORT...: loads reports on several threads while snapshots are read, loads
// are stopped halfway, traces are cached and found again, and rules, checklist, tables and rows run
// concurrently. Exit code 1 when a result is missing or differs from the first. Two of them may share one
// FOLDER.

#include "core/base/parallel.h"
#include "core/cache/report_key.h"
#include "core/cache/trace_cache.h"
#include "core/findings/checklist.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/rows/row_kind.h"
#include "core/stats/stats_table.h"
#include "core/store/trace.h"
#include "tests/support/whole_analysis.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace warpline;

namespace {

std::atomic<unsigned> faults{0};

void expect(bool holds, const char* what)
{
    if (holds)
        return;
    ++faults;
    std::fprintf(stderr, "not so: %s\n", what);
}

/// Loads `path` while another thread works on each snapshot.
std::shared_ptr<const Trace> loadWithSnapshots(const std::string& path, const std::string& cache)
{
    std::vector<std::jthread> readers;
    LoadOptions options;
    options.threads = 3;
    options.cacheFolder = cache;
    options.firstSnapshot = std::chrono::milliseconds(0);
    options.progress = [](const LoadProgress&) {};
    options.snapshot = [&readers](const std::shared_ptr<const Trace>& trace) {
        readers.emplace_back([trace] { expect(buildRows(*trace) != nullptr, "rows of a snapshot"); });
    };
    auto trace = loadReport(path, options);
    expect(trace.ok(), "the report loads");
    return trace.ok() ? trace.take() : nullptr;
}

/// Stops loads after a while; each result is complete or an error.
void stopHalfway(const std::string& path)
{
    for (int wait = 0; wait < 12; wait += 2) {
        std::stop_source source;
        LoadOptions options;
        options.threads = 2;
        options.stop = source.get_token();
        std::jthread stopper([&source, wait] {
            std::this_thread::sleep_for(std::chrono::milliseconds(wait));
            source.request_stop();
        });
        const auto trace = loadReport(path, options);
        expect(!trace.ok() || trace.value()->complete, "a stopped load is an error");
    }
}

/// Asks `trace` everything, on several threads at once.
void askAll(const Trace& trace)
{
    const std::size_t findings = runRules(trace, trace.session).size();
    Helpers others;
    for (int i = 0; i < 2; ++i)
        others.start([&] { expect(runRules(trace, trace.session).size() == findings, "the same findings"); });
    others.start([&] { expect(answerChecklist(trace, trace.session).size() == 5, "five answers"); });
    others.start([&] {
        for (const StatsTable* const table : allStatsTables()) {
            if (table->applies(trace))
                expect(!table->fill(trace, {}).columns.empty(), "a table has columns");
        }
    });
    others.start([&] {
        std::stop_source source;
        std::jthread stopper([&source] { source.request_stop(); });
        (void)runRules(trace, trace.session, {}, {}, source.get_token());
    });
    others.run([&] { expect(buildRows(trace) != nullptr, "rows"); });
    others.join();
}

} // namespace

int main(int argc, char** argv)
{
    const bool isShared = argc > 2 && std::string_view(argv[1]) == "--cache";
    std::string folder
        = isShared ? argv[2] : (std::filesystem::temp_directory_path() / "warpline-stress-XXXXXX").string();
    if (argc < 2 || (!isShared && !mkdtemp(folder.data())))
        return 2;
    for (int i = isShared ? 3 : 1; i < argc; ++i) {
        const std::string path = argv[i];
        const auto trace = loadWithSnapshots(path, {});
        if (!trace)
            break;
        stopHalfway(path);
        CacheLimits limits;
        limits.leastEvents = 1;
        Helpers keepers; // two windows keep the same report at once, and a third reads it
        for (int k = 0; k < 2; ++k)
            keepers.start([&] { (void)keepTrace(folder, *keyOf(path), *trace, limits); });
        keepers.start([&] { (void)loadWithSnapshots(path, folder); });
        keepers.join();
        const auto kept = findTrace(folder, path, 3);
        expect(kept && kept->eventCount() == trace->eventCount(), "the kept trace has all events");
        askAll(*trace);
    }
    if (!isShared)
        std::filesystem::remove_all(folder);
    std::printf("%u faults\n", faults.load());
    return faults == 0 ? 0 : 1;
}
