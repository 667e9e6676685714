#include "core/compare/kernel_match.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <functional>
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

/// The path under which a kernel of `path` is matched; 0: none.
using PathOf = std::function<std::uint32_t(std::uint32_t path)>;

std::vector<Left> leftOf(const SideMeasure& measure, const SideKernels& kernels,
    const std::vector<std::uint32_t>& rowOfUse, const PathOf& pathOf)
{
    std::vector<Left> left;
    for (std::uint32_t i = 0; i < kernels.uses.size(); ++i) {
        const KernelUse& use = kernels.uses[i];
        const std::uint32_t path = rowOfUse[i] == noIndex ? pathOf(use.path) : 0;
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

/// The step of median length of the first recording, on its first GPU: it represents all.
std::uint32_t middleStep(const SideMeasure& measure)
{
    std::vector<StepSample> samples = measure.samples;
    std::erase_if(samples, [](const StepSample& sample) { return sample.run != 0; });
    if (samples.empty())
        return 0;
    std::ranges::stable_sort(samples, {}, &StepSample::length);
    return static_cast<std::uint32_t>(samples[samples.size() / 2].step);
}

/// One side of the stage.
class LeftSide {
public:
    LeftSide(const SideMeasure& measure, const SideKernels& kernels,
        const std::vector<std::uint32_t>& rowOfUse, const PathOf& pathOf)
        : m_kernels(kernels),
          m_left(leftOf(measure, kernels, rowOfUse, pathOf))
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

    bool isGraph(const Left& left) const
    {
        return m_kernels.uses[left.use].event.kind == EventKind::GraphTrace;
    }

private:
    const SideKernels& m_kernels;
    std::vector<Left> m_left;
    std::map<std::uint32_t, LeftRun> m_middle;
};

/// Pairs places of equal class: first those in a common order, then the remaining ones of each class in turn.
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
    std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> chosen; // rows with most votes
    for (const auto& [group, votes] : rows.votes)
        chosen[group]
            = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; })->first;
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
            if (const auto row = chosen.find({run.front().path, name}); row != chosen.end())
                rowOfUse[run[i].use] = row->second;
        }
    }
}

/// Classes of kernels that compilers fuse.
bool isFusible(std::size_t kernelClass, const KernelClassRules& rules)
{
    static constexpr std::array<std::string_view, 9> ids{"activation", "elementwise", "memory", "random",
        "reduction", "normalization", "softmax", "loss", "rotary"};
    return std::ranges::find(ids, rules.classes()[kernelClass].id) != ids.end();
}

bool isFusedName(std::string_view name)
{
    return name.starts_with("triton_") || name.find("fused") != std::string_view::npos;
}

/// The stage for one kind of place: NVTX paths, or the step itself.
class OrderMatcher {
public:
    OrderMatcher(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
        const KernelClassRules& rules, KernelMatch& match, MatchedBy by, const PathOf& pathOf)
        : m_rules(rules),
          m_match(match),
          m_by(by),
          m_a(*measures.a, *kernels.a, match.rowOfUse.a, pathOf),
          m_b(*measures.b, *kernels.b, match.rowOfUse.b, pathOf)
    {
    }

    void run(PathNames& names)
    {
        for (const auto& [path, runA] : m_a.middle()) {
            const auto other = m_b.middle().find(path);
            if (other == m_b.middle().end())
                continue;
            m_path = path;
            m_folded = m_by == MatchedBy::NvtxPath ? names.folded(path) : path;
            m_runs = {runA, other->second};
            m_places = {&m_rows.a.ofPlace[path], &m_rows.b.ofPlace[path]};
            m_places.a->assign(m_runs.a.size(), noIndex);
            m_places.b->assign(m_runs.b.size(), noIndex);
            matchFused();
            matchPairs();
            matchGraphs();
        }
        spread(m_a, m_rows.a, m_match.rowOfUse.a);
        spread(m_b, m_rows.b, m_match.rowOfUse.b);
    }

private:
    const LeftSide& sideOf(Side side) const { return side == Side::A ? m_a : m_b; }

    /// The places of a run that have no row yet and are `wanted`.
    template <typename Wanted> std::vector<std::size_t> openPlaces(Side side, Wanted&& wanted) const
    {
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < m_runs[side].size(); ++i) {
            if ((*m_places[side])[i] == noIndex && wanted(m_runs[side][i]))
                open.push_back(i);
        }
        return open;
    }

    void put(Side side, std::size_t place, std::uint32_t row)
    {
        (*m_places[side])[place] = row;
        OrderRows& rows = m_rows[side];
        ++rows.votes[{m_path, sideOf(side).groupOf(m_runs[side][place]).name}][row];
    }

    /// One row for all of `a` and `b`; of paths that differ by numbers alone the same.
    void putTogether(MatchedBy by, const Both<std::vector<std::size_t>>& places)
    {
        const auto [row, added]
            = m_together.try_emplace({by, m_folded}, static_cast<std::uint32_t>(m_match.rows.size()));
        if (added)
            m_match.rows.push_back(by);
        for (const Side side : {Side::A, Side::B}) {
            for (const std::size_t place : places[side])
                put(side, place, row->second);
        }
    }

    /// A compiler made one kernel of many: then all that it may have fused is one row.
    void matchFused()
    {
        Both<std::vector<std::size_t>> places;
        bool fused = false;
        for (const Side side : {Side::A, Side::B}) {
            places[side] = openPlaces(side, [&](const Left& left) {
                return !sideOf(side).isGraph(left)
                    && isFusible(sideOf(side).groupOf(left).kernelClass, m_rules);
            });
            fused = fused || std::ranges::any_of(places[side], [&](std::size_t place) {
                return isFusedName(sideOf(side).groupOf(m_runs[side][place]).name);
            });
        }
        const std::size_t few = std::min(places.a.size(), places.b.size());
        if (fused && few > 0 && few * 3 <= std::max(places.a.size(), places.b.size()) * 2)
            putTogether(MatchedBy::Fused, places);
    }

    void matchPairs()
    {
        Both<std::vector<std::size_t>> places;
        Both<std::vector<std::uint32_t>> classes;
        for (const Side side : {Side::A, Side::B}) {
            places[side] = openPlaces(side, [&](const Left& left) { return !sideOf(side).isGraph(left); });
            for (const std::size_t place : places[side])
                classes[side].push_back(
                    static_cast<std::uint32_t>(sideOf(side).groupOf(m_runs[side][place]).kernelClass));
        }
        for (const auto& [i, j] : pairsOf(classes.a, classes.b)) {
            const std::size_t placeA = places.a[i];
            const std::size_t placeB = places.b[j];
            const std::pair key{m_a.groupOf(m_runs.a[placeA]).name, m_b.groupOf(m_runs.b[placeB]).name};
            const auto [row, added]
                = m_rowOfNames.try_emplace(key, static_cast<std::uint32_t>(m_match.rows.size()));
            if (added)
                m_match.rows.push_back(m_by);
            put(Side::A, placeA, row->second);
            put(Side::B, placeB, row->second);
        }
    }

    /// Matches graphs traced as a whole on one side with the unmatched kernels of the other.
    void matchGraphs()
    {
        for (const Side side : {Side::A, Side::B}) {
            const Side other = side == Side::A ? Side::B : Side::A;
            Both<std::vector<std::size_t>> places;
            places[side] = openPlaces(side, [&](const Left& left) { return sideOf(side).isGraph(left); });
            places[other] = openPlaces(other, [](const Left&) { return true; });
            const bool theirsToo = std::ranges::any_of(places[other],
                [&](std::size_t place) { return sideOf(other).isGraph(m_runs[other][place]); });
            if (!places[side].empty() && !places[other].empty() && !theirsToo)
                putTogether(MatchedBy::Graph, places);
        }
    }

    const KernelClassRules& m_rules;
    KernelMatch& m_match;
    MatchedBy m_by;
    LeftSide m_a;
    LeftSide m_b;
    Both<OrderRows> m_rows;
    std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> m_rowOfNames;
    std::map<std::pair<MatchedBy, std::uint32_t>, std::uint32_t> m_together;
    std::uint32_t m_path = 0; ///< at work
    std::uint32_t m_folded = 0; ///< the same with numbers as '#'
    Both<LeftRun> m_runs; ///< of that path in the middle steps
    Both<std::vector<std::uint32_t>*> m_places; ///< the rows of their places
};

} // namespace

void matchByOrder(const Both<const SideMeasure*>& measures, const Both<const SideKernels*>& kernels,
    const KernelClassRules& rules, PathNames& names, KernelMatch& match)
{
    SharedPaths paths(kernels, names);
    OrderMatcher(measures, kernels, rules, match, MatchedBy::NvtxPath, [&](std::uint32_t path) {
        return paths.of(path);
    }).run(names);
    const bool steps = measures.a->unit == CompareUnit::Step && measures.b->unit == CompareUnit::Step;
    if (steps)
        OrderMatcher(measures, kernels, rules, match, MatchedBy::StepOrder, [](std::uint32_t) {
            return 1;
        }).run(names);
}

} // namespace warpline
