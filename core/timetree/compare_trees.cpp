#include "core/timetree/compare_trees.h"

#include "core/base/message_names.h"
#include "core/store/trace.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace warpline {

namespace {

/// Stacks of both trees in one numbering, by the texts of their names.
class Stacks {
public:
    /// The stack number of each node of `tree`; threads share their parent's.
    std::vector<std::uint32_t> numbersOf(const Trace& trace, const TimeTree& tree)
    {
        const std::span<const TimeNode> nodes = tree.nodes();
        std::vector<std::uint32_t> numbers(nodes.size(), 0);
        for (std::size_t i = 1; i < nodes.size(); ++i) { // parents come first
            const std::uint32_t parent = numbers[nodes[i].parent];
            numbers[i] = nodes[i].frame.thread != 0 ? parent : below(parent, nameOf(trace, nodes[i].frame));
        }
        return numbers;
    }

    std::size_t count() const { return m_count; }

private:
    std::uint32_t nameOf(const Trace& trace, const TimeFrame& frame)
    {
        return m_names
            .try_emplace(identityOf(textOf(trace, frame)), static_cast<std::uint32_t>(m_names.size()))
            .first->second;
    }

    std::uint32_t below(std::uint32_t parent, std::uint32_t name)
    {
        const std::uint64_t key = std::uint64_t{parent} << 32U | name;
        const auto [known, isNew] = m_stacks.try_emplace(key, m_count);
        m_count += isNew ? 1 : 0;
        return known->second;
    }

    std::unordered_map<std::string, std::uint32_t> m_names;
    std::unordered_map<std::uint64_t, std::uint32_t> m_stacks;
    std::uint32_t m_count = 1; ///< 0 is the root
};

/// The total of each stack: its nodes' own values, and those below them.
std::vector<std::int64_t> totals(
    const TimeTree& tree, const std::vector<std::uint32_t>& numbers, std::size_t count)
{
    std::vector<std::int64_t> sums(count, 0);
    const std::span<const TimeNode> nodes = tree.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i == 0 || nodes[i].frame.thread == 0)
            sums[numbers[i]] += nodes[i].total;
    }
    return sums;
}

} // namespace

std::vector<ComparedNode> compareTrees(
    const Trace& traceA, const TimeTree& a, const Trace& traceB, const TimeTree& b)
{
    Stacks stacks;
    const std::vector<std::uint32_t> numbersA = stacks.numbersOf(traceA, a);
    const std::vector<std::uint32_t> numbersB = stacks.numbersOf(traceB, b);
    const std::vector<std::int64_t> sumsA = totals(a, numbersA, stacks.count());
    const std::vector<std::int64_t> sumsB = totals(b, numbersB, stacks.count());
    std::vector<ComparedNode> compared;
    compared.reserve(numbersA.size());
    for (const std::uint32_t number : numbersA)
        compared.push_back({sumsA[number], sumsB[number]});
    return compared;
}

double changeOf(const ComparedNode& node, std::int64_t allA, std::int64_t allB)
{
    const double a = allA > 0 ? static_cast<double>(node.a) / static_cast<double>(allA) : 0;
    const double b = allB > 0 ? static_cast<double>(node.b) / static_cast<double>(allB) : 0;
    const double most = std::max(a, b);
    return most > 0 ? (b - a) / most : 0;
}

} // namespace warpline
