#pragma once

#include "core/compare/kernel_match.h"
#include "core/compare/tally.h"

#include <stop_token>
#include <vector>

namespace warpline {

/// Inputs of the tables.
struct TableSources {
    Both<const SideMeasure*> measures;
    Both<const SideKernels*> kernels;
    const KernelClassRules& rules;
    PathNames& names;
    bool wantEvents = false;
    std::stop_token stop;

    /// Tallies of both sides without events.
    Both<Tallies> noTallies() const { return {Tallies(wantEvents), Tallies(wantEvents)}; }
    /// Turns sums over GPUs into values per step.
    Both<double> gpuDivisor() const { return {measures.a->side.divisor, measures.b->side.divisor}; }
};

/// The kernels, a row for each of `match`.
CompareTable kernelTable(const TableSources& sources, const KernelMatch& match);
/// The time of kernels by the NVTX path that they were launched under, each once: innermost.
CompareTable nvtxGpuTable(const TableSources& sources);
/// Host time of the program's own NVTX ranges, by path.
CompareTable nvtxTable(const TableSources& sources);
/// Operators by shape: GPU time per call, and utilization. Only those with known FLOPs or bytes. Computes the
/// operators of each report once and shares them.
CompareTable operatorTable(const TableSources& sources);
/// All other tables, those without rows too. Does not touch TableSources::names.
std::vector<CompareTable> eventTables(const TableSources& sources);

} // namespace warpline
