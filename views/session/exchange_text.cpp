#include "views/session/exchange_text.h"

#include "views/session/rank_judge.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace warpline {

namespace {

constexpr std::size_t maxRanks = 32; ///< that are listed

QString translated(const char* text)
{
    return QCoreApplication::translate("Exchange", text);
}

/// When the part begins, on the workspace's clock.
Ns arrivalOf(const Session& session, const ExchangeMember& member)
{
    return session.workspace().range(member.event).start;
}

/// Whether aligned clocks show the arrivals at `exchange`.
bool isAligned(const Session& session, const MatchedExchange& exchange)
{
    const ReportId first = exchange.members.front().event.report;
    return std::ranges::all_of(exchange.members, [&](const ExchangeMember& member) {
        const ReportId report = member.event.report;
        return report == first || raw(report) == 0
            || session.workspace().report(report).clock.method != ClockMethod::Own;
    });
}

/// The members by arrival; without clocks, those that waited longest came first.
std::vector<const ExchangeMember*> byArrival(const Session& session, const MatchedExchange& exchange)
{
    std::vector<const ExchangeMember*> members;
    for (const ExchangeMember& member : exchange.members)
        members.push_back(&member);
    const bool aligned = isAligned(session, exchange);
    std::ranges::stable_sort(members, {},
        [&](const ExchangeMember* member) { return aligned ? arrivalOf(session, *member) : -member->wait; });
    return members;
}

} // namespace

QString exchangeHtml(const Session& session, EventId event)
{
    const MatchedExchange* const exchange = session.judgement().ranks().exchangeOf(event);
    if (!exchange)
        return {};
    const AcrossReport& across = *session.judgement().ranks().across();
    const std::vector<const ExchangeMember*> members = byArrival(session, *exchange);
    const bool aligned = isAligned(session, *exchange);
    QString html = "<p style='margin-top:10px;margin-bottom:2px'><b>"
        + translated("Ranks in order of arrival")
        + "</b></p><table cellspacing=0 cellpadding=2><tr><td></td><td>" + translated("arrives") + "</td><td>"
        + translated("waits") + "</td><td>" + translated("transfers") + "</td></tr>";
    for (std::size_t i = 0; i < std::min(members.size(), maxRanks); ++i) {
        const ExchangeMember& member = *members[i];
        const QString label = htmlOf(across.ranks[member.rank].label);
        const Ns after = arrivalOf(session, member) - arrivalOf(session, *members.front());
        html += "<tr><td style='padding-right:10px'>"
            + (member.event == event ? "<b>" + label + "</b>"
                                     : QString("<a href='there:%1:%2:%3'>%4</a>")
                                           .arg(raw(member.event.report))
                                           .arg(indexOf(member.event.event.kind))
                                           .arg(member.event.event.index)
                                           .arg(label))
            + "</td><td style='padding-right:10px'>"
            + (aligned ? "+" + durationHtml(after) : translated("not aligned"))
            + "</td><td style='padding-right:10px'>" + durationHtml(member.wait) + "</td><td>"
            + durationHtml(member.range.duration() - member.wait) + "</td></tr>";
    }
    html += "</table>";
    if (members.size() > maxRanks)
        html += "<div>" + translated("and %1 more").arg(members.size() - maxRanks) + "</div>";
    return html;
}

QString exchangeTip(const Session& session, EventId event)
{
    const MatchedExchange* const exchange = session.judgement().ranks().exchangeOf(event);
    if (!exchange)
        return {};
    const AcrossReport& across = *session.judgement().ranks().across();
    const ExchangeMember& own = RankJudge::memberOf(*exchange, event);
    const QString transfer = roundedText(own.range.duration() - own.wait);
    const std::uint32_t late = exchange->blamed != noIndex ? exchange->blamed : exchange->last;
    if (own.wait <= 0 || late == noIndex || late == own.rank)
        return "<div>" + translated("transfers for %1").arg(transfer) + "</div>";
    return "<div>"
        + translated("waits %1 for %2, then transfers for %3")
              .arg(roundedText(own.wait), htmlOf(across.ranks[late].label), transfer)
        + "</div>";
}

} // namespace warpline
