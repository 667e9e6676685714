// The clocks of reports. Reports of one host began by the same clock: their start times tell to about a
// microsecond, and matched collectives only check that. Clocks of different hosts differ by milliseconds:
// there the ends of collectives tell, as nobody leaves one before the last has come. A rank that waited sees
// the end some 11 us before the one that came last, so ends are compared by who came last.

#include "core/across/judging.h"
#include "core/base/format.h"
#include "core/base/median.h"
#include "core/findings/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace warpline {

namespace {

constexpr Ns startTimeError = 2'000; // of start times on one host; measured: below 1 us
constexpr Ns otherHostError = 10'000'000; // of start times on different hosts
constexpr Ns oneSidedError = 15'000; // where the same rank always came last
constexpr Ns bothSidesError = 5'000;
constexpr Ns suspicious = 50'000; // start times of one host do not err that much
constexpr double fastestDrift = 1e-3; // clocks that are corrected gain or lose 500 ppm at most
constexpr Ns widestSpread = 2'000'000; // ends that lie farther apart are of other collectives
constexpr std::size_t fewestMatches = 10;
constexpr std::size_t fewestForDrift = 30;
constexpr std::size_t mostForSlope = 400; // pairs grow with the square

/// The end of one exchange on two reports: how much later it is by the clock of `b`.
struct EndPair {
    Ns time = 0; ///< on the clock of report b
    Ns difference = 0; ///< end of a less end of b, both as the reports say
    int side = 0; ///< 1: a came last; -1: b came last; 0: both waited
};

/// What the ends say of the clocks of two reports.
struct PairFit {
    Ns offset = 0; ///< from the clock of b to that of a, at `middle`
    double drift = 0;
    Ns middle = 0;
    Ns uncertainty = 0;
    Ns spread = 0; ///< 1.48 times the median deviation
    std::size_t matches = 0;
};

std::vector<Ns> differences(const std::vector<EndPair>& pairs, int side)
{
    std::vector<Ns> values;
    for (const EndPair& pair : pairs) {
        if (pair.side == side)
            values.push_back(pair.difference);
    }
    return values;
}

/// The difference without the bias of who came last, and what error is left.
std::pair<Ns, Ns> unbiased(const std::vector<EndPair>& pairs)
{
    const std::vector<Ns> both = differences(pairs, 0);
    const std::vector<Ns> first = differences(pairs, 1);
    const std::vector<Ns> second = differences(pairs, -1);
    if (both.size() >= fewestMatches)
        return {middleOf(both), bothSidesError};
    if (first.size() >= fewestMatches && second.size() >= fewestMatches)
        return {(middleOf(first) + middleOf(second)) / 2, bothSidesError};
    std::vector<Ns> all;
    for (const EndPair& pair : pairs)
        all.push_back(pair.difference);
    return {middleOf(std::move(all)), oneSidedError};
}

/// 1.48 times the median distance from the middle of their side.
Ns spreadOf(const std::vector<EndPair>& pairs)
{
    std::map<int, Ns> middles;
    for (const int side : {-1, 0, 1})
        middles[side] = middleOf(differences(pairs, side));
    std::vector<Ns> distances;
    for (const EndPair& pair : pairs)
        distances.push_back(std::abs(pair.difference - middles[pair.side]));
    return middleOf(std::move(distances)) * 148 / 100;
}

/// Theil and Sen: the median of the slopes between pairs of one side.
double slopeOf(const std::vector<EndPair>& pairs)
{
    const std::size_t stride = pairs.size() / mostForSlope + 1;
    std::vector<double> slopes;
    for (std::size_t i = 0; i < pairs.size(); i += stride) {
        for (std::size_t j = i + stride; j < pairs.size(); j += stride) {
            if (pairs[i].side == pairs[j].side && pairs[i].time != pairs[j].time)
                slopes.push_back(static_cast<double>(pairs[j].difference - pairs[i].difference)
                    / static_cast<double>(pairs[j].time - pairs[i].time));
        }
    }
    if (slopes.empty())
        return 0;
    const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
    std::ranges::nth_element(slopes, middle);
    return *middle;
}

PairFit fitOf(std::vector<EndPair> pairs)
{
    PairFit fit;
    fit.matches = pairs.size();
    if (pairs.empty())
        return fit;
    const auto [first, last] = std::ranges::minmax(pairs, {}, &EndPair::time);
    fit.middle = first.time + (last.time - first.time) / 2;
    const Ns half = (last.time - first.time) / 2;
    fit.spread = spreadOf(pairs);
    if (pairs.size() >= fewestForDrift) {
        const double slope = slopeOf(pairs);
        std::vector<EndPair> straight = pairs;
        for (EndPair& pair : straight)
            pair.difference -= std::llround(slope * static_cast<double>(pair.time - fit.middle));
        const Ns spread = spreadOf(straight);
        if (std::abs(slope) <= fastestDrift && spread * 10 < fit.spread * 7) {
            fit.drift = slope;
            fit.spread = spread;
            pairs = std::move(straight);
        }
    }
    const auto [offset, bias] = unbiased(pairs);
    fit.offset = offset;
    fit.uncertainty = bias
        + static_cast<Ns>(static_cast<double>(fit.spread) / std::sqrt(static_cast<double>(pairs.size())))
        + static_cast<Ns>(std::abs(fit.drift) * static_cast<double>(half));
    return fit;
}

/// The first member of `match` that is of `report`, whose ranks are [first, last); nullptr: none.
const ExchangeAt* memberOf(
    const Judging& judging, const Match& match, std::uint32_t report, std::uint32_t first, std::uint32_t last)
{
    auto at = std::ranges::lower_bound(match.members, first, {}, &ExchangeAt::rank);
    for (; at != match.members.end() && at->rank <= last; ++at) {
        if (judging.ranks[at->rank].report == report)
            return &*at;
    }
    return nullptr;
}

/// The first and the last of the places of the ranks of `report`.
std::pair<std::uint32_t, std::uint32_t> placesOf(const Judging& judging, std::uint32_t report)
{
    std::pair<std::uint32_t, std::uint32_t> places{noIndex, 0};
    for (std::uint32_t r = 0; r < judging.ranks.size(); ++r) {
        if (judging.ranks[r].report == report)
            places = {std::min(places.first, r), r};
    }
    return places;
}

/// The collectives whose ends tell of clocks, and the shortest duration of each.
std::vector<std::pair<const Match*, Ns>> tellingMatches(const Judging& judging)
{
    std::vector<std::pair<const Match*, Ns>> telling;
    std::vector<bool> begun(judging.out.groups.size()); // the first of a group takes as long as it likes
    for (const Match& match : judging.matches) {
        const bool first = !begun[match.group];
        begun[match.group] = true;
        if (first || match.pointToPoint
            || judging.type(match.members.front()).kind != ExchangeKind::Synchronizing)
            continue;
        Ns shortest = std::numeric_limits<Ns>::max();
        for (const ExchangeAt at : match.members)
            shortest = std::min(shortest, judging.exchange(at).range.duration());
        telling.emplace_back(&match, shortest);
    }
    return telling;
}

/// The ends that reports a and b both have: of each match the first member of either.
std::vector<EndPair> endsOf(const Judging& judging, const std::vector<std::pair<const Match*, Ns>>& telling,
    std::uint32_t a, std::uint32_t b)
{
    std::vector<EndPair> pairs;
    const auto placesA = placesOf(judging, a);
    const auto placesB = placesOf(judging, b);
    for (const auto& [match, shortest] : telling) {
        const ExchangeAt* const ofA = memberOf(judging, *match, a, placesA.first, placesA.second);
        const ExchangeAt* const ofB = memberOf(judging, *match, b, placesB.first, placesB.second);
        if (!ofA || !ofB)
            continue;
        const TimeRange onA = judging.exchange(*ofA).range;
        const TimeRange onB = judging.exchange(*ofB).range;
        const auto waited = [least = shortest](TimeRange range) {
            return range.duration() * 2 > least * 3;
        }; // beyond half of it
        const int side = waited(onA) && waited(onB) ? 0 : onA.duration() <= onB.duration() ? 1 : -1;
        pairs.push_back({onB.end, onA.end - onB.end, side});
    }
    return pairs;
}

/// How often the exchanges of a report end with those of the others, by the clocks.
struct Agreement {
    std::size_t together = 0;
    std::size_t apart = 0;
    bool isOfTheRun() const { return apart <= together; }
};

/// By report. Ends are compared with the middle one of each exchange: one stranger does not make all others
/// strange.
std::vector<Agreement> agreements(const Judging& judging)
{
    std::vector<Agreement> reports(judging.reports.size());
    std::vector<Ns> ends;
    for (const Match& match : judging.matches) {
        if (judging.type(match.members.front()).kind != ExchangeKind::Synchronizing)
            continue;
        const auto tells = [&](ExchangeAt at) { // clocks set by hand are the user's to judge
            const ReportAcross& report = judging.out.reports[judging.ranks[at.rank].report];
            return judging.clock(at).aligned && report.clock.method != ClockMethod::Manual;
        };
        ends.clear();
        for (const ExchangeAt at : match.members) {
            if (tells(at))
                ends.push_back(judging.commonEnd(at));
        }
        const Ns middle = middleOf(ends);
        for (const ExchangeAt at : match.members) {
            if (!tells(at))
                continue;
            const std::uint32_t report = judging.ranks[at.rank].report;
            const Ns error = judging.out.reports[report].clock.uncertainty + 1'000'000;
            const bool together = std::abs(judging.commonEnd(at) - middle) <= error;
            ++(together ? reports[report].together : reports[report].apart);
        }
    }
    return reports;
}

/// The report whose exchanges fit least to those of the others, the later one of two; none: all fit.
std::optional<std::uint32_t> strangerAmong(const Judging& judging)
{
    const std::vector<Agreement> reports = agreements(judging);
    std::optional<std::uint32_t> stranger;
    for (std::uint32_t i = 0; i < reports.size(); ++i) {
        if (!judging.out.reports[i].judged || judging.out.reports[i].clock.method == ClockMethod::Manual)
            continue;
        if (judging.clocks[i].contradicts)
            return i;
        if (!reports[i].isOfTheRun() && (!stranger || reports[i].apart >= reports[*stranger].apart))
            stranger = i;
    }
    return stranger;
}

class Aligner {
public:
    Aligner(Judging& judging, std::span<const RankChoice> choices)
        : m_judging(judging),
          m_choices(choices),
          m_telling(tellingMatches(judging))
    {
    }

    void align()
    {
        const std::uint32_t first = m_judging.ranks.front().report;
        m_judging.clocks.assign(m_judging.reports.size(), {});
        std::map<std::string, std::uint32_t> hosts; // the first report of each
        for (const JudgedRank& rank : m_judging.ranks) {
            const std::uint32_t report = rank.report;
            if (m_judging.clocks[report].aligned)
                continue;
            if (report < m_choices.size() && m_choices[report].hasClock) {
                set(report, m_choices[report].clock, {});
            } else if (report == first) {
                set(report, {0, 0, ClockMethod::StartTime, "All others are told from it."}, {});
            } else {
                const std::string& host = m_judging.reports[report].host;
                const auto same = host.empty() ? hosts.end() : hosts.find(host);
                alignTo(report, same != hosts.end() ? same->second : first, same != hosts.end());
            }
            hosts.try_emplace(m_judging.reports[report].host, report);
        }
    }

private:
    void set(std::uint32_t report, ClockOffset clock, const PairFit& fit)
    {
        ClockFit& known = m_judging.clocks[report];
        known.aligned = true;
        known.offset = clock.offset;
        if (clock.method == ClockMethod::Matched) {
            known.drift = fit.drift;
            known.middle = fit.middle;
        }
        ReportAcross& out = m_judging.out.reports[report];
        out.clock = std::move(clock);
        out.matches = fit.matches;
        out.driftPpm = known.drift * 1e6;
        out.clockMiddle = known.middle;
    }

    /// Tells the clock of `report` from that of `other`, which is known.
    void alignTo(std::uint32_t report, std::uint32_t other, bool sameHost)
    {
        const PairFit fit = fitOf(endsOf(m_judging, m_telling, other, report));
        const ClockFit& base = m_judging.clocks[other];
        const ClockOffset& baseClock = m_judging.out.reports[other].clock;
        const std::int64_t utc = m_judging.reports[report].utcOfZero;
        const std::int64_t otherUtc = m_judging.reports[other].utcOfZero;
        const bool started
            = utc != 0 && otherUtc != 0 && (sameHost || baseClock.method != ClockMethod::Matched);
        // An offset of `other` that holds at its middle holds a little differently where it is used.
        const Ns ends = base.toCommon(fit.middle + fit.offset) - fit.middle;
        const Ns starts = utc - otherUtc + base.offset;
        const bool enough = fit.matches >= fewestMatches && fit.spread < widestSpread;
        m_judging.clocks[report].contradicts = fit.matches >= fewestMatches && !enough;
        const bool agree = std::abs(ends - starts) <= suspicious + fit.uncertainty;
        if (started && sameHost && (!enough || agree)) {
            set(report,
                {starts, baseClock.uncertainty + startTimeError, ClockMethod::StartTime, noteOf(fit, enough)},
                fit);
            shareDrift(report, other, utc - otherUtc);
        } else if (enough) {
            std::string note = fmt::format("{} matched", counted(fit.matches, "collective"));
            if (started && sameHost)
                note += fmt::format(
                    "; the start times differ from that by {}", formatDuration(std::abs(ends - starts)));
            set(report, {ends, baseClock.uncertainty + fit.uncertainty, ClockMethod::Matched, note + "."},
                fit);
        } else if (started) {
            set(report,
                {starts, otherHostError, ClockMethod::StartTime,
                    "By the clocks of two hosts, with no collectives to check them."},
                fit);
            m_judging.clocks[report].aligned = false; // fit to be shown, not to judge by
        }
    }

    /// Reports of one host gain or lose alike.
    void shareDrift(std::uint32_t report, std::uint32_t other, Ns startedLater)
    {
        m_judging.clocks[report].drift = m_judging.clocks[other].drift;
        m_judging.clocks[report].middle = m_judging.clocks[other].middle - startedLater;
        m_judging.out.reports[report].driftPpm = m_judging.out.reports[other].driftPpm;
        m_judging.out.reports[report].clockMiddle = m_judging.clocks[report].middle;
    }

    static std::string noteOf(const PairFit& fit, bool enough)
    {
        return enough ? fmt::format("One host, checked by {}.", counted(fit.matches, "collective"))
                      : std::string("One host.");
    }

    Judging& m_judging;
    std::span<const RankChoice> m_choices;
    std::vector<std::pair<const Match*, Ns>> m_telling;
};

} // namespace

bool alignClocks(Judging& judging, std::span<const RankChoice> choices)
{
    Aligner(judging, choices).align();
    const auto stranger = strangerAmong(judging);
    if (!stranger)
        return true;
    ReportAcross& out = judging.out.reports[*stranger];
    out.judged = false;
    out.clock = {};
    out.note = "Its collectives run at other times than those of the other reports: it is not of their run";
    const auto unnamed = [](const ParticipantSummary& each) {
        return std::ranges::any_of(
            each.types, [](const ExchangeType& type) { return type.group.starts_with("stream:"); });
    };
    out.note += std::ranges::any_of(judging.reports[*stranger].participants, unnamed)
        ? ", or it has other communicators, which these reports do not name (nsys export --include-blobs true "
          "--include-json true writes them)."
        : ".";
    judging.out.notes.push_back(judging.reports[*stranger].file + ": " + out.note);
    std::erase_if(
        judging.ranks, [&](const JudgedRank& rank) { return !judging.out.reports[rank.report].judged; });
    return false;
}

} // namespace warpline
