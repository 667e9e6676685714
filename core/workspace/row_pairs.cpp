#include "core/workspace/row_pairs.h"

#include "core/base/message_names.h"
#include "core/base/stop.h"
#include "core/steps/steps.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace warpline {

namespace {

/// Time in kernels by their name.
using KernelTimes = std::unordered_map<std::string_view, Ns>;

std::string_view lastPart(const Row& row)
{
    return std::string_view(row.key).substr(row.key.rfind('/') + 1);
}

/// The last part of a row's key without numbers: "thread:3406" -> "thread:#".
std::string kindOfKey(const Row& row)
{
    return withoutNumbers(lastPart(row));
}

/// The unpaired children of one row.
struct Siblings {
    const Workspace& workspace;
    std::vector<RowId> rows;

    const Row& row(std::size_t place) const { return workspace.rows().row(rows[place]); }
    /// Whether two rows may be partners: the heading of a report, or the last part of the key.
    std::string kindOf(std::size_t place) const
    {
        if (workspace.reports().size() > 1 && workspace.ownRow(rows[place]) == RowTree::root
            && !workspace.isOfAll(rows[place]))
            return "report";
        return kindOfKey(row(place));
    }
};

class Pairing {
public:
    Pairing(const Workspace& a, const Workspace& b, const std::stop_token& stop)
        : m_a(a),
          m_b(b),
          m_stop(stop)
    {
    }

    void pairBelow(RowId a, RowId b)
    {
        throwIfStopped(m_stop);
        const auto ofA = m_a.rows().children(a);
        const auto ofB = m_b.rows().children(b);
        Siblings siblingsA{m_a, {ofA.begin(), ofA.end()}};
        Siblings siblingsB{m_b, {ofB.begin(), ofB.end()}};
        std::vector<RowPair> found;
        pairStreams(siblingsA, siblingsB, found);
        const auto sameLabel = [](const Siblings& side, std::size_t place) {
            return side.kindOf(place) + '\n' + identityOf(side.row(place).label);
        };
        const auto alikeLabel = [](const Siblings& side, std::size_t place) {
            return side.kindOf(place) + '\n' + withoutNumbers(identityOf(side.row(place).label));
        };
        const auto sameKind = [](const Siblings& side, std::size_t place) { return side.kindOf(place); };
        pairAlike(siblingsA, siblingsB, sameLabel, found);
        pairAlike(siblingsA, siblingsB, alikeLabel, found);
        pairAlike(siblingsA, siblingsB, sameKind, found);
        std::ranges::sort(found, {}, &RowPair::a);
        for (const RowPair& pair : found) {
            m_pairs.push_back(pair);
            pairBelow(pair.a, pair.b);
        }
    }
    std::vector<RowPair> take() { return std::move(m_pairs); }

private:
    KernelTimes kernelsOf(const Workspace& workspace, RowId stream) const
    {
        const Trace& trace = workspace.trace(workspace.rows().row(stream).report);
        std::unordered_map<std::uint32_t, Ns> byName;
        for (const TrackRef& ref : workspace.rows().row(stream).tracks) {
            if (ref.kind != EventKind::Kernel)
                continue;
            const EventTable& kernels = trace.table(ref.kind);
            const Track& track = trace.track(ref);
            for (const EventIndex i :
                stoppable(track.firstEvent, track.firstEvent + track.eventCount, m_stop))
                byName[raw(kernels.name[i])] += kernels.duration[i];
        }
        KernelTimes times;
        for (const auto& [name, time] : byName)
            times[(*trace.pool)[StringId{name}]] += time;
        return times;
    }

    void pairStreams(Siblings& a, Siblings& b, std::vector<RowPair>& found) const
    {
        // The kernels of an only stream stand where streams do.
        const auto isStream = [](const Row& row) {
            return lastPart(row).starts_with("stream:") || lastPart(row) == keyOf(EventKind::Kernel);
        };
        const auto timesOf = [&](const Siblings& side) {
            std::map<std::size_t, KernelTimes> times;
            for (std::size_t place = 0; place < side.rows.size(); ++place) {
                if (isStream(side.row(place)))
                    times.emplace(place, kernelsOf(side.workspace, side.rows[place]));
            }
            return times;
        };
        const auto ofA = timesOf(a);
        const auto ofB = timesOf(b);
        std::vector<std::tuple<Ns, std::size_t, std::size_t>> shared; // time, places
        for (const auto& [placeA, timesA] : ofA) {
            throwIfStopped(m_stop);
            for (const auto& [placeB, timesB] : ofB) {
                Ns both = 0;
                for (const auto& [name, time] : timesA) {
                    if (const auto other = timesB.find(name); other != timesB.end())
                        both += std::min(time, other->second);
                }
                if (both > 0)
                    shared.emplace_back(both, placeA, placeB);
            }
        }
        std::ranges::stable_sort(shared, std::greater{}, [](const auto& each) { return std::get<0>(each); });
        std::vector<bool> takenA(a.rows.size());
        std::vector<bool> takenB(b.rows.size());
        for (const auto& [time, placeA, placeB] : shared) {
            if (takenA[placeA] || takenB[placeB])
                continue;
            takenA[placeA] = takenB[placeB] = true;
            found.push_back({a.rows[placeA], b.rows[placeB]});
        }
        const auto isTaken = [](const std::vector<bool>& taken) {
            return [&taken, place = std::size_t{0}](RowId) mutable { return taken[place++]; };
        };
        std::erase_if(a.rows, isTaken(takenA));
        std::erase_if(b.rows, isTaken(takenB));
    }

    /// Pairs rows of equal keys in order, and removes them from both.
    template <typename KeyOf>
    static void pairAlike(Siblings& a, Siblings& b, const KeyOf& keyOf, std::vector<RowPair>& found)
    {
        std::map<std::string, std::vector<RowId>> ofB;
        for (std::size_t place = 0; place < b.rows.size(); ++place)
            ofB[keyOf(b, place)].push_back(b.rows[place]);
        std::map<std::string, std::size_t> used;
        std::vector<RowId> left;
        for (std::size_t place = 0; place < a.rows.size(); ++place) {
            const std::string key = keyOf(a, place);
            const auto others = ofB.find(key);
            if (others == ofB.end() || used[key] == others->second.size()) {
                left.push_back(a.rows[place]);
                continue;
            }
            const RowId other = others->second[used[key]++];
            found.push_back({a.rows[place], other});
            std::erase(b.rows, other);
        }
        a.rows = std::move(left);
    }

    const Workspace& m_a;
    const Workspace& m_b;
    const std::stop_token& m_stop;
    std::vector<RowPair> m_pairs;
};

/// Properties that identify rows, the most reliable first.
constexpr std::array<std::string (*)(const Row&), 3> rowNames{
    [](const Row& row) { return std::string(lastPart(row)); },
    [](const Row& row) { return kindOfKey(row) + '\n' + identityOf(row.label); },
    [](const Row& row) { return kindOfKey(row) + '\n' + withoutNumbers(identityOf(row.label)); },
};

using Keys = std::map<std::string, std::string>;
using RowsByName = std::map<std::string, std::vector<RowId>>;

RowsByName rowsByName(const RowTree& rows, const std::vector<RowId>& some, std::string (*nameOf)(const Row&))
{
    RowsByName named;
    for (const RowId row : some)
        named[nameOf(rows.row(row))].push_back(row);
    return named;
}

void addAlikeBelow(const RowTree& before, RowId a, const RowTree& after, RowId b, Keys& keys)
{
    std::vector<RowId> ofA(before.children(a).begin(), before.children(a).end());
    std::vector<RowId> ofB(after.children(b).begin(), after.children(b).end());
    for (const auto nameOf : rowNames) {
        RowsByName others = rowsByName(after, ofB, nameOf);
        for (const auto& [name, rows] : rowsByName(before, ofA, nameOf)) {
            const std::vector<RowId>& partners = others[name];
            if (partners.size() != rows.size())
                continue;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                keys[before.row(rows[i]).key] = after.row(partners[i]).key;
                addAlikeBelow(before, rows[i], after, partners[i], keys);
                std::erase(ofA, rows[i]);
                std::erase(ofB, partners[i]);
            }
        }
    }
}

/// The children of `parent` that are of the kind of `like`, in order.
std::vector<RowId> childrenLike(const RowTree& rows, RowId parent, const Row& like)
{
    const std::string kind = kindOfKey(like);
    std::vector<RowId> alike;
    for (const RowId child : rows.children(parent)) {
        if (kindOfKey(rows.row(child)) == kind)
            alike.push_back(child);
    }
    return alike;
}

/// The child of `parent` that corresponds to `row` among its siblings; root when there is none.
RowId childLike(const RowTree& own, RowId row, const RowTree& other, RowId parent)
{
    const Row& like = own.row(row);
    const std::vector<RowId> siblings = childrenLike(own, like.parent, like);
    const std::vector<RowId> candidates = childrenLike(other, parent, like);
    // A thread that bears the same name is meant wherever it stands.
    const auto named
        = std::ranges::find(candidates, like.label, [&](RowId each) { return other.row(each).label; });
    if (named != candidates.end())
        return *named;
    const auto place = static_cast<std::size_t>(std::ranges::find(siblings, row) - siblings.begin());
    return place < candidates.size() ? candidates[place] : RowTree::root;
}

} // namespace

std::map<std::string, std::string> alikeKeys(const RowTree& before, const RowTree& after)
{
    Keys keys;
    addAlikeBelow(before, RowTree::root, after, RowTree::root, keys);
    return keys;
}

std::vector<RowPair> pairRows(const Workspace& a, const Workspace& b, const std::stop_token& stop)
{
    Pairing pairing(a, b, stop);
    pairing.pairBelow(RowTree::root, RowTree::root);
    return pairing.take();
}

std::vector<RowId> sameRows(const Workspace& workspace, RowId row)
{
    std::vector<RowId> same;
    if (row == RowTree::root || workspace.isOfAll(row))
        return same;
    const ReportId of = workspace.rows().row(row).report;
    const RowTree& own = *workspace.report(of).rows;
    std::vector<RowId> path; // from the row up to below its report's root
    for (RowId at = workspace.ownRow(row); at != RowTree::root; at = own.row(at).parent)
        path.push_back(at);
    for (const OpenReport& report : workspace.reports()) {
        RowId at = RowTree::root;
        bool isThere = true;
        for (auto step = path.rbegin(); step != path.rend() && isThere; ++step) {
            at = report.id == of ? *step : childLike(own, *step, *report.rows, at);
            isThere = at != RowTree::root;
        }
        if (isThere)
            same.push_back(workspace.rowOf(report.id, at));
    }
    return same;
}

} // namespace warpline
