// Kernels, memory operations and API calls by name, separately and together. Copies are separate by
// direction. Ties in total: fewer events first, then by name, byte by byte.

#include "core/stats/applies.h"
#include "core/stats/kernel_labels.h"
#include "core/stats/name_durations.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/summary_rows.h"

#include <map>

namespace warpline::cuda_work_sums {

namespace {

constexpr unsigned categoryShift = 62;
constexpr std::uint32_t memsetKey = 0xFF; // distinct from the copy kinds

enum class Category : std::uint8_t { Kernel, Memory, Api };

constexpr std::uint64_t keyOf(Category category, std::uint32_t name)
{
    return static_cast<std::uint64_t>(category) << categoryShift | name;
}

/// Indexed by name id: the first id among names that are equal without their version.
class CanonicalNames {
public:
    explicit CanonicalNames(const StringPool& pool)
        : m_pool(pool),
          m_canonical(pool.size(), noIndex)
    {
    }

    std::uint32_t of(StringId name)
    {
        std::uint32_t& canonical = m_canonical[raw(name)];
        if (canonical == noIndex)
            canonical = m_byText.try_emplace(withoutVersion(m_pool[name]), raw(name)).first->second;
        return canonical;
    }

private:
    const StringPool& m_pool;
    std::vector<std::uint32_t> m_canonical;
    std::map<std::string_view, std::uint32_t> m_byText;
};

/// Collects kernels, memory operations and API calls, with the labels (category, operation) that nsys gives
/// them.
class WorkGroups {
public:
    WorkGroups(const Trace& trace, const StatsQuery& query)
        : m_trace(trace),
          m_query(query),
          m_labels(trace, query.variant),
          m_groups(query)
    {
    }

    void addKernels()
    {
        if (addSummaries(Category::Kernel, EventKind::Kernel))
            return;
        const KernelTable& kernels = m_trace.kernels();
        std::vector<EventIndex> innermost;
        if (m_labels.nameRanges())
            innermost = innermostRanges(m_trace, *callTwinsOf(m_trace, m_query.stop), m_query.stop);
        if (m_query.isOfAll())
            m_groups.reserve(kernels.size());
        forEachEvent(kernels, m_query, [&](EventIndex i) {
            const std::uint32_t label = m_labels.numberOf(i, innermost.empty() ? noIndex : innermost[i]);
            m_groups.add(keyOf(Category::Kernel, label), kernels.duration[i], {EventKind::Kernel, i});
        });
    }

    void addMemoryOperations()
    {
        constexpr Category category = Category::Memory;
        const MemcpyTable& copies = m_trace.memcpys();
        forEachEvent(copies, m_query, [&](EventIndex i) {
            const auto kind = static_cast<std::uint32_t>(copies.copy(i).kind);
            m_groups.add(keyOf(category, kind), copies.duration[i], {EventKind::Memcpy, i});
        });
        const EventTable& sets = m_trace.table(EventKind::Memset);
        forEachEvent(sets, m_query, [&](EventIndex i) {
            m_groups.add(keyOf(category, memsetKey), sets.duration[i], {EventKind::Memset, i});
        });
    }

    /// One group for each name without its version suffix.
    void addApiCalls()
    {
        if (addSummaries(Category::Api, EventKind::ApiCall))
            return;
        const EventTable& api = m_trace.apiCalls();
        CanonicalNames names(*m_trace.pool);
        forEachEvent(api, m_query, [&](EventIndex i) {
            m_groups.add(
                keyOf(Category::Api, names.of(api.name[i])), api.duration[i], {EventKind::ApiCall, i});
        });
    }

    /// Rows labelled "Category", "Operation".
    Cells byCategory()
    {
        return summaryTable(finish(), {"Instances", {"Category", "Operation"}, {1, 0}},
            [this](std::uint64_t key) { return labelsOf(key); });
    }

    /// Rows labelled with the operation alone, under `title`; of equal totals those of fewer events first.
    Cells byOperation(std::string countTitle, std::string title)
    {
        return summaryTable(finish(), {std::move(countTitle), {std::move(title)}, {}, true},
            [this](std::uint64_t key) { return Labels{std::move(labelsOf(key)[1])}; });
    }

private:
    /// Adds cached sums of the events of `kind` by name, when `query` covers all of them and rows only differ
    /// by name; else returns false.
    bool addSummaries(Category category, EventKind kind)
    {
        if (!m_query.isOfAll() || m_query.wantEvents || !m_query.variant.empty())
            return false;
        const auto byName = durationsByName(m_trace, kind, m_query.stop);
        CanonicalNames names(*m_trace.pool);
        for (const NameDurations& each : *byName) {
            if (category == Category::Api && names.of(each.name) != raw(each.name))
                return false;
        }
        for (const NameDurations& each : *byName)
            m_known.push_back({keyOf(category, raw(each.name)), each.durations});
        return true;
    }

    Labels labelsOf(std::uint64_t key) const
    {
        const auto name = static_cast<std::uint32_t>(key & 0xFFFFFFFFU);
        switch (static_cast<Category>(key >> categoryShift)) {
        case Category::Api:
            return {"CUDA_API", std::string(withoutVersion(m_trace.text(StringId{name})))};
        case Category::Memory:
            return {"MEMORY_OPER",
                name == memsetKey ? std::string(memsetName) : copyName(static_cast<CopyKind>(name))};
        case Category::Kernel:
            break;
        }
        return {"CUDA_KERNEL", m_labels.labelOf(name)};
    }

    std::vector<SummaryGroup> finish()
    {
        m_groups.finish();
        std::vector<SummaryGroup> all = std::move(m_known);
        for (const SummaryGroup& group : summariesOf(m_groups))
            all.push_back(group);
        return all;
    }

    const Trace& m_trace;
    const StatsQuery& m_query;
    KernelLabels m_labels;
    Groups m_groups;
    std::vector<SummaryGroup> m_known; ///< rows with statistics that other tables share
};

} // namespace

extern constinit const StatsTable cudaGpuKernSum{.id = "cuda_gpu_kern_sum",
    .title = "CUDA GPU Kernel Summary",
    .description = "Which kernel takes longest? Kernels by name: how often they ran and how long.",
    .arguments = nvtxKernelArguments,
    .applies = hasKernels,
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            WorkGroups groups(trace, query);
            groups.addKernels();
            return groups.byOperation("Instances", "Name");
        },
    .group = TableGroup::Gpu};

extern constinit const StatsTable cudaGpuMemTimeSum{.id = "cuda_gpu_mem_time_sum",
    .title = "CUDA GPU MemOps Summary (by Time)",
    .description
    = "How long do copies take, in which direction? Copies by direction, and memsets, with their time.",
    .applies = hasMemoryOperations,
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            WorkGroups groups(trace, query);
            groups.addMemoryOperations();
            return groups.byOperation("Count", "Operation");
        },
    .group = TableGroup::Gpu};

/// Graphs that were traced as a whole are not counted, as nsys does not count them.
extern constinit const StatsTable cudaGpuSum{.id = "cuda_gpu_sum",
    .title = "CUDA GPU Summary (Kernels/MemOps)",
    .description
    = "What takes longest on the GPU, kernels and copies together? Kernels by name and memory operations by kind.",
    .arguments = nvtxKernelArguments,
    .applies = hasGpuWork,
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            WorkGroups groups(trace, query);
            groups.addKernels();
            groups.addMemoryOperations();
            return groups.byCategory();
        },
    .group = TableGroup::Gpu};

/// Unlike in cuda_api_sum, calls whose names differ only in the version suffix are one row.
extern constinit const StatsTable cudaApiGpuSum{.id = "cuda_api_gpu_sum",
    .title = "CUDA Summary (API/Kernels/MemOps)",
    .description
    = "Where did the time go, on the CPU and on the GPU? API calls, kernels and memory operations by name.",
    .arguments = nvtxKernelArguments,
    .applies = [](const Trace& trace) { return hasGpuWork(trace) || hasApiCalls(trace); },
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            WorkGroups groups(trace, query);
            groups.addApiCalls();
            groups.addKernels();
            groups.addMemoryOperations();
            return groups.byCategory();
        },
    .group = TableGroup::CudaApi};

} // namespace warpline::cuda_work_sums
