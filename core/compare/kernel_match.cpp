// Matches kernels in stages, because no single key works: another precision renames most matrix products, and
// another way of launching (a CUDA graph) changes the ranges around kernels. Strict names go first; then the
// launching operators, which are the same for every vendor's GPU; then order.

#include "core/compare/kernel_match.h"

#include "core/base/stop.h"
#include "core/compare/facts.h"

#include <fmt/format.h>

#include <map>
#include <string>

namespace warpline {

namespace {

std::string shapeKey(const KernelGroup& group)
{
    return fmt::format("{} {} {} {} {} {} {}", group.grid.x, group.grid.y, group.grid.z, group.block.x,
        group.block.y, group.block.z, commonKernelName(group.name));
}

/// The stages by name: of groups, since all kernels of a group have one name.
class GroupMatcher {
public:
    explicit GroupMatcher(const Both<const SideKernels*>& kernels)
        : m_kernels(kernels)
    {
        m_rowOfGroup.a.assign(kernels.a->groups.size(), noIndex);
        m_rowOfGroup.b.assign(kernels.b->groups.size(), noIndex);
    }

    template <typename Key> void match(MatchedBy by, Key&& key)
    {
        const auto keysA = keysOf(Side::A, key);
        const auto keysB = keysOf(Side::B, key);
        for (const auto& [text, groups] : keysA) {
            const auto partner = keysB.find(text);
            if (partner == keysB.end())
                continue;
            const auto row = static_cast<std::uint32_t>(m_rows.size());
            m_rows.push_back(by);
            for (const std::uint32_t group : groups)
                m_rowOfGroup.a[group] = row;
            for (const std::uint32_t group : partner->second)
                m_rowOfGroup.b[group] = row;
        }
    }

    std::vector<MatchedBy> takeRows() { return std::move(m_rows); }
    const std::vector<std::uint32_t>& rowOfGroup(Side side) const { return m_rowOfGroup[side]; }

private:
    template <typename Key>
    std::map<std::string, std::vector<std::uint32_t>> keysOf(Side side, Key& key) const
    {
        std::map<std::string, std::vector<std::uint32_t>> keys;
        const std::vector<KernelGroup>& groups = m_kernels[side]->groups;
        for (std::uint32_t i = 0; i < groups.size(); ++i) {
            if (m_rowOfGroup[side][i] == noIndex)
                keys[key(groups[i])].push_back(i);
        }
        return keys;
    }

    const Both<const SideKernels*>& m_kernels;
    std::vector<MatchedBy> m_rows;
    Both<std::vector<std::uint32_t>> m_rowOfGroup;
};

/// Adds rows for kernels without a partner, one per name.
void addRest(const SideKernels& kernels, std::vector<std::uint32_t>& rowOfUse, std::vector<MatchedBy>& rows)
{
    std::map<std::string_view, std::uint32_t> rowOfName;
    std::vector<std::uint32_t> rowOfGroup(kernels.groups.size(), noIndex);
    for (std::size_t i = 0; i < rowOfUse.size(); ++i) {
        if (rowOfUse[i] != noIndex)
            continue;
        std::uint32_t& row = rowOfGroup[kernels.uses[i].group];
        if (row == noIndex) {
            const auto [place, added] = rowOfName.try_emplace(
                kernels.groups[kernels.uses[i].group].name, static_cast<std::uint32_t>(rows.size()));
            if (added)
                rows.push_back(MatchedBy::Nothing);
            row = place->second;
        }
        rowOfUse[i] = row;
    }
}

/// The share of a side's kernel time under an NVTX path that the other side launches kernels under, too. The
/// step alone is a path unless `inRanges`.
double pathShare(Side side, const Both<const SideKernels*>& kernels, SharedPaths& paths, bool inRanges)
{
    const Side other = side == Side::A ? Side::B : Side::A;
    const bool theyHaveNone = !inRanges
        && std::ranges::any_of(kernels[other]->uses, [](const KernelUse& use) { return use.path == 0; });
    double with = 0; // the kernels of many reports may take longer than 64 bits hold
    double all = 0;
    for (const KernelUse& use : kernels[side]->uses) {
        const auto time = static_cast<double>(use.duration);
        all += time;
        if (use.path == 0 ? theyHaveNone : paths.of(use.path) != 0)
            with += time;
    }
    return all > 0 ? with / all : 0;
}

bool isByName(MatchedBy by)
{
    return by == MatchedBy::NameAndShape || by == MatchedBy::Name || by == MatchedBy::NameWithoutArguments;
}

void findShares(KernelMatch& match, const Both<const SideMeasure*>& measures,
    const Both<const SideKernels*>& kernels, PathNames& names)
{
    bool anyPath = false;
    for (const Side side : {Side::A, Side::B}) {
        double all = 0;
        for (std::size_t i = 0; i < kernels[side]->uses.size(); ++i) {
            const KernelUse& use = kernels[side]->uses[i];
            const MatchedBy by = match.rows[match.rowOfUse[side][i]];
            match.shares.by[static_cast<std::size_t>(by)][side] += static_cast<double>(use.duration);
            all += static_cast<double>(use.duration);
            anyPath = anyPath || use.path != 0;
        }
        for (std::size_t by = 0; by < matchedByCount && all > 0; ++by) {
            double& share = match.shares.by[by][side];
            share /= all;
            const auto stage = static_cast<MatchedBy>(by);
            match.shares.all[side] += stage != MatchedBy::Nothing ? share : 0;
            match.shares.name[side] += isByName(stage) ? share : 0;
            const bool sure = isByName(stage) || stage == MatchedBy::Operator || stage == MatchedBy::NvtxPath;
            match.shares.sure[side] += sure ? share : 0;
        }
    }
    if (!anyPath || isOfOneSide(measures, EventKind::Nvtx))
        return;
    SharedPaths paths(kernels, names);
    for (const Side side : {Side::A, Side::B}) {
        match.shares.nvtxPath[side] = pathShare(side, kernels, paths, false);
        match.shares.ranges[side] = pathShare(side, kernels, paths, true);
    }
}

} // namespace

KernelMatch matchKernels(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
    const KernelClassRules& rules, PathNames& names, const std::stop_token& stop)
{
    GroupMatcher groups(kernels);
    groups.match(MatchedBy::NameAndShape, shapeKey);
    groups.match(MatchedBy::Name, [](const KernelGroup& group) { return commonKernelName(group.name); });
    groups.match(MatchedBy::NameWithoutArguments, [](const KernelGroup& group) {
        return fmt::format("{} {}", group.kernelClass, plainKernelName(group.label));
    });
    throwIfStopped(stop);
    KernelMatch match;
    match.rows = groups.takeRows();
    for (const Side side : {Side::A, Side::B}) {
        for (const KernelUse& use : kernels[side]->uses)
            match.rowOfUse[side].push_back(groups.rowOfGroup(side)[use.group]);
    }
    matchByOperator(kernels, names, match);
    matchByOrder(measures, kernels, rules, names, match);
    for (const Side side : {Side::A, Side::B})
        addRest(*kernels[side], match.rowOfUse[side], match.rows);
    findShares(match, measures, kernels, names);
    return match;
}

} // namespace warpline
