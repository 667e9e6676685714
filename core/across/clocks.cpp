// Aligns the clocks of reports. Reports of one host share a clock: their start times align them to about a
// microsecond, and matched collectives only verify it. Clocks of different hosts differ by milliseconds, so
// the ends of collectives align them, because no rank leaves before the last arrives. A rank that waited sees
// the end about 11 us before the last rank, so ends are corrected by who came last.

#include "core/across/clock_fit.h"
#include "core/across/host_clocks.h"
#include "core/across/judging.h"
#include "core/base/duration_text.h"
#include "core/base/median.h"
#include "core/base/message_names.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace warpline {

namespace {

constexpr Ns startTimeError = 2'000; // of start times on one host; measured: below 1 us
constexpr Ns otherHostError = 10'000'000; // of start times on different hosts
constexpr Ns suspicious = 50'000; // start times of one host have smaller errors

/// The first member of `match` from `report`, whose ranks are [first, last); nullptr: none.
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

/// The collectives whose ends are usable for clocks, with the shortest duration of each.
std::vector<std::pair<const Match*, Ns>> tellingMatches(const Judging& judging)
{
    std::vector<std::pair<const Match*, Ns>> telling;
    std::vector<bool> begun(judging.out.groups.size()); // the first of a group may take any time
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
        pairs.push_back({onB.end, onA.end - onB.end, sideOf(onA.duration(), onB.duration(), shortest)});
    }
    return pairs;
}

/// How often the exchanges of a report end with those of the others, by the clocks.
struct Agreement {
    std::size_t together = 0;
    std::size_t apart = 0;
    bool isOfTheRun() const { return apart <= together; }
};

/// The agreement of each report. Each end is compared with the median end of its exchange, so that one
/// unrelated report does not affect the others.
std::vector<Agreement> agreements(const Judging& judging)
{
    std::vector<Agreement> reports(judging.reports.size());
    std::vector<Ns> ends;
    for (const Match& match : judging.matches) {
        if (judging.type(match.members.front()).kind != ExchangeKind::Synchronizing)
            continue;
        const auto tells = [&](ExchangeAt at) { // clocks set by hand are not checked
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

/// The report whose exchanges agree least with the others', the later one of two; none: all agree.
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
        if (isSetByHand(first))
            set(first, m_choices[first].clock, {});
        else
            set(first, {0, 0, ClockMethod::StartTime, {"clock.reference", "Reference clock."}}, {});
        findHosts(first);
        alignHeads();
        for (const Host& host : m_hosts) {
            if (!m_judging.clocks[host.head].aligned)
                alignTo(host.head, first, false);
            for (const std::uint32_t report : host.others)
                alignTo(report, host.head, true);
        }
        for (const JudgedRank& rank : m_judging.ranks) {
            if (isSetByHand(rank.report) && !m_judging.clocks[rank.report].aligned)
                setByHand(rank.report, first);
        }
    }

private:
    /// Reports that began by one clock.
    struct Host {
        std::uint32_t head = 0; ///< the first of them
        std::vector<std::uint32_t> others;
    };

    bool isSetByHand(std::uint32_t report) const
    {
        return report < m_choices.size() && m_choices[report].hasClock;
    }

    /// The hosts of all reports, except those with a clock set by hand; the first report's host comes first.
    void findHosts(std::uint32_t first)
    {
        std::map<std::string, std::size_t> places;
        std::vector<bool> seen(m_judging.reports.size());
        for (const JudgedRank& rank : m_judging.ranks) {
            const std::uint32_t report = rank.report;
            if (seen[report] || (isSetByHand(report) && report != first))
                continue;
            seen[report] = true;
            const std::string& name = m_judging.reports[report].host;
            const auto [place, added] = places.try_emplace(name, m_hosts.size());
            if (added || name.empty())
                m_hosts.push_back({report, {}});
            else
                m_hosts[place->second].others.push_back(report);
        }
    }

    /// How much later the clock of `report` began than that of `other`, see laterByUtc().
    std::optional<Ns> startedLater(std::uint32_t report, std::uint32_t other) const
    {
        return laterByUtc(m_judging.reports[report].utcOfZero, m_judging.reports[other].utcOfZero);
    }

    /// The ends of exchanges on each host, of the rank that came last there, on the clock of its first
    /// report.
    std::vector<std::vector<HostEnd>> endsOfHosts() const
    {
        std::vector<std::size_t> hostOf(m_judging.reports.size(), m_hosts.size());
        std::vector<Ns> ahead(m_judging.reports.size()); // of the head's zero, the report's own
        for (std::size_t host = 0; host < m_hosts.size(); ++host) {
            const std::uint32_t head = m_hosts[host].head;
            hostOf[head] = host;
            for (const std::uint32_t report : m_hosts[host].others) {
                if (const std::optional<Ns> later = startedLater(report, head)) {
                    hostOf[report] = host;
                    ahead[report] = *later;
                }
            }
        }
        std::vector<std::vector<HostEnd>> ends(m_hosts.size());
        for (std::uint32_t i = 0; i < m_telling.size(); ++i) {
            for (const ExchangeAt at : m_telling[i].first->members) {
                const std::uint32_t report = m_judging.ranks[at.rank].report;
                if (hostOf[report] == m_hosts.size())
                    continue;
                const TimeRange range = m_judging.exchange(at).range;
                std::vector<HostEnd>& own = ends[hostOf[report]];
                if (own.empty() || own.back().exchange != i)
                    own.push_back({i, range.end + ahead[report], range.duration()});
                else if (range.duration() < own.back().duration)
                    own.back() = {i, range.end + ahead[report], range.duration()};
            }
        }
        return ends;
    }

    /// Aligns the first report of each host, from the ends of exchanges of all hosts together.
    void alignHeads()
    {
        if (m_hosts.size() < 2)
            return;
        std::vector<Ns> shortest;
        for (const auto& [match, least] : m_telling)
            shortest.push_back(least);
        const ClockOffset base = m_judging.out.reports[m_hosts.front().head].clock;
        const std::vector<HostClock> clocks = alignHosts(endsOfHosts(), shortest);
        for (std::size_t i = 1; i < clocks.size(); ++i) {
            const HostClock& clock = clocks[i];
            if (!clock.known)
                continue;
            Message note("clock.of_hosts",
                "{matches, plural, one {# collective} other {# collectives}} matched"
                "{others, plural, =0 {} =1 {} other { with # other hosts. Loops over hosts agree within {loop}}}.",
                {{"matches", Count{clock.matches}}, {"others", Count{clock.others}},
                    {"loop", Duration{clock.loop}}});
            PairFit fit{.drift = clock.drift, .middle = clock.middle, .matches = clock.matches};
            set(m_hosts[i].head,
                {base.offset + clock.offset, base.uncertainty + clock.uncertainty, ClockMethod::Matched,
                    std::move(note)},
                fit);
        }
    }

    /// Applies an offset of the user, with a note where the exchanges contradict it.
    void setByHand(std::uint32_t report, std::uint32_t first)
    {
        set(report, m_choices[report].clock, {});
        const ClockFit& base = m_judging.clocks[first];
        const PairFit fit = fitOf(endsOf(m_judging, m_telling, first, report));
        ReportAcross& out = m_judging.out.reports[report];
        out.matches = fit.matches;
        const Ns ends = base.toCommon(fit.middle + fit.offset) - fit.middle;
        const Ns apart = out.clock.offset - ends;
        if (fit.tells() && std::abs(apart) > suspicious + fit.uncertainty)
            out.note = {"across.clock_by_hand",
                "Its clock was set by hand to {set}, but {matches, plural, one {# matched collective} other {# matched collectives}} "
                "show {found} ± {uncertainty}: {apart} {less, select, yes {less} other {more}}.",
                {{"set", Name{shortDuration(static_cast<double>(out.clock.offset), 6)}},
                    {"matches", Count{fit.matches}},
                    {"found", Name{shortDuration(static_cast<double>(ends), 6)}},
                    {"uncertainty", Duration{fit.uncertainty}}, {"apart", Duration{std::abs(apart)}},
                    {"less", yesOrNo(apart > 0)}}};
    }

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

    /// Derives the clock of `report` from that of `other`, which is aligned.
    void alignTo(std::uint32_t report, std::uint32_t other, bool sameHost)
    {
        const PairFit fit = fitOf(endsOf(m_judging, m_telling, other, report));
        const ClockFit& base = m_judging.clocks[other];
        const ClockOffset& baseClock = m_judging.out.reports[other].clock;
        const std::optional<Ns> later = startedLater(report, other);
        const bool started = later && (sameHost || baseClock.method != ClockMethod::Matched);
        // An offset of `other` that holds at its middle holds a little differently where it is used.
        const Ns ends = base.toCommon(fit.middle + fit.offset) - fit.middle;
        const Ns starts = later.value_or(0) + base.offset;
        const bool enough = fit.tells();
        m_judging.clocks[report].contradicts = fit.contradicts();
        const bool agree = std::abs(ends - starts) <= suspicious + fit.uncertainty;
        if (started && sameHost && (!enough || agree)) {
            set(report,
                {starts, baseClock.uncertainty + startTimeError, ClockMethod::StartTime, noteOf(fit, enough)},
                fit);
            shareDrift(report, other, *later);
        } else if (enough) {
            Message note("clock.of_collectives",
                "{matches, plural, one {# collective} other {# collectives}} matched"
                "{started, select, yes {; the start times differ from that by {time}} other {}}.",
                {{"matches", Count{fit.matches}}, {"started", yesOrNo(started && sameHost)},
                    {"time", Duration{std::abs(ends - starts)}}});
            set(report,
                {ends, baseClock.uncertainty + fit.uncertainty, ClockMethod::Matched, std::move(note)}, fit);
        } else if (started) {
            set(report,
                {starts, otherHostError, ClockMethod::StartTime,
                    {"clock.of_two_hosts", "By the clocks of two hosts, with no collectives to check them."}},
                fit);
            m_judging.clocks[report].aligned = false; // good enough to show, not to analyze
        }
    }

    /// Clocks of reports of one host drift alike.
    void shareDrift(std::uint32_t report, std::uint32_t other, Ns startedLater)
    {
        m_judging.clocks[report].drift = m_judging.clocks[other].drift;
        m_judging.clocks[report].middle = m_judging.clocks[other].middle - startedLater;
        m_judging.out.reports[report].driftPpm = m_judging.out.reports[other].driftPpm;
        m_judging.out.reports[report].clockMiddle = m_judging.clocks[report].middle;
    }

    static Message noteOf(const PairFit& fit, bool enough)
    {
        return enough ? Message("clock.one_host_checked",
                   "One host, checked by {matches, plural, one {# collective} other {# collectives}}.",
                   {{"matches", Count{fit.matches}}})
                      : Message("clock.one_host", "One host.");
    }

    Judging& m_judging;
    std::span<const RankChoice> m_choices;
    std::vector<std::pair<const Match*, Ns>> m_telling;
    std::vector<Host> m_hosts;
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
    judging.strangers.push_back(*stranger);
    out.clock = {};
    const auto isUnnamed = [](const ParticipantSummary& each) {
        return std::ranges::any_of(
            each.types, [](const ExchangeType& type) { return type.group.starts_with("stream:"); });
    };
    out.note = {"across.runs_at_other_times",
        "Its collectives run at different times than those of the other reports, so it is of a different run."};
    if (std::ranges::any_of(judging.reports[*stranger].participants, isUnnamed))
        out.note += {"across.unnamed_communicators",
            "Or it uses different communicators, which these reports do not name. Export with nsys export --include-blobs true --include-json true."};
    judging.out.notes.push_back(noteOf(out));
    std::erase_if(
        judging.ranks, [&](const JudgedRank& rank) { return !judging.out.reports[rank.report].judged; });
    return false;
}

} // namespace warpline
