#include "core/export/compare_text.h"
#include "core/export/envelope.h"

#include "core/export/cells_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

Json bothJson(const Both<double>& both)
{
    return {{"a", both.a}, {"b", both.b}};
}

Json nameOrNull(const RowFigures& figures)
{
    return figures.count > 0 ? jsonText(figures.name) : Json();
}

Json rowJson(const CompareRow& row, bool bytes)
{
    const std::string unit = bytes ? "bytes" : "ns";
    const std::optional<double> byCount = row.byCount();
    Json json{{"a_name", nameOrNull(row.a)}, {"b_name", nameOrNull(row.b)},
        {"matched_by", jsonTextOrNull(keyOf(row.matchedBy))}, {"a_count", row.a.countPerStep},
        {"b_count", row.b.countPerStep}, {"a_" + unit, std::llround(row.a.perStep)},
        {"b_" + unit, std::llround(row.b.perStep)}, {"delta_" + unit, std::llround(row.delta())},
        {"by_count_" + unit, byCount ? Json(std::llround(*byCount)) : Json()},
        {"a_average_" + unit, std::llround(row.a.average)},
        {"b_average_" + unit, std::llround(row.b.average)}, {"class", keyOf(row.change)}};
    json["a_shape"] = jsonTextOrNull(row.a.shape);
    json["b_shape"] = jsonTextOrNull(row.b.shape);
    json["kernel_class"] = jsonTextOrNull(row.group);
    json["nvtx_path"] = jsonTextOrNull(row.where);
    return json;
}

/// null: not known.
Json knownJson(double value)
{
    return value > 0 ? Json(value) : Json();
}

void addWork(Json& json, const CompareRow& row)
{
    for (const Side side : {Side::A, Side::B}) {
        const std::string prefix = side == Side::A ? "a_" : "b_";
        json[prefix + "tflops_per_s"] = knownJson(row[side].flopsPerSecond() / 1e12);
        json[prefix + "tb_per_s"] = knownJson(row[side].bytesPerSecond() / 1e12);
        json[prefix + "roofline_percent"] = knownJson(row[side].rooflineShare() * 100);
    }
}

Json tableJson(const CompareTable& table)
{
    Json rows = Json::array();
    for (const CompareRow& row : table.rows) {
        rows.push_back(rowJson(row, table.bytes));
        if (table.isWork)
            addWork(rows.back(), row);
    }
    return rows;
}

/// null: there is none.
Json changeJson(const LevelChange& change)
{
    if (!change)
        return {};
    return {{"step", change.at}, {"before_ns", change.before}, {"after_ns", change.after}};
}

Json sideJson(const ComparedSide& side)
{
    Json files = Json::array();
    for (const std::string& file : side.files)
        files.push_back(jsonText(file));
    Json gpus = Json::array();
    for (const ComparedGpu& gpu : side.gpus) {
        Json steps = Json::array();
        for (const ComparedStep& step : gpu.steps) {
            if (step.judged)
                steps.push_back({{"name", jsonText(step.name)}, {"gpu_range_ns", jsonRange(step.gpu)},
                    {"host_range_ns", jsonRange(step.host)}});
        }
        gpus.push_back({{"label", jsonText(gpu.label)}, {"file", jsonText(side.files[gpu.report])},
            {"pid", pidOf(gpu.process)}, {"device", gpu.device}, {"steps", std::move(steps)}});
    }
    Json runs = Json::array();
    for (const ComparedRun& run : side.runs)
        runs.push_back(
            {{"judged", run.judged}, {"median_ns", run.median}, {"mean_ns", std::llround(run.mean)}});
    return {{"files", std::move(files)}, {"pattern", jsonTextOrNull(side.pattern)}, {"judged", side.judged},
        {"recordings", std::move(runs)}, {"median_ns", side.median}, {"mean_ns", std::llround(side.mean)},
        {"total_ns", side.total}, {"spread_ns", side.spread},
        {"period_steps", side.period ? Json(side.period.steps) : Json()},
        {"period_stall_ns", side.period ? Json(side.period.stall) : Json()},
        {"settled", changeJson(side.settled)}, {"level_change", changeJson(side.change)},
        {"error_ns", side.error >= 0 ? Json(std::llround(side.error)) : Json()},
        {"host_median_ns", side.hostMedian}, {"gpus", std::move(gpus)}};
}

Json factsJson(const Comparison& comparison)
{
    Json list = Json::array();
    for (const CompareFact& fact : comparison.facts)
        list.push_back({{"id", fact.id}, {"title", jsonOf(fact.title)}, {"a", jsonOf(fact.a)},
            {"b", jsonOf(fact.b)}, {"state", keyOf(fact.state)}, {"reason", jsonOf(fact.reason)}});
    return list;
}

Json matchedJson(const MatchedShares& shares)
{
    Json by = Json::object();
    for (std::size_t i = 1; i < matchedByCount; ++i) {
        const auto stage = static_cast<MatchedBy>(i);
        if (stage != MatchedBy::Order)
            by[std::string(keyOf(stage))] = bothJson(shares.by[i]);
    }
    return {{"all", bothJson(shares.all)}, {"sure", bothJson(shares.sure)}, {"name", bothJson(shares.name)},
        {"nvtx_path", shares.nvtxPath.a >= 0 ? bothJson(shares.nvtxPath) : Json()}, {"by", std::move(by)}};
}

Json budgetJson(const Comparison& comparison)
{
    Json list = Json::array();
    for (const BudgetLine& line : comparison.budget)
        list.push_back({{"part", jsonText(line.part)}, {"title", jsonOf(line.title)},
            {"group", keyOf(line.group)}, {"a_ns", line.time.a}, {"b_ns", line.time.b},
            {"delta_ns", line.delta()}, {"noise_ns", line.noise >= 0 ? Json(line.noise) : Json()}});
    return list;
}

Json findingsJson(const Comparison& comparison)
{
    Json json{
        {"gone", Json::array()}, {"new", Json::array()}, {"changed", Json::array()}, {"same", Json::array()}};
    for (const FindingChange& change : comparison.findings) {
        const bool changed = change.state == FindingState::Grown || change.state == FindingState::Shrunk;
        const auto saving = [&](Side side) {
            return change.title[side].empty() ? Json() : Json(std::llround(change.saving[side]));
        };
        json[changed ? "changed" : std::string(keyOf(change.state))].push_back({{"id", jsonText(change.id)},
            {"state", keyOf(change.state)}, {"severity", keyOf(change.severity)},
            {"a_title", jsonOf(change.title.a)}, {"b_title", jsonOf(change.title.b)},
            {"a_saving_ns", saving(Side::A)}, {"b_saving_ns", saving(Side::B)}});
    }
    return json;
}

Json caveatsJson(const Comparison& comparison)
{
    Json list = Json::array();
    for (const CompareCaveat caveat : comparison.caveats)
        list.push_back(keyOf(caveat));
    return list;
}

Json plainChangeJson(const Comparison& comparison)
{
    if (!comparison.plain)
        return nullptr;
    const ExpectedShare& change = comparison.plain->change;
    return {{"low", 100 * change.low}, {"expected", 100 * change.expected}, {"high", 100 * change.high}};
}

void addTables(Json& json, const CompareText& text)
{
    static constexpr std::string_view ids[]{"kernels", "operators", "nvtx", "nvtx_gpu", "api", "copies",
        "copied", "collectives", "memory", "steps"};
    for (const std::string_view id : ids) {
        const std::string_view section = id == "nvtx_gpu" ? "nvtx" : id == "copied" ? "copies" : id;
        const CompareTable* const table = text.comparison.table(id);
        const bool has = text.has(section) && std::ranges::count(text.comparison.notCompared, section) == 0;
        json[std::string(id)] = !has ? Json() : table ? tableJson(*table) : Json::array();
    }
}

} // namespace

Json compareJson(const CompareText& text)
{
    const Comparison& comparison = text.comparison;
    Json json{{"comparable", comparison.comparable}, {"reasons", jsonOf(comparison.reasons)},
        {"hints", jsonOf(comparison.hints)}, {"verdict", keyOf(comparison.verdict)},
        {"decided_by", jsonTextOrNull(keyOf(comparison.decidedBy))}, {"caveats", caveatsJson(comparison)},
        {"sentence", jsonOf(comparison.sentence)}, {"story", jsonOf(comparison.story)},
        {"unit", comparison.unitKey()},
        {"step",
            {{"a_ns", comparison.sides.a.median}, {"b_ns", comparison.sides.b.median},
                {"delta_ns", comparison.delta},
                {"noise_ns", comparison.noise >= 0 ? Json(comparison.noise) : Json()}}},
        {"mean_step",
            {{"a_ns", jsonNs(comparison.sides.a.mean)}, {"b_ns", jsonNs(comparison.sides.b.mean)},
                {"delta_ns", comparison.wholeMeanDelta()},
                {"noise_ns", comparison.meanNoise >= 0 ? Json(comparison.meanNoise) : Json()}}},
        {"total", {{"a_ns", comparison.sides.a.total}, {"b_ns", comparison.sides.b.total}}},
        {"assumed_noise_ns", comparison.assumedNoise},
        {"change_percent",
            comparison.comparable && !comparison.lacksSteps && comparison.unitKey() != "range"
                ? Json(100 * comparison.change())
                : Json()},
        {"median_change_percent", 100 * comparison.relative()},
        {"mean_change_percent", 100 * comparison.meanRelative()},
        {"without_profiler_change_percent", plainChangeJson(comparison)},
        {"regression", text.regression ? Json(*text.regression) : Json()},
        {"sides", {{"a", sideJson(comparison.sides.a)}, {"b", sideJson(comparison.sides.b)}}},
        {"facts", factsJson(comparison)}, {"matched", matchedJson(comparison.matched)}};
    json["budget"] = text.has("budget") ? budgetJson(comparison) : Json();
    addTables(json, text);
    json["findings"] = text.has("findings") ? findingsJson(comparison) : Json();
    json["stats"] = Json::object();
    for (const ComparedStats& stats : text.stats)
        json["stats"][stats.id] = Json::parse(toJson(stats.cells), nullptr, false);
    return json;
}

std::string compareDocument(const CompareText& text)
{
    return documentOf("compare", compareJson(text));
}

} // namespace warpline
