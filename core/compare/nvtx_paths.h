#pragma once

#include "core/compare/kernel_uses.h"

#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Paths of NVTX ranges by number, the same for both sides: "forward/layer.3/attention". 0 is the empty path.
class PathNames {
public:
    /// The path of `name` inside `parent`.
    std::uint32_t child(std::uint32_t parent, std::string_view name);
    std::string textOf(std::uint32_t path) const;
    /// The innermost name of a path that is not empty; lives as long as this and is not added to.
    std::string_view nameOf(std::uint32_t path) const { return m_nodes[path].name; }
    std::uint32_t parentOf(std::uint32_t path) const { return m_nodes[path].parent; }
    /// Adds all paths of `other`. Returns their ids here, by their ids there.
    std::vector<std::uint32_t> adopt(const PathNames& other);
    /// The same with numbers as '#': layers become one.
    std::uint32_t folded(std::uint32_t path);
    /// The same without the ranges whose names are not in `known`.
    std::uint32_t only(std::uint32_t path, const std::set<std::string, std::less<>>& known);
    /// Adds the names of the ranges of `path` to `found`.
    void collect(std::uint32_t path, std::set<std::string, std::less<>>& found) const;

private:
    struct Node {
        std::uint32_t parent = 0;
        std::uint32_t level = 0;
        std::string name;
    };
    static constexpr std::uint32_t maxLevel = 200; ///< of a path: what is deeper counts to it
    std::vector<Node> m_nodes{Node{}};
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t, std::less<>> m_children;
    std::map<std::uint32_t, std::uint32_t> m_folded;
};

/// Paths under which both sides launch kernels: unchanged, else with '#' for numbers, else without ranges
/// that only one side has, such as a profiler's.
class SharedPaths {
public:
    SharedPaths(const Both<const SideKernels*>& kernels, PathNames& names);
    /// The path that both have for `path`; 0: none.
    std::uint32_t of(std::uint32_t path);

private:
    PathNames& m_names;
    std::set<std::string, std::less<>> m_both; ///< names that both sides have
    Both<std::set<std::uint32_t>> m_exact;
    Both<std::set<std::uint32_t>> m_folded;
    Both<std::set<std::uint32_t>> m_only;
    std::map<std::uint32_t, std::uint32_t> m_known;
};

/// One of the program's own ranges on the host, in a compared step.
struct RangeUse {
    std::uint32_t report = 0;
    EventIndex range = 0;
    std::uint32_t path = 0;
    Ns time = 0; ///< inside the compared span
};

/// Sets the paths of `kernels`: the ranges that are open on the launching thread inside the step, outermost
/// first. A thread without ranges, such as autograd's, uses those open on the thread that runs the steps,
/// else on the thread of the process with most ranges. Ranges of libraries do not count. The same of the
/// operators of a framework, such as aten::mm in a trace of PyTorch's profiler: KernelUse::operators. O(n) in
/// calls and ranges. Throws Stopped when `stop` is requested.
void findPaths(
    const SideMeasure& measure, SideKernels& kernels, PathNames& names, const std::stop_token& stop);
/// The ranges in the compared steps on the host, with their own path. See forEachInSpans().
std::vector<RangeUse> rangesInSteps(
    const SideMeasure& measure, PathNames& names, const std::stop_token& stop);

} // namespace warpline
