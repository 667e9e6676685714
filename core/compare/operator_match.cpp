#include "core/compare/kernel_match.h"

#include <set>
#include <string_view>
#include <unordered_map>

namespace warpline {

namespace {

using Names = std::set<std::string_view>;

/// The operators that launch the kernels of a side which have no row, and those around them.
Names operatorsOf(
    const SideKernels& kernels, const std::vector<std::uint32_t>& rowOfUse, const PathNames& names)
{
    Names found;
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < kernels.uses.size(); ++i) {
        if (rowOfUse[i] != noIndex)
            continue;
        for (std::uint32_t path = kernels.uses[i].operators; path != 0 && seen.insert(path).second;
             path = names.parentOf(path))
            found.insert(names.nameOf(path));
    }
    return found;
}

/// The innermost operator of `path` among `known`; empty: there is none.
std::string_view innermostOf(std::uint32_t path, const Names& known, const PathNames& names)
{
    for (; path != 0; path = names.parentOf(path)) {
        if (known.contains(names.nameOf(path)))
            return names.nameOf(path);
    }
    return {};
}

} // namespace

void matchByOperator(const Both<const SideKernels*>& kernels, const PathNames& names, KernelMatch& match)
{
    const Both<Names> launching{
        operatorsOf(*kernels.a, match.rowOfUse.a, names), operatorsOf(*kernels.b, match.rowOfUse.b, names)};
    if (launching.a.empty() || launching.b.empty())
        return;
    Both<std::unordered_map<std::uint32_t, std::string_view>> ofPath;
    Both<Names> used; // operators with kernels on one side only are no partners
    const auto operatorOf = [&](Side side, std::uint32_t path) {
        const Side other = side == Side::A ? Side::B : Side::A;
        const auto [place, added] = ofPath[side].try_emplace(path);
        if (added)
            place->second = innermostOf(path, launching[other], names);
        return place->second;
    };
    for (const Side side : {Side::A, Side::B}) {
        for (std::size_t i = 0; i < kernels[side]->uses.size(); ++i) {
            if (match.rowOfUse[side][i] == noIndex)
                used[side].insert(operatorOf(side, kernels[side]->uses[i].operators));
        }
    }
    std::map<std::string_view, std::uint32_t> rows;
    for (const Side side : {Side::A, Side::B}) {
        for (std::size_t i = 0; i < kernels[side]->uses.size(); ++i) {
            if (match.rowOfUse[side][i] != noIndex)
                continue;
            const std::string_view name = operatorOf(side, kernels[side]->uses[i].operators);
            if (name.empty() || !used.a.contains(name) || !used.b.contains(name))
                continue;
            const auto [row, added] = rows.try_emplace(name, static_cast<std::uint32_t>(match.rows.size()));
            if (added) {
                match.rows.push_back(MatchedBy::Operator);
                match.where[row->second] = name;
            }
            match.rowOfUse[side][i] = row->second;
        }
    }
}

} // namespace warpline
