// warpline-bench-answers REPORT: the time of each finding rule, each statistics table and the budget of the
// steps on a report, alone and together: the waiting time after opening. Rules share facts, so the first that
// needs one pays for it.

#include "core/analysis/trace_analysis.h"
#include "core/budget/step_budgets.h"
#include "core/findings/rule.h"
#include "core/load/load_report.h"
#include "core/render/render.h"
#include "core/stats/fill_tables.h"
#include "core/steps/gpu_steps.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <vector>

namespace warpline::bench {
namespace {

/// On the clock, and of all processors together, which other programs do not lengthen.
struct Seconds {
    double wall = 0;
    double processors = 0;
};

struct Line {
    std::string what;
    Seconds took;
};

template <typename Work> Seconds secondsOf(Work work)
{
    const auto started = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count(),
        static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC};
}

std::string textOf(Seconds took)
{
    return fmt::format("{:.2f} s, {:.2f} s of processors", took.wall, took.processors);
}

/// The slowest first, those below a hundredth of a second left out; and the sum of all.
void print(std::string_view title, std::vector<Line> lines)
{
    Seconds sum;
    for (const Line& line : lines) {
        sum.wall += line.took.wall;
        sum.processors += line.took.processors;
    }
    std::ranges::sort(lines, std::greater{}, [](const Line& line) { return line.took.processors; });
    fmt::print("{}, one after another: {}\n", title, textOf(sum));
    for (const Line& line : lines) {
        if (line.took.processors >= 0.01)
            fmt::print("  {:6.2f} s  {:6.2f} s  {}\n", line.took.wall, line.took.processors, line.what);
    }
}

std::vector<Line> rulesOf(const Trace& trace)
{
    TraceAnalysis facts(trace, trace.session, {});
    const RuleContext context{trace, trace.session, {}, {}, facts};
    std::vector<Line> lines;
    lines.push_back({"(shared: work of GPUs)", secondsOf([&] { facts.gpus(); })});
    lines.push_back({"(shared: steps)", secondsOf([&] { facts.allSteps(); })});
    lines.push_back({"(shared: kinds of calls)", secondsOf([&] { facts.callKinds(); })});
    lines.push_back({"(shared: measured time)", secondsOf([&] { facts.measured(); })});
    for (const Rule* const rule : allRules()) {
        lines.push_back({std::string(rule->id), secondsOf([&] {
                             if (rule->applies(trace, {}))
                                 rule->find(context);
                         })});
    }
    return lines;
}

/// All tables, or only those that are shown when none is named.
std::vector<Line> tablesOf(const Trace& trace)
{
    std::vector<Line> lines;
    for (const StatsTable* const table : allStatsTables()) {
        std::size_t rows = 0;
        const Seconds took = secondsOf([&] {
            if (table->applies(trace))
                rows = table->fill(trace, {}).rowCount();
        });
        lines.push_back({fmt::format("{} ({} rows)", table->id, rows), took});
    }
    return lines;
}

} // namespace
} // namespace warpline::bench

int main(int argc, char** argv)
{
    using namespace warpline;
    using namespace warpline::bench;
    if (argc < 2) {
        std::fputs("warpline-bench-answers REPORT: how long findings, tables and the budget take\n", stderr);
        return 2;
    }
    Result<std::shared_ptr<const Trace>> loaded = Error{};
    const Seconds opened = secondsOf([&] { loaded = loadReport(argv[1]); });
    if (!loaded.ok()) {
        fmt::print(stderr, "warpline-bench-answers: {}\n", plain(loaded.error().message));
        return 1;
    }
    const auto trace = loaded.take();
    fmt::print("opened in {}, {} kernels\n", textOf(opened), trace->kernels().size());
    std::size_t findings = 0;
    const Seconds together = secondsOf([&] { findings = runRules(*trace, trace->session).size(); });
    fmt::print("all findings together: {} ({} findings)\n", textOf(together), findings);
    std::fflush(stdout);
    print("Rules", rulesOf(*trace));
    const Seconds summaries = secondsOf([&] {
        std::vector<TableRequest> tables;
        for (const StatsTable* const table : allStatsTables()) {
            if (table->shape == TableShape::Summary && table->applies(*trace))
                tables.push_back({table, {}});
        }
        fillTables(*trace, tables, [](std::size_t, Cells) { return true; });
    });
    fmt::print("all summary tables together: {}\n", textOf(summaries));
    print("Tables", tablesOf(*trace));
    std::vector<Line> budget;
    std::unique_ptr<GpuBudgets> budgets;
    std::vector<GpuSteps> steps;
    budget.push_back({"budget of GPUs", secondsOf([&] { budgets = std::make_unique<GpuBudgets>(*trace); })});
    budget.push_back({"steps on the GPU", secondsOf([&] { steps = findGpuSteps(*trace, trace->session); })});
    budget.push_back({"budget of steps", secondsOf([&] { stepBudgets(*trace, *budgets, steps); })});
    print("Budget", budget);
    return 0;
}
