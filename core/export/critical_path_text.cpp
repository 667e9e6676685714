#include "core/export/critical_path_text.h"

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/export/analysis_head.h"
#include "core/export/budget_text.h"
#include "core/export/cells_text.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace warpline {

namespace {

Ns totalOf(const PathSums& sums)
{
    Ns total = 0;
    for (const auto& [id, time] : sums)
        total += time;
    return total;
}

std::vector<std::pair<std::string, Ns>> longestFirst(const PathSums& sums)
{
    std::vector<std::pair<std::string, Ns>> sorted(sums.begin(), sums.end());
    std::ranges::stable_sort(sorted, std::greater{}, [](const auto& each) { return each.second; });
    return sorted;
}

std::set<std::string> usedIds(const std::vector<StepPaths>& all)
{
    std::set<std::string> ids;
    for (const StepPaths& paths : all) {
        for (const PathSums& sums : paths.each) {
            for (const auto& [id, time] : sums)
                ids.insert(id);
        }
    }
    return ids;
}

Json sumsJson(const PathSums& sums)
{
    Json json = Json::object();
    for (const auto& [id, time] : sums)
        json[id] = time;
    return json;
}

/// One line a part of the mean path, longest first: time a step, share.
Cells pathCells(const StepPaths& paths, const KernelClassRules& rules)
{
    Cells cells;
    cells.columns = {{"Critical Path", Unit::Text}, {"Time per Step (ns)", Unit::Nanoseconds},
        {"Share (%)", Unit::Percent}};
    const Ns whole = totalOf(paths.mean);
    for (const auto& [id, time] : longestFirst(paths.mean))
        cells.addRow({plain(pathTitle(id, rules)), time, 100 * shareOf(time, whole)});
    return cells;
}

} // namespace

std::vector<StepPaths> stepPaths(const Trace& trace, const std::vector<StepBudgets>& all,
    const KernelClassRules& rules, const std::stop_token& stop)
{
    std::map<GlobalId, std::unique_ptr<CriticalPaths>> ofProcess;
    std::vector<StepPaths> found;
    for (const StepBudgets& steps : all) {
        std::unique_ptr<CriticalPaths>& paths = ofProcess[steps.found.process];
        if (!paths)
            paths = std::make_unique<CriticalPaths>(trace, steps.found.process, rules, stop);
        StepPaths& made = found.emplace_back();
        made.steps = &steps;
        made.mean = meanPath(*paths, steps.found, stop);
        for (const StepBudget& step : stoppableItems(steps.steps, stop))
            made.each.push_back(sumsOf(paths->through(step.gpu, steps.found.device)));
    }
    return found;
}

std::string pathsText(
    const Trace& trace, const std::vector<StepPaths>& all, const KernelClassRules& rules, std::size_t width)
{
    std::string text;
    for (const StepPaths& paths : all) {
        const GpuSteps& found = paths.steps->found;
        const auto parts = longestFirst(paths.mean);
        Message head("steps.path_head",
            "{whose}: steps '{pattern}', {steady} steady and whole on the GPU, {time} each{any, select, yes {. Largest part: {part} ({share}). Removing a part saves at most its time here.} other {}}",
            {{"whose", whoseSteps(trace, found)}, {"pattern", Name{found.host.pattern}},
                {"steady", Ordinal{static_cast<std::int64_t>(paths.steps->steady)}},
                {"time", Name{formatDuration(totalOf(paths.mean))}},
                {"any", Name{parts.empty() ? "no" : "yes"}},
                {"part", parts.empty() ? Message() : pathTitle(parts.front().first, rules)},
                {"share",
                    Name{parts.empty() ? ""
                                       : formatShare(shareOf(parts.front().second, totalOf(paths.mean)))}}});
        text += (text.empty() ? "" : "\n") + plain(head) + "\n\n"
            + toTable(forReaders(pathCells(paths, rules)), 0, width);
    }
    return text;
}

Cells pathStepCells(const Trace& trace, const std::vector<StepPaths>& all)
{
    const std::set<std::string> ids = usedIds(all);
    Cells cells;
    cells.columns = {{"Step", Unit::Text}, {"PID", Unit::Integer}, {"TID", Unit::Integer},
        {"GPU", Unit::Integer}, {"GPU Time (ns)", Unit::Nanoseconds}};
    for (const std::string& id : ids)
        cells.columns.push_back({id + " (ns)", Unit::Nanoseconds});
    for (const StepPaths& paths : all) {
        const GpuSteps& found = paths.steps->found;
        for (std::size_t i = 0; i < paths.each.size(); ++i) {
            const StepBudget& step = paths.steps->steps[i];
            std::vector<Cell> row{toUtf8(step.name), std::int64_t{pidOf(found.process)},
                std::int64_t{tidOf(found.host.thread)},
                std::int64_t{gpuNumber(trace, found.process, found.device)}, step.gpu.duration()};
            for (const std::string& id : ids) {
                const auto part = paths.each[i].find(id);
                row.push_back(part != paths.each[i].end() ? part->second : Ns{0});
            }
            cells.addRow(std::move(row), std::span(&step.event, 1));
        }
    }
    return cells;
}

Json pathsJson(const Trace& trace, const std::vector<StepPaths>& all, const KernelClassRules& rules)
{
    Json json;
    json["file"] = jsonText(trace.info.path);
    json["gpus"] = Json::array();
    for (const StepPaths& paths : all) {
        const GpuSteps& found = paths.steps->found;
        Json list = Json::array();
        for (std::size_t i = 0; i < paths.each.size(); ++i) {
            const StepBudget& step = paths.steps->steps[i];
            list.push_back({{"name", jsonText(step.name)},
                {"gpu_range_ns", step.gpu.empty() ? Json() : jsonRange(step.gpu)}, {"whole", step.whole},
                {"warm_up", step.warmUp}, {"critical_path", sumsJson(paths.each[i])}});
        }
        json["gpus"].push_back({{"pattern", toUtf8(found.host.pattern)}, {"found_by", keyOf(found.foundBy)},
            {"pid", pidOf(found.process)}, {"tid", tidOf(found.host.thread)},
            {"device", gpuNumber(trace, found.process, found.device)}, {"steady", paths.steps->steady},
            {"mean_ns", totalOf(paths.mean)}, {"critical_path", sumsJson(paths.mean)},
            {"steps", std::move(list)}});
    }
    json["parts"] = Json::object();
    for (const std::string& id : usedIds(all))
        json["parts"][id] = {{"title", plain(pathTitle(id, rules))}};
    return json;
}

} // namespace warpline
