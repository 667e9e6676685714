#include "core/stats/work_groups.h"

#include "core/stats/name_durations.h"
#include "core/stats/nvtx_nesting.h"
#include "core/store/trace.h"

#include <map>

namespace warpline {

namespace {

constexpr unsigned categoryShift = 62;
constexpr std::uint32_t memsetKey = 0xFF; // distinct from the copy kinds

constexpr std::uint64_t keyOf(std::uint64_t category, std::uint32_t name)
{
    return category << categoryShift | name;
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

} // namespace

WorkGroups::WorkGroups(const Trace& trace, const StatsQuery& query)
    : m_trace(trace),
      m_query(query),
      m_labels(trace, query.variant),
      m_groups(query)
{
}

/// Adds cached sums of the events of `kind` by name, when `query` covers all of them and rows only differ by
/// name; else returns false.
bool WorkGroups::addSummaries(Category category, EventKind kind)
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
        m_known.push_back({keyOf(static_cast<std::uint64_t>(category), raw(each.name)), each.durations});
    return true;
}

void WorkGroups::addKernels()
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
        m_groups.add(keyOf(static_cast<std::uint64_t>(Category::Kernel), label), kernels.duration[i],
            {EventKind::Kernel, i});
    });
}

void WorkGroups::addMemoryOperations()
{
    const auto category = static_cast<std::uint64_t>(Category::Memory);
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

void WorkGroups::addApiCalls()
{
    if (addSummaries(Category::Api, EventKind::ApiCall))
        return;
    const EventTable& api = m_trace.apiCalls();
    CanonicalNames names(*m_trace.pool);
    forEachEvent(api, m_query, [&](EventIndex i) {
        m_groups.add(keyOf(static_cast<std::uint64_t>(Category::Api), names.of(api.name[i])), api.duration[i],
            {EventKind::ApiCall, i});
    });
}

Labels WorkGroups::labelsOf(std::uint64_t key) const
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

std::vector<SummaryGroup> WorkGroups::finish()
{
    m_groups.finish();
    std::vector<SummaryGroup> all = std::move(m_known);
    for (const SummaryGroup& group : summariesOf(m_groups))
        all.push_back(group);
    return all;
}

Cells WorkGroups::byCategory()
{
    return summaryTable(finish(), {"Instances", {"Category", "Operation"}, {1, 0}},
        [this](std::uint64_t key) { return labelsOf(key); });
}

Cells WorkGroups::byOperation(std::string countTitle, std::string title)
{
    return summaryTable(finish(), {std::move(countTitle), {std::move(title)}, {}, true},
        [this](std::uint64_t key) { return Labels{std::move(labelsOf(key)[1])}; });
}

} // namespace warpline
