#include "core/across/across_report.h"
#include "core/export/ranks_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpline {

namespace {

Json rankOrNull(const AcrossReport& across, std::uint32_t place)
{
    return place != noIndex ? Json(across.ranks[place].rank) : Json();
}

Json causeJson(const LateCause& cause)
{
    if (!cause.found())
        return {};
    return {{"part", cause.kind == PartKind::Idle ? jsonOf(cause.label()) : jsonText(cause.part)},
        {"kind", keyOf(cause.kind)}, {"delta_ns_per_step", cause.perStep}, {"delta_ns", cause.inAll},
        {"steps_longer", cause.stepsLonger}};
}

Json reportsJson(const AcrossReport& across)
{
    Json list = Json::array();
    for (const ReportAcross& report : across.reports) {
        const auto own = [&](const AcrossRank& rank) { return rank.report == report.report; };
        const bool one = std::ranges::count_if(across.ranks, own) == 1;
        list.push_back({{"file", jsonText(report.file)},
            {"rank", one ? Json(std::ranges::find_if(across.ranks, own)->rank) : Json()},
            {"host", jsonTextOrNull(report.host)}, {"offset_ns", report.clock.offset},
            {"uncertainty_ns", report.clock.uncertainty}, {"drift_ppm", report.driftPpm},
            {"method", keyOf(report.clock.method)}, {"matches", report.matches}, {"judged", report.judged},
            {"note", jsonOf(report.note.empty() ? report.clock.note : report.note)}});
    }
    return list;
}

Json ranksJsonList(const AcrossReport& across)
{
    Json list = Json::array();
    for (const AcrossRank& rank : across.ranks)
        list.push_back({{"rank", rank.rank}, {"label", rank.label},
            {"file", jsonText(across.reports[raw(rank.report)].file)}, {"found_by", keyOf(rank.foundBy)},
            {"pid", pidOf(rank.process)}, {"device", rank.device >= 0 ? Json(rank.device) : Json()},
            {"gpu", jsonTextOrNull(rank.gpu)}, {"wait_ns", rank.wait}, {"exposed_wait_ns", rank.exposedWait},
            {"blame_ns", rank.blame}, {"last_count", rank.lastCount}, {"exchanges", rank.exchanges},
            {"transfer_ns", rank.transfer}, {"compute_alone_ns", rank.computeAlone},
            {"clock_mhz", rank.clockMHz > 0 ? Json(rank.clockMHz) : Json()}});
    return list;
}

Json stepsJsonList(const AcrossReport& across)
{
    Json list = Json::array();
    for (std::size_t s = 0; s < across.steps.size(); ++s) {
        Json cells = Json::array();
        for (std::size_t r = 0; r < across.ranks.size(); ++r) {
            const StepCell& cell = across.cell(r, s);
            if (cell.known)
                cells.push_back({{"rank", across.ranks[r].rank}, {"start_ns", cell.time.start},
                    {"host_start_ns", cell.host.start}, {"host_ns", cell.host.duration()},
                    {"step_ns", cell.length()}, {"busy_ns", cell.busy}, {"wait_ns", cell.wait},
                    {"exposed_wait_ns", cell.exposedWait}, {"blame_ns", cell.blame}});
        }
        list.push_back({{"name", jsonText(across.steps[s].name)}, {"warm_up", across.steps[s].warmUp},
            {"warm_up_ranks", across.steps[s].warmUpRanks},
            {"late_rank", rankOrNull(across, across.steps[s].late)}, {"ranks", std::move(cells)}});
    }
    return list;
}

Json collectivesJson(const AcrossReport& across)
{
    Json list = Json::array();
    const auto numberOrNull = [](double value) { return value > 0 ? Json(value) : Json(); };
    for (const AcrossKind& kind : across.kinds)
        list.push_back({{"communicator", jsonText(across.groups[kind.group].key)},
            {"communicator_label", jsonOf(across.groups[kind.group].label)},
            {"operation", jsonText(kind.operation)}, {"type", jsonTextOrNull(kind.element)},
            {"bytes", kind.bytes >= 0 ? Json(kind.bytes) : Json()}, {"ranks", kind.ranks},
            {"count", kind.count}, {"transfer_median_ns", kind.transferMedian},
            {"transfer_worst_ns", kind.transferWorst}, {"transfer_ns", kind.transferTotal},
            {"slow_ns", kind.slow}, {"wait_ns", kind.wait}, {"wait_share", kind.waitShare},
            {"algorithm_gb_s", numberOrNull(kind.algorithmBandwidth)},
            {"bus_gb_s", numberOrNull(kind.busBandwidth)}});
    return list;
}

Json findingsJsonList(const AcrossReport& across)
{
    Json list = Json::array();
    for (const AcrossFinding& finding : across.findings) {
        const bool placed = finding.event.valid();
        list.push_back({{"rule", finding.rule}, {"severity", keyOf(finding.severity)},
            {"title", jsonOf(finding.title)}, {"message", jsonOf(finding.message)},
            {"remedy", jsonOf(finding.remedy)}, {"rank", rankOrNull(across, finding.rank)},
            {"step", finding.step != noIndex ? jsonText(across.steps[finding.step].name) : Json()},
            {"saving_ns", finding.saving},
            {"file", placed ? jsonText(across.reports[raw(finding.event.report)].file) : Json()},
            {"event",
                placed
                    ? Json({{"kind", keyOf(finding.event.event.kind)}, {"index", finding.event.event.index}})
                    : Json()}});
    }
    return list;
}

Json exceptionsJson(const AcrossReport& across)
{
    Json list = Json::array();
    for (const LateStep& late : across.verdict.exceptions)
        list.push_back(
            {{"step", jsonText(across.steps[late.step].name)}, {"rank", across.ranks[late.rank].rank},
                {"blame_ns", late.blame}, {"cause", causeJson(late.cause)}});
    return list;
}

} // namespace

Json ranksJson(const AcrossReport& across)
{
    const LateVerdict& verdict = across.verdict;
    return {{"judged", across.judged}, {"verdict", jsonOf(verdict.sentence)},
        {"pattern", keyOf(verdict.pattern)}, {"late_rank", rankOrNull(across, verdict.rank)},
        {"cause", causeJson(verdict.cause)}, {"steps_late", verdict.stepsLate},
        {"steps_judged", verdict.stepsJudged}, {"wait_ns_per_step", verdict.perStep},
        {"exposed_wait_ns_per_step", verdict.exposedPerStep}, {"exceptions", exceptionsJson(across)},
        {"missing_ranks", across.missingRanks}, {"notes", jsonOf(across.notes)},
        {"files", reportsJson(across)}, {"matched", across.matched}, {"unmatched", across.unmatched},
        {"ranks", ranksJsonList(across)}, {"steps", stepsJsonList(across)},
        {"collectives", collectivesJson(across)}, {"findings", findingsJsonList(across)}};
}

} // namespace warpline
