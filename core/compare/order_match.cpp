#include "core/compare/order_match.h"

#include "core/compare/class_order.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpline {

namespace {

/// A kernel without a partner, in the order of launching.
struct Left {
    std::uint32_t gpu = 0;
    std::uint32_t step = 0;
    std::uint32_t path = 0; ///< one that both sides have
    Ns launched = 0;
    Ns start = 0;
    std::uint32_t use = 0;
};
using LeftRun = std::span<const Left>;

std::vector<Left> leftOf(const SideMeasure& measure, const SideKernels& kernels,
    const std::vector<std::uint32_t>& rowOfUse, SharedPaths& paths)
{
    std::vector<Left> left;
    for (std::uint32_t i = 0; i < kernels.uses.size(); ++i) {
        const KernelUse& use = kernels.uses[i];
        const std::uint32_t path = rowOfUse[i] == noIndex ? paths.of(use.path) : 0;
        if (path == 0)
            continue;
        const Trace& trace = *measure.reports[measure.side.gpus[use.gpu].report].trace;
        const EventRef call = trace.apiCallOf(use.event);
        const Ns start = trace.range(use.event).start;
        left.push_back({use.gpu, use.step, path, call.valid() ? trace.range(call).start : start, start, i});
    }
    std::ranges::sort(left, {}, [](const Left& each) {
        return std::tuple(each.gpu, each.step, each.path, each.launched, each.start, each.use);
    });
    return left;
}

/// The sample of middle length: its step on the first GPU stands for all.
std::uint32_t middleStep(const SideMeasure& measure)
{
    std::vector<StepSample> samples = measure.samples;
    if (samples.empty())
        return 0;
    std::ranges::stable_sort(samples, {}, &StepSample::length);
    return static_cast<std::uint32_t>(samples[samples.size() / 2].step);
}

/// One side of the stage.
class LeftSide {
public:
    LeftSide(const SideMeasure& measure, const SideKernels& kernels,
        const std::vector<std::uint32_t>& rowOfUse, SharedPaths& paths)
        : m_kernels(kernels),
          m_left(leftOf(measure, kernels, rowOfUse, paths))
    {
        const std::uint32_t step = middleStep(measure);
        for (const LeftRun run : runs()) {
            if (run.front().gpu == 0 && run.front().step == step)
                m_middle[run.front().path] = run;
        }
    }

    /// Runs of one GPU, step and path, in order of launching.
    std::vector<LeftRun> runs() const
    {
        std::vector<LeftRun> found;
        const auto key = [](const Left& each) { return std::tuple(each.gpu, each.step, each.path); };
        for (std::size_t first = 0; first < m_left.size();) {
            std::size_t last = first;
            while (last < m_left.size() && key(m_left[last]) == key(m_left[first]))
                ++last;
            found.push_back(LeftRun(m_left).subspan(first, last - first));
            first = last;
        }
        return found;
    }
    const std::map<std::uint32_t, LeftRun>& middle() const { return m_middle; }
    const KernelGroup& groupOf(const Left& left) const
    {
        return m_kernels.groups[m_kernels.uses[left.use].group];
    }

    std::vector<std::uint32_t> classesOf(LeftRun run) const
    {
        std::vector<std::uint32_t> classes;
        for (const Left& left : run)
            classes.push_back(static_cast<std::uint32_t>(groupOf(left).kernelClass));
        return classes;
    }

private:
    const SideKernels& m_kernels;
    std::vector<Left> m_left;
    std::map<std::uint32_t, LeftRun> m_middle;
};

/// Places of equal classes that become one: those in a common order, and of what is left the first of a class
/// with the first of that class, and so on.
std::vector<std::pair<std::size_t, std::size_t>> pairsOf(
    const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b)
{
    std::vector<std::pair<std::size_t, std::size_t>> pairs = commonOrder(a, b);
    std::vector<bool> takenA(a.size(), false);
    std::vector<bool> takenB(b.size(), false);
    for (const auto& [i, j] : pairs)
        takenA[i] = takenB[j] = true;
    std::map<std::uint32_t, std::vector<std::size_t>> left;
    for (std::size_t j = b.size(); j-- > 0;) {
        if (!takenB[j])
            left[b[j]].push_back(j);
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::vector<std::size_t>& partners = left[a[i]];
        if (takenA[i] || partners.empty())
            continue;
        pairs.emplace_back(i, partners.back());
        partners.pop_back();
    }
    return pairs;
}

/// The rows that the kernels of the middle step got: at their places, and by name for steps that differ.
struct OrderRows {
    std::map<std::uint32_t, std::vector<std::uint32_t>> ofPlace; ///< by path, then place in the run
    std::map<std::pair<std::uint32_t, std::string_view>, std::map<std::uint32_t, std::size_t>> votes;
};

void spread(const LeftSide& side, const OrderRows& rows, std::vector<std::uint32_t>& rowOfUse)
{
    for (const LeftRun run : side.runs()) {
        const auto places = rows.ofPlace.find(run.front().path);
        const auto middle = side.middle().find(run.front().path);
        for (std::size_t i = 0; i < run.size(); ++i) {
            const std::string_view name = side.groupOf(run[i]).name;
            if (places != rows.ofPlace.end() && i < places->second.size()
                && side.groupOf(middle->second[i]).name == name) {
                rowOfUse[run[i].use] = places->second[i];
                continue;
            }
            const auto votes = rows.votes.find({run.front().path, name});
            if (votes != rows.votes.end())
                rowOfUse[run[i].use] = std::ranges::max_element(votes->second, {}, [](const auto& vote) {
                    return vote.second;
                })->first;
        }
    }
}

} // namespace

void matchByOrder(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
    PathNames& names, KernelMatch& match)
{
    SharedPaths paths(kernels, names);
    const LeftSide a(*measures.a, *kernels.a, match.rowOfUse.a, paths);
    const LeftSide b(*measures.b, *kernels.b, match.rowOfUse.b, paths);
    std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> rowOfNames;
    Both<OrderRows> rows;
    for (const auto& [path, runA] : a.middle()) {
        const auto other = b.middle().find(path);
        if (other == b.middle().end())
            continue;
        const LeftRun runB = other->second;
        std::vector<std::uint32_t>& placesA = rows.a.ofPlace[path];
        std::vector<std::uint32_t>& placesB = rows.b.ofPlace[path];
        placesA.assign(runA.size(), noIndex);
        placesB.assign(runB.size(), noIndex);
        for (const auto& [i, j] : pairsOf(a.classesOf(runA), b.classesOf(runB))) {
            const std::pair key{a.groupOf(runA[i]).name, b.groupOf(runB[j]).name};
            const auto [place, added]
                = rowOfNames.try_emplace(key, static_cast<std::uint32_t>(match.rows.size()));
            if (added)
                match.rows.push_back(MatchedBy::NvtxPath);
            placesA[i] = place->second;
            placesB[j] = place->second;
            ++rows.a.votes[{path, key.first}][place->second];
            ++rows.b.votes[{path, key.second}][place->second];
        }
    }
    spread(a, rows.a, match.rowOfUse.a);
    spread(b, rows.b, match.rowOfUse.b);
}

} // namespace warpline
