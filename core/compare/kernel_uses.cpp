#include "core/compare/kernel_uses.h"

#include "core/compare/step_events.h"

#include <map>
#include <tuple>
#include <unordered_map>

namespace warpline {

namespace {

using GroupKey = std::tuple<std::string_view, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
    std::int32_t, std::int32_t>;

/// Assigns groups to kernels, by ids within a report and by text within a side.
class Grouper {
public:
    Grouper(std::vector<KernelGroup>& groups, const KernelClassRules& rules)
        : m_groups(groups),
          m_rules(rules)
    {
    }

    void begin(const Trace& trace)
    {
        m_trace = &trace;
        m_known.clear();
        m_lastKey = ~std::uint64_t{0};
    }

    std::uint32_t groupOf(EventKind kind, EventIndex i)
    {
        const EventTable& table = m_trace->table(kind);
        const std::uint64_t key = std::uint64_t{raw(table.name[i])} << 32U
            | (kind == EventKind::Kernel ? table.attribute[i] : 0xFFFFFFFFU);
        if (key == m_lastKey)
            return m_last;
        const auto [place, added] = m_known.try_emplace(key, 0);
        if (added)
            place->second = made(kind, i);
        m_lastKey = key;
        m_last = place->second;
        return m_last;
    }

private:
    std::uint32_t made(EventKind kind, EventIndex i)
    {
        KernelGroup group;
        group.name = m_trace->name({kind, i});
        group.label = group.name;
        group.kernelClass = m_rules.indexOf("graph");
        if (kind == EventKind::Kernel) {
            const KernelLaunch& launch = m_trace->kernels().launch(i);
            group.grid = launch.grid;
            group.block = launch.block;
            group.kernelClass = m_rules.classOf(group.name);
            group.label = m_trace->displayName({kind, i});
        }
        const GroupKey key{group.name, group.grid.x, group.grid.y, group.grid.z, group.block.x, group.block.y,
            group.block.z};
        const auto [place, added] = m_byText.try_emplace(key, static_cast<std::uint32_t>(m_groups.size()));
        if (added)
            m_groups.push_back(group);
        return place->second;
    }

    std::vector<KernelGroup>& m_groups;
    const KernelClassRules& m_rules;
    const Trace* m_trace = nullptr;
    std::unordered_map<std::uint64_t, std::uint32_t> m_known;
    std::map<GroupKey, std::uint32_t> m_byText;
    std::uint64_t m_lastKey = 0;
    std::uint32_t m_last = 0;
};

} // namespace

SideKernels collectKernels(
    const SideMeasure& measure, const KernelClassRules& rules, const std::stop_token& stop)
{
    SideKernels kernels;
    Grouper grouper(kernels.groups, rules);
    for (std::uint32_t gpu = 0; gpu < measure.side.gpus.size(); ++gpu) {
        const ComparedGpu& of = measure.side.gpus[gpu];
        const Trace& trace = *measure.reports[of.report].trace;
        grouper.begin(trace);
        for (const EventKind kind : {EventKind::Kernel, EventKind::GraphTrace}) {
            const EventTable& table = trace.table(kind);
            forEachOnGpu(measure, of, kind, stop, [&](EventIndex i, std::uint32_t step, Ns time) {
                const std::uint32_t group = grouper.groupOf(kind, i);
                kernels.uses.push_back({{kind, i}, group, gpu, step, 0, 0, time, table.duration[i]});
            });
        }
    }
    return kernels;
}

} // namespace warpline
