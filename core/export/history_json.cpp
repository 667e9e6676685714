#include "core/base/format_instant.h"
#include "core/export/history_text.h"
#include "core/render/render.h"

#include <nlohmann/json.hpp>

namespace warpline {

namespace {

Json recordingJson(const History& history, std::size_t i, std::size_t level)
{
    const Recording& recording = history.recordings[i];
    Json parts = Json::array();
    for (const RecordedPart& part : recording.parts)
        parts.push_back({{"part", jsonText(part.id)}, {"title", jsonOf(part.title())},
            {"group", keyOf(part.group)}, {"ns", part.time}});
    Json json;
    json["file"] = jsonText(recording.file);
    json["started_utc"] = jsonTextOrNull(formatUtc(recording.started));
    json["started_ns"] = recording.started > 0 ? Json(recording.started) : Json();
    json["time_from"] = keyOf(recording.startedBy);
    json["steps"] = recording.steps;
    json["median_ns"] = recording.median;
    json["mean_ns"] = recording.mean;
    json["level"] = level;
    json["outlier"] = static_cast<bool>(history.outliers[i]);
    json["budget"] = std::move(parts);
    return json;
}

Json recordingsJson(const History& history)
{
    Json recordings = Json::array();
    for (std::size_t level = 0; level < history.levels.size(); ++level) {
        for (std::size_t i = history.levels[level].first; i < history.levels[level].end; ++i)
            recordings.push_back(recordingJson(history, i, level));
    }
    return recordings;
}

Json levelsJson(const History& history)
{
    Json levels = Json::array();
    for (const HistoryLevel& level : history.levels)
        levels.push_back({{"first_file", jsonText(history.recordings[level.first].file)},
            {"recordings", level.end - level.first}, {"median_ns", level.median}, {"mean_ns", level.mean}});
    return levels;
}

Json changeJson(const History& history, const HistoryChange& change)
{
    const Recording& first = history.recordings[change.at];
    Json budget = Json::array();
    for (const BudgetLine& line : change.budget)
        budget.push_back(
            {{"part", jsonText(line.part)}, {"title", jsonOf(line.title)}, {"before_ns", line.time.a},
                {"after_ns", line.time.b}, {"delta_ns", line.delta()}, {"noise_ns", line.noise}});
    Json json;
    json["first_file"] = jsonText(first.file);
    json["started_utc"] = jsonTextOrNull(formatUtc(first.started));
    json["verdict"] = keyOf(change.verdict());
    json["decided_by"] = keyOf(change.figure);
    json["before_ns"] = change.time.a;
    json["after_ns"] = change.time.b;
    json["delta_ns"] = change.delta();
    json["change_percent"] = 100 * change.share();
    json["noise_ns"] = change.noise;
    json["budget"] = std::move(budget);
    json["compared"] = {{"a", jsonText(history.recordings[change.compared.a].file)},
        {"b", jsonText(history.recordings[change.compared.b].file)},
        {"sentence", change.story ? jsonOf(change.story->sentence) : Json()},
        {"error", jsonTextOrNull(plain(change.storyError))}};
    json["story"] = change.story ? jsonOf(change.story->story) : Json();
    json["ask_on"] = jsonText(compareCommand(history, change));
    return json;
}

Json newestJson(const NewestRecording& newest)
{
    const bool known = newest.verdict != CompareVerdict::Unknown;
    Json json;
    json["verdict"] = keyOf(newest.verdict);
    json["decided_by"] = known ? Json(keyOf(newest.figure)) : Json();
    json["level_ns"] = known ? Json(newest.time.a) : Json();
    json["recording_ns"] = known ? Json(newest.time.b) : Json();
    json["change_percent"] = known ? Json(100 * newest.share()) : Json();
    json["noise_ns"] = known ? Json(newest.noise) : Json();
    return json;
}

} // namespace

Json historyJson(const HistoryText& text)
{
    const History& history = text.history;
    const Recording* const last = history.recordings.empty() ? nullptr : &history.recordings.back();
    Json changes = Json::array();
    for (const HistoryChange& change : history.changes)
        changes.push_back(changeJson(history, change));
    Json json;
    json["sentence"] = jsonOf(history.sentence);
    json["program"] = last ? jsonTextOrNull(last->program) : Json();
    json["gpus"] = last ? jsonText(last->gpus) : Json();
    json["unit"] = keyOf(last && !last->pattern.empty() ? CompareUnit::Step : CompareUnit::Whole);
    json["pattern"] = last ? jsonTextOrNull(last->pattern) : Json();
    json["regression"] = text.regression ? Json(*text.regression) : Json();
    json["newest"] = newestJson(history.newest);
    json["changes"] = std::move(changes);
    json["levels"] = levelsJson(history);
    json["recordings"] = recordingsJson(history);
    return json;
}

} // namespace warpline
