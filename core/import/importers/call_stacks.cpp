// Call stacks of samples, CUDA calls and OS runtime calls. Runs before the events that point to them.

#include "core/import/scan.h"

#include <algorithm>

namespace warpline::call_stacks {

namespace {

constexpr std::array<std::string_view, 3> tables{"SAMPLING_CALLCHAINS", "CUDA_CALLCHAINS", "OSRT_CALLCHAINS"};
constexpr std::array<std::string_view, 6> columns{
    "id", "symbol", "module", "unresolved", "stackDepth", "kernelMode"};
enum At : int { AtChain = 1, AtSymbol, AtModule, AtUnresolved, AtDepth, AtKernelMode };

struct Row {
    std::uint32_t chain;
    std::uint32_t depth;
    StackFrame frame;
};

std::shared_ptr<const Callchains> built(std::vector<Row>& rows)
{
    const auto before = [](const Row& a, const Row& b) {
        return a.chain != b.chain ? a.chain < b.chain : a.depth < b.depth;
    };
    if (!std::is_sorted(rows.begin(), rows.end(), before))
        std::stable_sort(rows.begin(), rows.end(), before);
    auto chains = std::make_shared<Callchains>();
    chains->frames.reserve(rows.size());
    for (const Row& row : rows) {
        if (chains->id.empty() || chains->id.back() != row.chain) {
            chains->id.push_back(row.chain);
            chains->firstFrame.push_back(static_cast<std::uint32_t>(chains->frames.size()));
        }
        chains->frames.push_back(row.frame);
    }
    chains->firstFrame.push_back(static_cast<std::uint32_t>(chains->frames.size()));
    return chains;
}

Result<std::shared_ptr<const Callchains>> readChains(ImportJob& job, std::string_view table)
{
    std::vector<Row> rows;
    RowChecks checks;
    const auto read = scanTable(job, table, columns, {}, [&](const sqlite::Row& row) {
        StackFrame frame;
        frame.symbol = checks.name(job.strings, row, AtSymbol);
        frame.module = checks.name(job.strings, row, AtModule);
        frame.unresolved = row.integer(AtUnresolved) != 0;
        frame.kernelMode = row.integer(AtKernelMode) != 0;
        rows.push_back({callchainOf(row, AtChain), static_cast<std::uint32_t>(row.integer(AtDepth)), frame});
    });
    if (!read.ok())
        return read.error();
    checks.logTo(job.log, table);
    return built(rows);
}

Result<void> importCallStacks(ImportJob& job)
{
    constexpr std::array<std::shared_ptr<const Callchains> Trace::*, 3> places{
        &Trace::samplingChains, &Trace::cudaChains, &Trace::osRuntimeChains};
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (!job.schema.has(tables[i]))
            continue;
        auto chains = readChains(job, tables[i]);
        if (!chains.ok())
            return chains.error();
        job.trace.edit([&](Trace& trace) { trace.*places[i] = chains.take(); });
    }
    return {};
}

} // namespace

extern constinit const Importer callStacks{
    .id = "call-stacks", .progressText = "Reading call stacks", .needs = tables, .run = importCallStacks};

} // namespace warpline::call_stacks
