#include "core/handover/view_file.h"

#include "core/base/file_wait.h"
#include "core/base/json_fields.h"
#include "core/base/platform/platform.h"
#include "core/load/load_report.h"
#include "core/load/recording.h"
#include "core/load/report_files.h"
#include "core/store/trace.h"
#include "core/workspace/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

namespace warpline {

namespace {

using Json = nlohmann::ordered_json;

constexpr int viewVersion = 1;
constexpr Ns maxTime = 1'000'000'000'000'000'000; // sums must stay numbers: thirty years either way
constexpr std::size_t maxBytes = 16U << 20U;

Json rangeJson(TimeRange range)
{
    return Json::array({range.start, range.end});
}

Ns clamped(Ns time)
{
    return std::clamp(time, -maxTime, maxTime);
}

/// A range of two numbers, the first not behind the second; nothing else.
std::optional<TimeRange> rangeOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array() || found->size() != 2 || !(*found)[0].is_number_integer()
        || !(*found)[1].is_number_integer())
        return std::nullopt;
    const TimeRange range{clamped((*found)[0].get<Ns>()), clamped((*found)[1].get<Ns>())};
    return range.end < range.start ? std::nullopt : std::optional(range);
}

std::vector<std::string> textsOf(const Json& json)
{
    std::vector<std::string> texts;
    for (const Json& each : json.is_array() ? json : Json::array()) {
        if (each.is_string())
            texts.push_back(each.get<std::string>());
    }
    return texts;
}

std::vector<std::string> textsOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found == json.end() ? std::vector<std::string>() : textsOf(*found);
}

/// The object under `key`, or an empty one.
Json objectOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_object() ? *found : Json::object();
}

Json listOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_array() ? *found : Json::array();
}

std::optional<EventKind> kindNamed(const std::string& key)
{
    for (const EventKind kind : allEventKinds()) {
        if (keyOf(kind) == key)
            return kind;
    }
    return std::nullopt;
}

Json reportsJson(const std::vector<ReportMeasure>& reports)
{
    Json list = Json::array();
    for (const ReportMeasure& report : reports) {
        Json entry{{"bytes", report.bytes}, {"session_ns", rangeJson(report.session)}};
        if (report.offset)
            entry["offset_ns"] = *report.offset;
        list.push_back(std::move(entry));
    }
    return list;
}

std::vector<ReportMeasure> reportsOf(const Json& json)
{
    std::vector<ReportMeasure> reports;
    for (const Json& entry : listOf(json, "reports")) {
        if (!entry.is_object())
            continue;
        ReportMeasure report;
        report.bytes = fieldOf<std::uint64_t>(entry, "bytes").value_or(0);
        report.session = rangeOf(entry, "session_ns").value_or(TimeRange());
        if (const auto offset = fieldOf<Ns>(entry, "offset_ns"))
            report.offset = clamped(*offset);
        reports.push_back(report);
    }
    return reports;
}

Json rowsJson(const RowsOfView& rows)
{
    Json json = Json::object();
    for (const auto& [key, list] : {std::pair("open", &rows.open), {"closed", &rows.closed},
             {"hidden", &rows.hidden}, {"pinned", &rows.pinned}}) {
        if (!list->empty())
            json[key] = *list;
    }
    if (!rows.scale.empty())
        json["scale"] = rows.scale;
    if (!rows.depths.empty())
        json["depths"] = rows.depths;
    if (!rows.order.empty())
        json["order"] = rows.order;
    return json;
}

RowsOfView rowsOf(const Json& json)
{
    RowsOfView rows;
    rows.open = textsOf(json, "open");
    rows.closed = textsOf(json, "closed");
    rows.hidden = textsOf(json, "hidden");
    rows.pinned = textsOf(json, "pinned");
    const Json scale = objectOf(json, "scale"); // items() does not keep it
    for (const auto& [key, value] : scale.items()) {
        if (value.is_number() && std::isfinite(value.get<double>()))
            rows.scale[key] = value.get<double>();
    }
    const Json depths = objectOf(json, "depths");
    for (const auto& [key, value] : depths.items()) {
        if (value.is_number_integer())
            rows.depths[key]
                = static_cast<int>(std::clamp<std::int64_t>(value.get<std::int64_t>(), 1, 10'000));
    }
    const Json order = objectOf(json, "order");
    for (const auto& [key, value] : order.items())
        rows.order[key] = textsOf(value);
    return rows;
}

Json rowFilterJson(const RowFilterOfView& filter)
{
    Json json = Json::object();
    if (!filter.text.empty())
        json["text"] = filter.text;
    if (!filter.set.empty())
        json["set"] = filter.set;
    if (filter.onlyInView)
        json["only_in_view"] = true;
    if (filter.showsIdleGpus)
        json["idle_gpus"] = true;
    if (!filter.mine.empty())
        json["mine"] = filter.mine;
    return json;
}

RowFilterOfView rowFilterOf(const Json& json)
{
    return {fieldOf<std::string>(json, "text").value_or(""), fieldOf<std::string>(json, "set").value_or(""),
        fieldOf<bool>(json, "only_in_view").value_or(false), fieldOf<bool>(json, "idle_gpus").value_or(false),
        textsOf(json, "mine")};
}

Json answersJson(const std::vector<AnswerOfView>& answers)
{
    Json list = Json::array();
    for (const AnswerOfView& answer : answers) {
        Json entry{{"title", answer.title}, {"sql", answer.sql}};
        if (!answer.search.empty())
            entry["search"] = answer.search;
        if (answer.report != 0)
            entry["report"] = answer.report;
        if (answer.scale != 1)
            entry["scale"] = answer.scale;
        list.push_back(std::move(entry));
    }
    return list;
}

std::vector<AnswerOfView> answersOf(const Json& json)
{
    constexpr std::size_t most = 50; // each query runs when the view opens
    std::vector<AnswerOfView> answers;
    for (const Json& entry : listOf(json, "answers")) {
        const auto sql = entry.is_object() ? fieldOf<std::string>(entry, "sql") : std::nullopt;
        if (!sql || answers.size() == most)
            continue;
        const auto scale = entry.find("scale");
        const bool isScaled
            = scale != entry.end() && scale->is_number() && std::isfinite(scale->get<double>());
        answers.push_back({fieldOf<std::string>(entry, "title").value_or(*sql), *sql,
            fieldOf<std::string>(entry, "search").value_or(""),
            fieldOf<std::size_t>(entry, "report").value_or(0), isScaled ? scale->get<double>() : 1.0});
    }
    return answers;
}

Json drawingJson(const DrawingOfView& drawing)
{
    return Json{{"color_by", drawing.colorBy}, {"own_nvtx_colors", drawing.ownNvtxColors},
        {"counters", drawing.counterBase}, {"counters_of_view", drawing.countersOfView},
        {"counters_shared", drawing.countersShared}};
}

std::optional<DrawingOfView> drawingOf(const Json& json)
{
    const auto found = json.find("drawing");
    if (found == json.end() || !found->is_object())
        return std::nullopt;
    return DrawingOfView{fieldOf<std::string>(*found, "color_by").value_or(""),
        fieldOf<bool>(*found, "own_nvtx_colors").value_or(true),
        fieldOf<std::string>(*found, "counters").value_or(""),
        fieldOf<bool>(*found, "counters_of_view").value_or(false),
        fieldOf<bool>(*found, "counters_shared").value_or(false)};
}

Json filterJson(const FilterOfView& filter)
{
    const FilterOfView none;
    Json json = Json::object();
    if (!filter.text.empty())
        json["text"] = filter.text;
    if (filter.minDuration != none.minDuration)
        json["min_ns"] = filter.minDuration;
    if (filter.maxDuration != none.maxDuration)
        json["max_ns"] = filter.maxDuration;
    if (filter.name)
        json["name"] = *filter.name;
    if (filter.kind)
        json["kind"] = keyOf(*filter.kind);
    for (const TrackRef& track : filter.tracks)
        json["tracks"].push_back(Json{{"kind", keyOf(track.kind)}, {"track", track.track}});
    if (filter.process != 0)
        json["process"] = filter.process;
    return json;
}

FilterOfView filterOf(const Json& json)
{
    FilterOfView filter;
    filter.text = fieldOf<std::string>(json, "text").value_or("");
    filter.minDuration = fieldOf<Ns>(json, "min_ns").value_or(filter.minDuration);
    filter.maxDuration = fieldOf<Ns>(json, "max_ns").value_or(filter.maxDuration);
    filter.name = fieldOf<std::string>(json, "name");
    filter.kind = kindNamed(fieldOf<std::string>(json, "kind").value_or(""));
    std::set<TrackRef> known; // twice in the list would count its events twice
    for (const Json& entry : listOf(json, "tracks")) {
        const auto kind = kindNamed(fieldOf<std::string>(entry, "kind").value_or(""));
        const auto track = fieldOf<std::uint32_t>(entry, "track");
        if (kind && track && known.insert({*kind, *track}).second)
            filter.tracks.push_back({*kind, *track});
    }
    filter.process = fieldOf<std::uint64_t>(json, "process").value_or(0);
    return filter;
}

Json marksJson(const std::vector<Mark>& marks)
{
    Json list = Json::array();
    for (const Mark& mark : marks)
        list.push_back(Json{{"range_ns", rangeJson(mark.range)}, {"text", mark.text}, {"color", mark.color}});
    return list;
}

std::vector<Mark> marksOf(const Json& json)
{
    std::vector<Mark> marks;
    for (const Json& entry : listOf(json, "marks")) {
        const auto range = entry.is_object() ? rangeOf(entry, "range_ns") : std::nullopt;
        if (!range)
            continue;
        const std::string color = fieldOf<std::string>(entry, "color").value_or("");
        marks.push_back(
            {*range, fieldOf<std::string>(entry, "text").value_or(""), std::string(markColorOf(color).id)});
    }
    sortMarks(marks);
    return marks;
}

Error tooLarge(const std::string& path)
{
    return {"view_file.too_large", "{path} is too large for a view file.", {{"path", Name{path}}}};
}

bool isTooMuch(const SavedView& view)
{
    return view.notes.size() > mostNoteBytes || view.marks.size() > mostMarks;
}

/// The file's name without its endings, all of those that reports have: "trace" of "trace.pt.trace.json.gz".
std::string stemOf(std::string name)
{
    constexpr std::array<std::string_view, 8> endings{
        ".gz", ".json", ".trace", ".pt", ".sqlite", ".nsys-rep", ".qdrep", viewEnding};
    for (const std::string_view ending : endings) {
        if (name.size() > ending.size() && name.ends_with(ending))
            name.resize(name.size() - ending.size());
    }
    return name;
}

/// A file next to a view that may be its report.
struct FileOfReport {
    std::string path;
    std::string read; ///< of a recording: its export
    std::uint64_t bytes = 0; ///< of what is read; 0: it cannot be
    bool isNamedAlike = false; ///< as the first report of the view
    std::optional<TimeRange> session{}; ///< nothing: not yet read

    bool isRecording() const { return read != path; }
    bool has(TimeRange wanted, const std::stop_token& stop)
    {
        if (stop.stop_requested())
            return false;
        if (!session) {
            LoadOptions options;
            options.stop = stop;
            const auto trace = loadReport(read, options);
            session = trace.ok() ? trace.value()->session : TimeRange();
        }
        return *session == wanted;
    }
};

FileOfReport fileOfReport(const std::string& path, std::size_t reports, const std::string& view)
{
    const std::string read = isRecording(path) ? exportPathFor(path) : path;
    const FileWait wait(read);
    std::error_code error;
    const auto bytes = std::filesystem::file_size(platform::pathOf(read), error);
    return {path, read, error ? 0 : std::uint64_t{bytes}, viewPathFor(std::vector(reports, path)) == view};
}

/// Removes recordings next to their export: these would be two files of equal size.
void dropExported(std::vector<FileOfReport>& files)
{
    std::set<std::pair<std::filesystem::path, std::uint64_t>> exports;
    for (const FileOfReport& file : files) {
        if (!file.isRecording())
            exports.emplace(platform::pathOf(file.path), file.bytes);
    }
    std::erase_if(files, [&](const FileOfReport& file) {
        return file.isRecording()
            && exports.contains({platform::pathOf(file.path).replace_extension(".sqlite"), file.bytes});
    });
}

/// The one of `files` that is `report`. Ranks of one run have equal sizes, also where one of them was
/// exported again: small ones are read for their times.
std::vector<FileOfReport>::iterator fileOf(
    const ReportMeasure& report, std::vector<FileOfReport>& files, const std::stop_token& stop)
{
    constexpr std::uint64_t mostRead = 64U << 20U;
    const auto isAsLarge
        = [&](const FileOfReport& file) { return file.bytes != 0 && file.bytes == report.bytes; };
    const auto first = std::ranges::find_if(files, isAsLarge);
    if (first == files.end() || report.bytes > mostRead
        || (first->isNamedAlike && std::ranges::count_if(files, isAsLarge) < 2))
        return first;
    return std::ranges::find_if(
        files, [&](FileOfReport& file) { return isAsLarge(file) && file.has(report.session, stop); });
}

} // namespace

std::string viewPathFor(const std::vector<std::string>& paths)
{
    if (paths.empty())
        return {};
    const auto first = platform::pathOf(paths.front());
    std::string name = stemOf(platform::utf8Of(first.filename()));
    if (paths.size() > 1)
        name += fmt::format("+{}", paths.size() - 1);
    name += viewEnding;
    return platform::utf8Of(first.parent_path() / platform::pathOf(name));
}

std::string viewJson(const SavedView& view)
{
    Json json{{"warpline_view", viewVersion}, {"reports", reportsJson(view.reports)},
        {"shown_ns", rangeJson(view.shown)}};
    if (!view.selected.empty())
        json["selected_ns"] = rangeJson(view.selected);
    if (!view.selectedRows.empty())
        json["selected_rows"] = view.selectedRows;
    if (Json rows = rowsJson(view.rows); !rows.empty())
        json["rows"] = std::move(rows);
    if (Json filter = rowFilterJson(view.rowFilter); !filter.empty())
        json["row_filter"] = std::move(filter);
    if (!view.answers.empty())
        json["answers"] = answersJson(view.answers);
    if (view.drawing)
        json["drawing"] = drawingJson(*view.drawing);
    if (Json filter = filterJson(view.filter); !filter.empty())
        json["filter"] = std::move(filter);
    if (!view.search.empty())
        json["search"] = view.search;
    if (!view.steps.empty())
        json["steps"] = view.steps;
    if (!view.thresholds.empty())
        json["thresholds"] = view.thresholds;
    if (!view.marks.empty())
        json["marks"] = marksJson(view.marks);
    if (!view.notes.empty())
        json["notes"] = view.notes;
    constexpr int indent = 2;
    return json.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

Result<std::string> viewFileJson(const SavedView& view, const std::string& name)
{
    std::string json = viewJson(view);
    if (json.size() > maxBytes || isTooMuch(view))
        return tooLarge(name);
    return json;
}

Result<SavedView> parseView(std::string_view json, const std::string& name)
{
    const Json document = parseJson(json);
    if (document.is_discarded())
        return Error{"file.no_json", "{path} is not valid JSON.", {{"path", Name{name}}}};
    const auto version = fieldOf<std::int64_t>(document, "warpline_view");
    if (!version || *version < 1)
        return Error{"view_file.no_view", "{path} is not a Warpline view.", {{"path", Name{name}}}};
    if (*version > viewVersion)
        return Error{"file.newer", "{path} was written by a newer Warpline.", {{"path", Name{name}}}};
    SavedView view;
    view.reports = reportsOf(document);
    view.shown = rangeOf(document, "shown_ns").value_or(TimeRange());
    view.selected = rangeOf(document, "selected_ns").value_or(TimeRange());
    view.selectedRows = textsOf(document, "selected_rows");
    view.rows = rowsOf(objectOf(document, "rows"));
    view.rowFilter = rowFilterOf(objectOf(document, "row_filter"));
    view.answers = answersOf(document);
    view.drawing = drawingOf(document);
    view.filter = filterOf(objectOf(document, "filter"));
    view.search = fieldOf<std::string>(document, "search").value_or("");
    view.steps = fieldOf<std::string>(document, "steps").value_or("");
    const Json thresholds = objectOf(document, "thresholds");
    for (const auto& [key, value] : thresholds.items()) {
        if (value.is_number() && std::isfinite(value.get<double>()))
            view.thresholds[key] = value.get<double>();
    }
    view.marks = marksOf(document);
    view.notes = fieldOf<std::string>(document, "notes").value_or("");
    if (isTooMuch(view))
        return tooLarge(name);
    return view;
}

Result<std::string> readViewFile(const std::string& path)
{
    const FileWait wait(path);
    std::error_code error; // a pipe beside a report would be waited for
    std::ifstream file;
    if (std::filesystem::is_regular_file(platform::pathOf(path), error))
        file.open(platform::pathOf(path), std::ios::binary);
    if (!file.is_open())
        return Error{"file.not_there", "{path} does not exist or cannot be read.", {{"path", Name{path}}}};
    std::string text;
    constexpr std::size_t piece = 1U << 16U;
    while (file && text.size() <= maxBytes) {
        const std::size_t before = text.size();
        text.resize(before + piece);
        file.read(text.data() + before, static_cast<std::streamsize>(piece));
        text.resize(before + static_cast<std::size_t>(file.gcount()));
    }
    if (text.size() > maxBytes)
        return tooLarge(path);
    return text;
}

std::vector<std::string> reportsOfView(
    const std::string& path, const SavedView& view, const std::stop_token& stop)
{
    std::error_code error;
    const auto whole = std::filesystem::absolute(platform::pathOf(path), error).lexically_normal();
    const std::size_t count = std::max<std::size_t>(view.reports.size(), 1); // 0: it could not be read
    std::vector<FileOfReport> files;
    for (const std::string& each : filesNamedAsReports(platform::utf8Of(whole.parent_path())))
        files.push_back(fileOfReport(each, count, platform::utf8Of(whole)));
    dropExported(files);
    std::ranges::stable_sort(files, {}, [](const FileOfReport& file) {
        return std::pair(!file.isNamedAlike, file.isRecording()); // an export has the same events
    });
    std::vector<std::string> found;
    for (const ReportMeasure& report : view.reports) {
        const auto same = fileOf(report, files, stop);
        if (same == files.end())
            break;
        found.push_back(std::move(same->path));
        files.erase(same);
    }
    if (found.size() == count)
        return found;
    return count == 1 && !files.empty() && files.front().isNamedAlike ? std::vector{files.front().path}
                                                                      : std::vector<std::string>();
}

bool isViewOf(const SavedView& view, const Workspace& workspace)
{
    return std::ranges::equal(view.reports, workspace.reports(), {}, &ReportMeasure::session,
        [](const OpenReport& report) { return report.trace->session; });
}

} // namespace warpline
