// Finds kernels worth fusing. Counts triples once over all kernels; a chain grows from a frequent triple
// while its successor (or predecessor) is nearly always the same. Then counts each chain as a whole.

#include "core/findings/kernel_chains.h"

#include "core/base/format.h"
#include "core/base/stop.h"
#include "core/kernels/kernel_label.h"
#include "core/store/trace.h"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>

namespace warpline {

namespace {

using Label = std::uint32_t; ///< 0: none, a run ends here
using Chain = std::vector<Label>;

constexpr std::size_t longestChain = 12;
constexpr std::size_t seeds = 48; ///< most frequent triples that chains grow from
constexpr double nearlyAlways = 0.8;
constexpr unsigned labelBits = 21;
constexpr std::uint64_t labelMask = (std::uint64_t{1} << labelBits) - 1;

std::uint64_t keyOf(Label a, Label b, Label c)
{
    return std::uint64_t{a} << (2 * labelBits) | std::uint64_t{b} << labelBits | c;
}

/// How often triples occur; a pair is a triple that begins with 0. Neighbours repeat: the counts seen last
/// are found without a search.
class Counts {
public:
    void add(std::uint64_t key)
    {
        Recent& recent = m_recent[(key * 0x9E3779B97F4A7C15ULL) >> (64U - recentBits)];
        if (recent.key != key || !recent.count)
            recent = {key, &m_counts[key]}; // addresses in this map are stable
        ++*recent.count;
    }
    const std::unordered_map<std::uint64_t, std::uint64_t>& all() const { return m_counts; }

private:
    static constexpr unsigned recentBits = 12;
    struct Recent {
        std::uint64_t key = 0;
        std::uint64_t* count = nullptr;
    };
    std::unordered_map<std::uint64_t, std::uint64_t> m_counts;
    std::vector<Recent> m_recent = std::vector<Recent>(std::size_t{1} << recentBits);
};

/// Kernels by the name that is shown.
struct Labelled {
    std::vector<Label> sequence;
    std::vector<std::string> names{""}; ///< by label
};

Labelled labelled(const Trace& trace, std::vector<std::uint32_t> kernels)
{
    Labelled result;
    std::vector<Label> byName(trace.pool->size());
    std::map<std::string, Label> byText;
    for (Label& each : kernels) { // names become labels: there may be millions
        const StringId name{each};
        Label& label = byName[each];
        if (label == 0 && name != StringId{}) {
            const std::string_view whole = trace.text(name);
            const std::string shown(kernelLabel(whole, shortFunctionName(whole)));
            label = byText.try_emplace(shown, static_cast<Label>(result.names.size())).first->second;
            if (label == result.names.size())
                result.names.push_back(shown);
        }
        each = name != StringId{} && label <= labelMask ? label : 0;
    }
    result.sequence = std::move(kernels);
    return result;
}

Counts countTriples(const std::vector<Label>& sequence, const std::stop_token& stop)
{
    Counts counts;
    for (const std::size_t i : stoppable(std::size_t{1}, sequence.size(), stop)) {
        if (sequence[i] == 0 || sequence[i - 1] == 0)
            continue;
        counts.add(keyOf(0, sequence[i - 1], sequence[i]));
        if (i > 1 && sequence[i - 2] != 0)
            counts.add(keyOf(sequence[i - 2], sequence[i - 1], sequence[i]));
    }
    return counts;
}

/// A label that follows a pair, or comes before it, and how often.
struct Neighbour {
    Label label = 0;
    std::uint64_t times = 0;
};

/// The most frequent neighbour of each pair, in both directions.
struct Neighbours {
    std::unordered_map<std::uint64_t, Neighbour> after;
    std::unordered_map<std::uint64_t, Neighbour> before;
};

Neighbours neighboursOf(const Counts& counts)
{
    Neighbours found;
    const auto note = [](Neighbour& best, Label label, std::uint64_t times) {
        if (times > best.times || (times == best.times && label < best.label))
            best = {label, times};
    };
    for (const auto& [key, times] : counts.all()) {
        const auto a = static_cast<Label>(key >> (2 * labelBits));
        const auto b = static_cast<Label>((key >> labelBits) & labelMask);
        const auto c = static_cast<Label>(key & labelMask);
        if (a == 0)
            continue;
        note(found.after[keyOf(0, a, b)], c, times);
        note(found.before[keyOf(0, b, c)], a, times);
    }
    return found;
}

/// Grows `chain` at its end; true when it has come around to its beginning, and is cut to one round.
bool growForward(const Neighbours& neighbours, std::uint64_t support, Chain& chain)
{
    while (chain.size() < longestChain) {
        const auto next = neighbours.after.find(keyOf(0, chain[chain.size() - 2], chain.back()));
        if (next == neighbours.after.end()
            || static_cast<double>(next->second.times) < nearlyAlways * static_cast<double>(support))
            return false;
        if (chain.size() >= 3 && chain[chain.size() - 2] == chain[0] && chain.back() == chain[1]
            && next->second.label == chain[2]) {
            chain.resize(chain.size() - 2);
            return true;
        }
        chain.push_back(next->second.label);
    }
    return false;
}

Chain grown(const Neighbours& neighbours, std::uint64_t triple, std::uint64_t support)
{
    Chain chain{static_cast<Label>(triple >> (2 * labelBits)),
        static_cast<Label>((triple >> labelBits) & labelMask), static_cast<Label>(triple & labelMask)};
    if (growForward(neighbours, support, chain))
        return chain;
    std::deque<Label> all(chain.begin(), chain.end());
    while (all.size() < longestChain) {
        const auto before = neighbours.before.find(keyOf(0, all[0], all[1]));
        if (before == neighbours.before.end()
            || static_cast<double>(before->second.times) < nearlyAlways * static_cast<double>(support))
            break;
        all.push_front(before->second.label);
    }
    return {all.begin(), all.end()};
}

/// Counts the occurrences of all `chains` in one walk; those of one chain that overlap count once.
void countOccurrences(const std::vector<Label>& sequence, std::size_t labels,
    std::map<Chain, std::uint64_t>& chains, const std::stop_token& stop)
{
    struct Counting {
        const Chain* chain;
        std::uint64_t* times;
        std::size_t next; ///< place from which the chain may begin again
    };
    std::vector<std::vector<Counting>> byFirst(labels);
    for (auto& [chain, times] : chains)
        byFirst[chain.front()].push_back({&chain, &times, 0});
    for (const std::size_t i : stoppable(std::size_t{0}, sequence.size(), stop)) {
        for (Counting& each : byFirst[sequence[i]]) {
            const Chain& chain = *each.chain;
            if (i < each.next || i + chain.size() > sequence.size()
                || !std::equal(chain.begin(), chain.end(), sequence.begin() + static_cast<std::ptrdiff_t>(i)))
                continue;
            ++*each.times;
            each.next = i + chain.size();
        }
    }
}

/// The same kernels, begun elsewhere, or a part of them.
bool isPartOf(const Chain& chain, const Chain& whole)
{
    Chain twice(whole);
    twice.insert(twice.end(), whole.begin(), whole.end());
    return std::ranges::search(twice, chain).begin() != twice.end();
}

/// The most frequent triples, or pairs where `pairs`, most frequent first.
std::vector<std::pair<std::uint64_t, std::uint64_t>> mostFrequent(const Counts& counts, bool pairs)
{
    std::vector<std::pair<std::uint64_t, std::uint64_t>> found; // times, key
    for (const auto& [key, times] : counts.all()) {
        if ((key >> (2 * labelBits) == 0) == pairs && times > 1)
            found.emplace_back(times, key);
    }
    const auto last = found.begin() + static_cast<std::ptrdiff_t>(std::min(seeds, found.size()));
    std::ranges::partial_sort(found, last, [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    found.erase(last, found.end());
    return found;
}

} // namespace

std::vector<KernelChain> repeatedChains(
    const Trace& trace, std::vector<std::uint32_t> kernels, std::size_t most, const std::stop_token& stop)
{
    const Labelled labels = labelled(trace, std::move(kernels));
    const Counts counts = countTriples(labels.sequence, stop);
    const auto triples = mostFrequent(counts, false);
    const Neighbours neighbours = triples.empty() ? Neighbours() : neighboursOf(counts); // of all names
    std::map<Chain, std::uint64_t> chains; // and how often
    for (const auto& [times, triple] : triples) {
        Chain chain = grown(neighbours, triple, times);
        if (chain.size() < 3 || stop.stop_requested())
            continue;
        chains.try_emplace(std::move(chain), 0);
    }
    countOccurrences(labels.sequence, labels.names.size(), chains, stop);
    if (chains.empty()) {
        for (const auto& [times, pair] : mostFrequent(counts, true))
            chains[{
                static_cast<Label>((pair >> labelBits) & labelMask), static_cast<Label>(pair & labelMask)}]
                = times;
    }
    std::vector<std::pair<Chain, std::uint64_t>> ranked(chains.begin(), chains.end());
    std::ranges::stable_sort(
        ranked, std::greater{}, [](const auto& each) { return (each.first.size() - 1) * each.second; });
    std::vector<Chain> chosen;
    std::vector<KernelChain> result;
    for (const auto& [chain, times] : ranked) {
        if (result.size() == most || stop.stop_requested())
            break;
        if (times < 2
            || std::ranges::any_of(chosen, [&](const Chain& whole) { return isPartOf(chain, whole); }))
            continue;
        chosen.push_back(chain);
        KernelChain& named = result.emplace_back();
        named.times = times;
        for (const Label label : chain)
            named.names.push_back(labels.names[label]);
    }
    return result;
}

} // namespace warpline
