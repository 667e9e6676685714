// Reads the output of ranks_json.cpp. A document is read whole or not at all, but values of another type
// count as unknown: later versions may write more.

#include "core/across/across_rule.h"
#include "core/base/json_fields.h"
#include "core/base/path_names.h"
#include "core/base/saturate.h"
#include "core/export/json_text.h"
#include "core/export/ranks_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>

namespace warpline {

namespace {

std::int64_t numberAt(const Json& object, const char* key, std::int64_t otherwise = 0)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer()
        ? std::clamp(found->get<std::int64_t>(), -timeLimit, timeLimit)
        : otherwise;
}

std::size_t countAt(const Json& object, const char* key)
{
    return naturalOf(numberAt(object, key));
}

double realAt(const Json& object, const char* key)
{
    return fieldOf<double>(object, key).value_or(0);
}

std::string textAt(const Json& object, const char* key)
{
    return fieldOf<std::string>(object, key).value_or(std::string());
}

bool yesAt(const Json& object, const char* key)
{
    return fieldOf<bool>(object, key).value_or(false);
}

/// The objects of list `key`; skips other values.
std::vector<Json> objectsAt(const Json& object, const char* key)
{
    std::vector<Json> objects;
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end() || !found->is_array())
        return objects;
    for (const Json& each : *found) {
        if (each.is_object())
            objects.push_back(each);
    }
    return objects;
}

/// The enumerator up to `last` with the key that `object` has under `key`.
template <auto last> decltype(last) valueAt(const Json& object, const char* key, decltype(last) otherwise)
{
    const std::string wanted = textAt(object, key);
    for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i) {
        if (const auto value = static_cast<decltype(last)>(i); keyOf(value) == wanted)
            return value;
    }
    return otherwise;
}

class Reader {
public:
    explicit Reader(const Json& document)
        : m_document(document)
    {
    }

    AcrossReport read()
    {
        readReports();
        readRanks();
        nameReports();
        readSteps();
        readKinds();
        readVerdict();
        readFindings();
        return std::move(m_across);
    }

private:
    void readReports()
    {
        m_across.judged = yesAt(m_document, "judged");
        m_across.matched = countAt(m_document, "matched");
        m_across.unmatched = countAt(m_document, "unmatched");
        for (const Json& each : objectsAt(m_document, "files")) {
            ReportAcross& report = addReport(textAt(each, "file"));
            report.host = textAt(each, "host");
            report.judged = yesAt(each, "judged");
            report.clock = {numberAt(each, "offset_ns"), numberAt(each, "uncertainty_ns"),
                valueAt<ClockMethod::Manual>(each, "method", ClockMethod::Own),
                report.judged ? textAt(each, "note") : std::string()};
            report.matches = countAt(each, "matches");
            report.driftPpm = realAt(each, "drift_ppm");
            report.note = report.judged ? Message() : Message(textAt(each, "note"));
        }
        const auto notes = m_document.find("notes");
        for (std::size_t i = 0; notes != m_document.end() && notes->is_array() && i < notes->size(); ++i) {
            if ((*notes)[i].is_string())
                m_across.notes.emplace_back((*notes)[i].get<std::string>());
        }
    }

    /// A new report of `file`; the last one where there are no more numbers.
    ReportAcross& addReport(const std::string& file)
    {
        if (m_across.reports.size() <= std::numeric_limits<std::uint16_t>::max()) {
            const ReportId id{static_cast<std::uint16_t>(m_across.reports.size())};
            m_across.reports.emplace_back();
            m_across.reports.back().report = id;
            m_across.reports.back().file = file;
        }
        m_reports.try_emplace(file, m_across.reports.back().report);
        return m_across.reports.back();
    }

    /// The report of `file`, listed or not.
    ReportId reportOf(const std::string& file)
    {
        const auto found = m_reports.find(file);
        return found != m_reports.end() ? found->second : addReport(file).report;
    }

    void nameReports()
    {
        std::vector<std::string> files;
        for (const ReportAcross& report : m_across.reports)
            files.push_back(report.file);
        const std::vector<std::string> names = shortNames(files);
        for (std::size_t i = 0; i < names.size(); ++i)
            m_across.reports[i].name = names[i];
    }

    void readRanks()
    {
        for (const Json& each : objectsAt(m_document, "ranks")) {
            if (m_across.ranks.size() == std::size_t{maxWorldSize})
                break;
            AcrossRank rank;
            rank.rank = numberAt(each, "rank", -1);
            rank.label = textAt(each, "label");
            rank.report = reportOf(textAt(each, "file"));
            rank.foundBy = valueAt<RankSource::Unknown>(each, "found_by", RankSource::Unknown);
            rank.process = static_cast<GlobalId>(numberAt(each, "pid") & 0xFFFFFF) << 24U;
            rank.device = static_cast<std::int32_t>(numberAt(each, "device", -1));
            rank.gpu = textAt(each, "gpu");
            rank.wait = numberAt(each, "wait_ns");
            rank.exposedWait = numberAt(each, "exposed_wait_ns");
            rank.blame = numberAt(each, "blame_ns");
            rank.lastCount = countAt(each, "last_count");
            rank.exchanges = countAt(each, "exchanges");
            rank.transfer = numberAt(each, "transfer_ns");
            rank.computeAlone = numberAt(each, "compute_alone_ns");
            rank.clockMHz = realAt(each, "clock_mhz");
            m_ranks.emplace(rank.rank, static_cast<std::uint32_t>(m_across.ranks.size()));
            m_across.ranks.push_back(std::move(rank));
        }
    }

    /// The place of the rank that `key` names by its number.
    std::uint32_t rankAt(const Json& object, const char* key) const
    {
        const auto found = m_ranks.find(numberAt(object, key, -1));
        return found != m_ranks.end() ? found->second : noIndex;
    }

    std::uint32_t stepAt(const Json& object) const
    {
        const auto found = m_steps.find(textAt(object, "step"));
        return found != m_steps.end() ? found->second : noIndex;
    }

    void readSteps()
    {
        const std::vector<Json> steps = objectsAt(m_document, "steps");
        m_across.cells.resize(steps.size() * m_across.ranks.size());
        for (std::size_t s = 0; s < steps.size(); ++s) {
            m_steps.emplace(textAt(steps[s], "name"), static_cast<std::uint32_t>(s));
            m_across.steps.push_back({.name = textAt(steps[s], "name"),
                .warmUp = yesAt(steps[s], "warm_up"),
                .warmUpRanks = static_cast<std::uint32_t>(numberAt(steps[s], "warm_up_ranks")),
                .late = rankAt(steps[s], "late_rank")});
            for (const Json& each : objectsAt(steps[s], "ranks")) {
                const std::uint32_t rank = rankAt(each, "rank");
                if (rank == noIndex)
                    continue;
                StepCell& cell = m_across.cells[rank * steps.size() + s];
                cell.known = true;
                cell.time
                    = {numberAt(each, "start_ns"), numberAt(each, "start_ns") + numberAt(each, "step_ns")};
                cell.host = {numberAt(each, "host_start_ns"),
                    numberAt(each, "host_start_ns") + numberAt(each, "host_ns")};
                cell.busy = numberAt(each, "busy_ns");
                cell.wait = numberAt(each, "wait_ns");
                cell.exposedWait = numberAt(each, "exposed_wait_ns");
                cell.blame = numberAt(each, "blame_ns");
            }
        }
    }

    void readKinds()
    {
        for (const Json& each : objectsAt(m_document, "collectives")) {
            AcrossKind kind;
            const std::string key = textAt(each, "communicator");
            const auto [group, isNew]
                = m_groups.try_emplace(key, static_cast<std::uint32_t>(m_across.groups.size()));
            if (isNew)
                m_across.groups.push_back({key, Message(textAt(each, "communicator_label")), {}});
            kind.group = group->second;
            kind.operation = textAt(each, "operation");
            kind.element = textAt(each, "type");
            kind.bytes = numberAt(each, "bytes", -1);
            kind.ranks = numberAt(each, "ranks");
            kind.count = countAt(each, "count");
            kind.transferMedian = numberAt(each, "transfer_median_ns");
            kind.transferWorst = numberAt(each, "transfer_worst_ns");
            kind.transferTotal = numberAt(each, "transfer_ns");
            kind.slow = numberAt(each, "slow_ns");
            kind.wait = numberAt(each, "wait_ns");
            kind.waitShare = realAt(each, "wait_share");
            kind.algorithmBandwidth = realAt(each, "algorithm_gb_s");
            kind.busBandwidth = realAt(each, "bus_gb_s");
            m_across.kinds.push_back(std::move(kind));
        }
    }

    static LateCause causeAt(const Json& object)
    {
        const auto found = object.find("cause");
        if (found == object.end() || !found->is_object())
            return {};
        return {textAt(*found, "part"), valueAt<PartKind::Idle>(*found, "kind", PartKind::Range),
            numberAt(*found, "delta_ns_per_step"), numberAt(*found, "delta_ns"),
            countAt(*found, "steps_longer")};
    }

    void readVerdict()
    {
        LateVerdict& verdict = m_across.verdict;
        verdict.pattern = valueAt<LatePattern::Unknown>(m_document, "pattern", LatePattern::None);
        verdict.rank = rankAt(m_document, "late_rank");
        if (verdict.pattern == LatePattern::Persistent && verdict.rank == noIndex)
            verdict.pattern = LatePattern::None;
        verdict.cause = causeAt(m_document);
        verdict.perStep = numberAt(m_document, "wait_ns_per_step");
        verdict.exposedPerStep = numberAt(m_document, "exposed_wait_ns_per_step");
        verdict.stepsLate = countAt(m_document, "steps_late");
        verdict.stepsJudged = countAt(m_document, "steps_judged");
        verdict.sentence = textAt(m_document, "verdict");
        for (const Json& each : objectsAt(m_document, "exceptions")) {
            const LateStep late{
                stepAt(each), rankAt(each, "rank"), numberAt(each, "blame_ns"), causeAt(each)};
            if (late.step != noIndex && late.rank != noIndex)
                verdict.exceptions.push_back(late);
        }
    }

    void readFindings()
    {
        for (const Json& each : objectsAt(m_document, "findings")) {
            AcrossFinding finding;
            if (const Rule* const rule = findAcrossRule(textAt(each, "rule")))
                finding.rule = rule->id;
            finding.severity = valueAt<Severity::High>(each, "severity", Severity::Info);
            finding.title = textAt(each, "title");
            finding.message = textAt(each, "message");
            finding.remedy = textAt(each, "remedy");
            finding.rank = rankAt(each, "rank");
            finding.step = stepAt(each);
            finding.saving = numberAt(each, "saving_ns");
            m_across.findings.push_back(std::move(finding));
        }
    }

    const Json& m_document;
    AcrossReport m_across;
    std::map<std::string, ReportId> m_reports; ///< by file
    std::map<std::int64_t, std::uint32_t> m_ranks; ///< places by number
    std::map<std::string, std::uint32_t> m_groups; ///< places by key
    std::map<std::string, std::uint32_t> m_steps; ///< places by name, of equal ones the first
};

} // namespace

bool beginsRanksJson(std::string_view head)
{
    return head.find_first_not_of(" \t\r\n") == head.find('{')
        && head.find(R"("urn:warpline:schema:ranks")") != std::string_view::npos;
}

Result<AcrossReport> ranksFromJson(std::string_view text)
{
    const Json document = parseJson(text);
    const std::vector<Json> reports = objectsAt(document, "reports");
    const bool shaped = reports.size() == 1 && reports.front().contains("verdict")
        && reports.front().contains("ranks") && reports.front().contains("files");
    if (!shaped)
        return Error{"ranks.not_output",
            "This is not output of warpline-cli ranks --format json or of warpline-fleet."};
    // A cell for each step of each rank: a file lists most of them.
    std::size_t listed = 0;
    const std::vector<Json> steps = objectsAt(reports.front(), "steps");
    for (const Json& step : steps) {
        for (const Json& each : objectsAt(step, "ranks"))
            listed += each.contains("step_ns") ? 1 : 0;
    }
    constexpr std::size_t always = 1'000'000;
    constexpr std::size_t sparse = 4;
    if (steps.size() * objectsAt(reports.front(), "ranks").size() > std::max(always, sparse * listed))
        return Error{"ranks.sparse",
            "It names steps and ranks, but not how long they took. Make it again with warpline-cli ranks."};
    return Reader(reports.front()).read();
}

} // namespace warpline
