#pragma once

#include "core/base/saturate.h"
#include "core/compare/comparison.h"
#include "core/compare/kernel_match.h"

#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Sums of one side of a row while counting.
struct Tally {
    std::string name;
    std::string label; ///< for little room; empty: the name
    std::string shape;
    std::uint64_t count = 0;
    Ns total = 0; ///< inside the compared steps, or bytes
    Ns whole = 0; ///< the same of whole events
    double squares = 0; ///< sum of the squares of whole events
    std::vector<SideEvent> events;
    WorkSums work; ///< operators

    void add(Ns inside, Ns ofWhole)
    {
        ++count;
        total = saturatingAdd(total, inside);
        whole = saturatingAdd(whole, ofWhole);
        squares += static_cast<double>(ofWhole) * static_cast<double>(ofWhole);
    }
};

/// The events of a side by name.
class Tallies {
public:
    explicit Tallies(bool wantEvents)
        : m_wantEvents(wantEvents)
    {
    }
    /// The tally of `name`, added when new; its address is stable.
    Tally& of(std::string_view name);
    void add(Tally& tally, Ns inside, Ns ofWhole, SideEvent event) const;
    const std::map<std::string, Tally, std::less<>>& all() const { return m_all; }

private:
    bool m_wantEvents;
    std::map<std::string, Tally, std::less<>> m_all;
};

/// The row for `a` and `b` (nullptr: missing); `divisor` turns sums into values per step. A row is slower or
/// faster when its average changed by more than 2 % and two standard errors (varies: by more than 10 % within
/// them). It has more or fewer calls when their number per step changed by more than 1 % and that matters
/// more. Where a range cuts events, whole ones decide, or none if they do not explain the time inside (cut).
CompareRow rowOf(const Tally* a, const Tally* b, MatchedBy by, const Both<double>& divisor);

/// Joins the rows of both sides: by name; then by `plain(name)`, where that is given and not empty; the rest
/// stay alone. Unordered.
std::vector<CompareRow> joinTallies(const Both<Tallies>& tallies, const Both<double>& divisor,
    std::string (*plain)(std::string_view name) = nullptr);

/// Sums up and sorts: those that changed most first.
CompareTable tableOf(std::string id, std::string title, std::vector<CompareRow> rows, bool bytes = false);

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
