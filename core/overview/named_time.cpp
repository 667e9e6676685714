#include "core/overview/named_time.h"

#include "core/base/stop.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

/// Where most of `time` lies: one early file access does not extend the phase.
TimeRange mostOf(const Intervals& time)
{
    const Ns spare = totalTime(time) / 20;
    std::size_t first = 0;
    for (Ns left = spare - time.front().duration(); left >= 0 && first + 1 < time.size();)
        left -= time[++first].duration();
    std::size_t last = time.size() - 1;
    for (Ns left = spare - time.back().duration(); left >= 0 && last > first;)
        left -= time[--last].duration();
    return {time[first].start, time[last].end};
}

/// Calls got(piece, name) for each overlap of `left` and `claims`, in order.
template <typename Got>
void forEachPiece(
    const Intervals& left, std::span<const NamedTime::Claim> claims, const std::stop_token& stop, Got got)
{
    StopCheck check(stop);
    std::size_t claim = 0;
    for (std::size_t i = 0; i < left.size() && claim < claims.size();) {
        check.step();
        const TimeRange piece = left[i].clippedTo(claims[claim].range);
        if (!piece.empty())
            got(piece, claims[claim].name);
        if (claims[claim].range.end < left[i].end)
            ++claim;
        else
            ++i;
    }
}

} // namespace

NamedTime::NamedTime(const Intervals& parts, std::stop_token stop)
    : m_stop(std::move(stop)),
      m_all(totalTime(parts)),
      m_left(parts)
{
}

std::size_t NamedTime::number(const HostName& name)
{
    const auto [place, added] = m_numbers.try_emplace(name, m_given.size());
    if (added)
        m_given.emplace_back();
    return place->second;
}

std::vector<Ns> NamedTime::wouldGet(std::span<const Claim> claims) const
{
    std::vector<Ns> times(m_given.size(), 0);
    forEachPiece(
        m_left, claims, m_stop, [&](TimeRange piece, std::size_t name) { times[name] += piece.duration(); });
    return times;
}

void NamedTime::give(std::span<const Claim> claims)
{
    Intervals taken;
    forEachPiece(m_left, claims, m_stop, [&](TimeRange piece, std::size_t name) {
        m_given[name].push_back(piece);
        if (!taken.empty() && taken.back().end == piece.start)
            taken.back().end = piece.end;
        else
            taken.push_back(piece);
    });
    if (!taken.empty())
        m_left = difference(m_left, taken);
}

std::vector<NamedTime::Named> NamedTime::named() const
{
    std::vector<Named> all;
    for (const auto& [name, number] : m_numbers) {
        if (m_given[number].empty())
            continue;
        const auto [first, last] = std::ranges::minmax(m_given[number], {}, &TimeRange::start);
        const Intervals time = unionOf(m_given[number], {first.start, last.end}, m_stop);
        all.push_back({name, totalTime(time), time.size(), mostOf(time)});
    }
    return all;
}

} // namespace warpline
