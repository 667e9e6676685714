// warpline-bench-compare A B [REPEATS]: how long comparing two reports takes once they are loaded, and how
// long their findings take beyond that.

#include "core/compare/compare_runs.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

namespace {

using namespace warpline;

std::shared_ptr<const Trace> load(const char* path)
{
    auto trace = loadReport(path, {});
    if (trace.ok())
        return trace.take();
    fmt::print(stderr, "{}\n", plain(trace.error().message));
    std::exit(3);
}

template <typename Work> double secondsOf(Work&& work)
{
    const auto started = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        fmt::print(stderr, "usage: warpline-bench-compare A B [REPEATS]\n");
        return 2;
    }
    CompareRequest request;
    request.a.reports.push_back({load(argv[1]), argv[1]});
    request.b.reports.push_back({load(argv[2]), argv[2]});
    const int repeats = argc > 3 ? std::max(1, std::atoi(argv[3])) : 3;
    Comparison comparison;
    double best = 1e9;
    const std::clock_t before = std::clock();
    for (int i = 0; i < repeats; ++i)
        best = std::min(best, secondsOf([&] { comparison = compareRuns(request); }));
    const double processor = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / repeats;
    const double findings = secondsOf([&] { compareFindings(request, comparison); });
    fmt::print(
        "{}\nkernels {} and {}; compared in {:.3f} s (best of {}; {:.3f} s of processor time), findings {:.3f} s\n",
        plain(comparison.sentence), request.a.reports[0].trace->kernels().size(),
        request.b.reports[0].trace->kernels().size(), best, repeats, processor, findings);
}
