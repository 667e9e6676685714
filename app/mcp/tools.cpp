// The tools of warpline-cli mcp: one entry each.

#include "app/cli_words.h"
#include "app/mcp/desk.h"
#include "app/mcp/picture.h"
#include "app/mcp/small_answer.h"
#include "app/mcp/tool.h"
#include "core/base/platform/platform.h"
#include "core/export/envelope.h"
#include "core/load/report_files.h"
#include "core/render/render.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace warpline::cli {

namespace {

using Arguments = std::vector<std::string>;

const ToolParameter reportParameter{
    "report", ParameterKind::Report, "The report: a name that open_reports gave, such as r1", true};
const ToolParameter rangeParameter{"range", ParameterKind::Text,
    "Only this part: FROM:TO in ns, or numbers with ns, us, ms or s (1.2s:1.3s). Without it: all"};
const ToolParameter stepsParameter{
    "steps", ParameterKind::Text, "Name of the NVTX ranges that are steps, with * and ?; default: detected"};
const ToolParameter itemsParameter{"items", ParameterKind::Whole,
    "Entries per list, 10 by default; 'more' shows further ones", false, {}, 1, 500};
const ToolParameter whereParameter{"where", ParameterKind::Text,
    "A filter, such as 'kind=kernel dur>100us name~gemm'. Kinds: kernel, memcpy, memset, cuda_api, nvtx, osrt"};

/// Adds `option` with the text of `name`, where it was given.
void pass(Arguments& line, const ToolArguments& asked, const char* name, const std::string& option)
{
    if (asked.has(name))
        line.push_back(option + "=" + asked.text(name));
}

Arguments analyzeLine(const ToolArguments& asked)
{
    Arguments line;
    pass(line, asked, "range", "--range");
    pass(line, asked, "steps", "--steps");
    pass(line, asked, "rules", "--rule");
    line.push_back(asked.text("report"));
    return line;
}

Arguments stepsLine(const ToolArguments& asked)
{
    Arguments line;
    pass(line, asked, "steps", "--nvtx");
    if (asked.flag("critical_path"))
        line.emplace_back("--critical-path");
    line.push_back(asked.text("report"));
    return line;
}

Arguments rangeLine(const ToolArguments& asked)
{
    return {"--range=" + asked.text("range"), asked.text("report")};
}

Arguments eventsLine(const ToolArguments& asked)
{
    constexpr std::int64_t usually = 200;
    Arguments line{fmt::format("--top={}", asked.whole("top", usually))};
    pass(line, asked, "where", "--where");
    pass(line, asked, "range", "--range");
    pass(line, asked, "sort", "--sort");
    if (asked.flag("paths"))
        line.emplace_back("--paths");
    line.push_back(asked.text("report"));
    return line;
}

Arguments tableLine(const ToolArguments& asked)
{
    Arguments line{"--report=" + asked.text("table")};
    pass(line, asked, "range", "--range");
    line.push_back(asked.text("report"));
    return line;
}

Arguments nameLine(const ToolArguments& asked)
{
    Arguments line;
    for (const char* const option : {"kind", "where", "range", "by"})
        pass(line, asked, option, fmt::format("--{}", option));
    line.insert(line.end(), {asked.text("report"), "--", asked.text("name")});
    return line;
}

/// Adds the reports of a side of a comparison: recordings of one program, or the ranks of one run.
void addSide(Arguments& line, const ToolArguments& asked, const char* side)
{
    const Arguments reports = asked.texts(side);
    line.push_back(fmt::format("--{}", side));
    if (asked.flag("ranks"))
        line.push_back(fmt::format("{}", fmt::join(reports, ",")));
    else
        line.insert(line.end(), reports.begin(), reports.end());
}

Arguments compareLine(const ToolArguments& asked)
{
    Arguments line;
    pass(line, asked, "steps", "--nvtx");
    pass(line, asked, "parts", "--report");
    addSide(line, asked, "a");
    addSide(line, asked, "b");
    return line;
}

Arguments sqlLine(const ToolArguments& asked)
{
    constexpr std::int64_t usualRows = 200;
    constexpr std::int64_t usualSeconds = 10;
    const std::string sql = asked.text("sql");
    return {fmt::format("--rows={}", asked.whole("rows", usualRows)),
        fmt::format("--seconds={}", asked.whole("seconds", usualSeconds)), asked.text("report"), "--",
        sql == "-" ? "- " : sql}; // "-" is standard input, which is the protocol
}

Message chooseFinding(Json& report, const ToolArguments& asked)
{
    const std::string id = asked.text("finding");
    Json chosen = Json::array();
    std::string known;
    for (Json& finding : report["findings"]) {
        if (finding["id"] == id || finding["rule"] == id)
            chosen.push_back(std::move(finding));
        else
            known += (known.empty() ? "" : ", ") + finding["id"].get<std::string>();
    }
    if (chosen.empty())
        return {"mcp.no_finding", "There is no finding '{id}'. There are: {known}.",
            {{"id", Name{id}}, {"known", Name{known.empty() ? "none" : known}}}};
    report["findings"] = std::move(chosen);
    return {};
}

ToolAnswer openReports(Desk& desk, const ToolArguments& asked)
{
    constexpr std::size_t maxRead = 4; // checking more for readability would take long
    constexpr std::size_t maxOpen = 10'000;
    constexpr std::size_t items = 50;
    Json document{{"reports", Json::array()}, {"problems", Json::array()}};
    const Arguments places = asked.texts("paths");
    const ReportFiles found = findReportFiles(places);
    if (found.paths.size() > maxOpen)
        return failedAnswer({"mcp.too_many", "These are {files} files; open at most {most} at once.",
            {{"files", Ordinal{static_cast<std::int64_t>(found.paths.size())}}, {"most", Ordinal{maxOpen}}}});
    for (const Message& problem : found.problems)
        document["problems"].push_back(plain(problem));
    for (const std::string& path : found.paths) {
        std::error_code error;
        const auto whole = std::filesystem::absolute(platform::pathOf(path), error);
        const std::string file = error ? path : platform::utf8Of(whole);
        if (!std::filesystem::is_regular_file(whole, error)) {
            document["problems"].push_back(
                plain({"mcp.no_file", "{path} is not a file.", {{"path", Name{path}}}}));
            continue;
        }
        if (found.paths.size() <= maxRead) {
            if (const Message problem = desk.read(file); !problem.empty()) {
                document["problems"].push_back(plain(problem));
                continue;
            }
        }
        document["reports"].push_back({{"report", desk.open(file)}, {"file", jsonText(file)},
            {"bytes", std::filesystem::file_size(whole, error)}});
    }
    const bool none = document["reports"].empty();
    if (none && document["problems"].empty())
        document["problems"].push_back(plain({"mcp.no_report", "There is no report at this place."}));
    ToolAnswer answer = desk.shown(std::move(document), items);
    answer.isError = none;
    if (none)
        answer.document["error"] = fmt::format("{}", fmt::join(answer.document["problems"], " "));
    return answer;
}

ToolAnswer showMore(Desk& desk, const ToolArguments& asked)
{
    constexpr std::int64_t usually = 20;
    const std::optional<Json> document = desk.answerNamed(asked.text("answer"));
    if (!document)
        return failedAnswer({"mcp.not_kept",
            "The answer '{answer}' is no longer kept: only the last ones are. Call the tool again.",
            {{"answer", Name{asked.text("answer")}}}});
    const std::string at = asked.text("at");
    const Json* place = nullptr;
    try {
        const Json::json_pointer pointer(at);
        place = document->contains(pointer) ? &document->at(pointer) : nullptr;
    } catch (const Json::exception&) {
        place = nullptr; // no JSON pointer
    }
    if (!place)
        return failedAnswer({"mcp.nothing_at",
            "The answer has nothing at '{at}'. 'more' of the answer lists places.", {{"at", Name{at}}}});
    const auto count = static_cast<std::size_t>(asked.whole("items", usually));
    ToolAnswer answer;
    answer.document = {{"answer", asked.text("answer")}, {"at", at}};
    if (!place->is_array()) {
        SmallAnswer small = smallAnswer(*place, {.items = count, .characters = 20'000}, at);
        answer.document["value"] = std::move(small.document);
        answer.document["more"] = std::move(small.more);
        return answer;
    }
    const auto from = std::min(static_cast<std::size_t>(asked.whole("from", 0)), place->size());
    const std::size_t to = std::min(from + count, place->size());
    Json items = Json::array();
    Json more = Json::array();
    for (std::size_t i = from; i < to; ++i) {
        SmallAnswer small = smallAnswer((*place)[i], {}, fmt::format("{}/{}", at, i));
        items.push_back(std::move(small.document));
        more.insert(more.end(), small.more.begin(), small.more.end());
    }
    answer.document.update(
        {{"from", from}, {"of", place->size()}, {"items", std::move(items)}, {"more", std::move(more)}});
    return answer;
}

bool isAnswerKept(const Desk& desk, const Json& arguments)
{
    const auto name = arguments.find("answer");
    return name != arguments.end() && name->is_string()
        && desk.keepsAnswer(name->get_ref<const std::string&>());
}

ToolAnswer explainTerm(Desk& desk, const ToolArguments& asked)
{
    const auto terms = termsFor(asked.text("term"));
    if (!terms.ok())
        return failedAnswer(terms.error().message);
    return desk.shown(Json::parse(documentOf("words", terms.value())),
        static_cast<std::size_t>(asked.whole("items", Desk::defaultItems)));
}

std::vector<Tool> makeTools()
{
    const std::vector<std::string_view> findingDetails{"/overview", "/checklist", "/rules",
        "/findings/*/events", "/findings/*/ranges", "/findings/*/merged", "/findings/*/why",
        "/findings/*/remedy", "/findings/*/may_be_wrong"};
    return {
        {"open_reports", "Open reports",
            "Opens Nsight Systems exports (.sqlite) or PyTorch profiler traces (.json, .json.gz) for the other tools, "
            "and names them r1, r2 ... Begin here. Takes files, folders and patterns.",
            {{"paths", ParameterKind::Texts,
                "Files, folders with reports, or patterns such as /runs/rank*.sqlite", true}},
            {}, nullptr, {}, nullptr, openReports},
        {"info", "What a report holds",
            "Versions, machine, GPUs, processes, how many events of each kind there are, and problems met while "
            "reading.",
            {reportParameter, itemsParameter}, "info",
            [](const ToolArguments& asked) { return Arguments{asked.text("report")}; }},
        {"overview", "Overview of a run",
            "What the run did over time, in sentences and parts that add up, and the checklist: is the GPU busy, what is it waiting for. Call this first for an open report.",
            {reportParameter, rangeParameter, stepsParameter, itemsParameter}, "analyze", analyzeLine,
            {"/findings", "/rules", "/thresholds"}},
        {"findings", "What is slow, and why",
            "The findings, ranked by how much time they could save (saving_ns, an upper bound). 'evidence' shows all "
            "of one: why, what to do, where.",
            {reportParameter, rangeParameter, stepsParameter,
                {"rules", ParameterKind::Text, "Only these rules, separated by commas"}, itemsParameter},
            "analyze", analyzeLine, findingDetails},
        {"evidence", "Evidence of a finding",
            "One finding with its evidence: why it matters, what to do, caveats, and the events and ranges (longest first).",
            {reportParameter, {"finding", ParameterKind::Text, "The id of a finding, or a rule's name", true},
                rangeParameter, stepsParameter, itemsParameter},
            "analyze", analyzeLine, {"/overview", "/checklist", "/rules"}, chooseFinding},
        {"steps", "Steps of the program",
            "The steps (iterations) as the GPU sees them, with each one's time and budget; critical_path: which work "
            "bounds each step instead.",
            {reportParameter, stepsParameter,
                {"critical_path", ParameterKind::Flag,
                    "Which work, on the GPU or the host, bounds each step"},
                itemsParameter},
            "steps", stepsLine},
        {"budget", "Where the time of a step goes",
            "The mean step in parts that add up to it, to the nanosecond: kernel classes, copies, communication, and "
            "idle time by cause.",
            {reportParameter, stepsParameter, itemsParameter}, "steps", stepsLine, {"/steps"}},
        {"range", "What happened between two times",
            "Busy time, names, copies, overlap and counters of a range, such as one gap or one step.",
            {reportParameter,
                {"range", ParameterKind::Text, "FROM:TO in ns, or numbers with ns, us, ms or s (1.2s:1.3s)",
                    true},
                itemsParameter},
            "range", rangeLine},
        {"events", "Events",
            "Events that pass a filter: time, duration, stream, thread, bytes and correlation. `matches` counts all of them.",
            {reportParameter, whereParameter, rangeParameter,
                {"sort", ParameterKind::Text, "Sort key; dur and bytes: largest first", false,
                    {"start", "dur", "name", "kind", "process", "stream", "bytes"}},
                {"paths", ParameterKind::Flag, "Also the NVTX ranges around each event"},
                {"top", ParameterKind::Whole, "Maximum number of events, 200 by default", false, {}, 1,
                    10'000},
                itemsParameter},
            "events", eventsLine},
        {"names", "Names with most time",
            "A summary table as nsys stats has it, by name: kernels (cuda_gpu_kern_sum), calls (cuda_api_sum), copies "
            "(cuda_gpu_mem_time_sum, cuda_gpu_mem_size_sum), NVTX ranges (nvtx_sum, nvtx_gpu_proj_sum), operating "
            "system (osrt_sum), or another table of nsys stats.",
            {reportParameter, {"table", ParameterKind::Text, "The table, such as cuda_gpu_kern_sum", true},
                rangeParameter, itemsParameter},
            "stats", tableLine},
        {"name", "All events of one name",
            "Percentiles, histogram, outliers and groups of the events of one name, such as a kernel.",
            {reportParameter,
                {"name", ParameterKind::Text, "A full name, a kernel's short one, or a pattern with * and ?",
                    true},
                {"kind", ParameterKind::Text,
                    "Kind of event, if several have this name: kernel, cuda_api, nvtx ..."},
                {"by", ParameterKind::Text, "Also groups: stream, thread, grid, nvtx ..."}, whereParameter,
                rangeParameter, itemsParameter},
            "name", nameLine},
        {"compare", "Compare two runs",
            "Whether B is faster than A, by how much against the noise, and what changed. Several reports of a side "
            "are recordings of the same program, or with ranks=true the ranks of one run.",
            {{"a", ParameterKind::Reports, "The reports of A, before the change", true},
                {"b", ParameterKind::Reports, "The reports of B, after the change", true},
                {"ranks", ParameterKind::Flag, "The reports of a side are the ranks of one run"},
                stepsParameter,
                {"parts", ParameterKind::Text,
                    "Only these parts, separated by commas: budget, kernels, nvtx, api, copies, collectives, memory, steps, findings"},
                itemsParameter},
            "compare", compareLine},
        {"ranks", "Ranks of one run",
            "Which rank is late, what it costs the others, and why. Takes the reports of all ranks.",
            {{"reports", ParameterKind::Reports, "The reports of the ranks", true}, itemsParameter}, "ranks",
            [](const ToolArguments& asked) { return asked.texts("reports"); }},
        {"sql", "Query an export in SQL",
            "One SELECT over an Nsight Systems export, which is only read. Ready views with names instead of ids: "
            "kernels, copies, api_calls, nvtx_ranges and others; sql_tables lists them. Bounded in rows and time.",
            {reportParameter, {"sql", ParameterKind::Text, "One SELECT", true},
                {"rows", ParameterKind::Whole, "Maximum rows, 200 by default", false, {}, 1, 10'000},
                {"seconds", ParameterKind::Whole, "Stop after this time, 10 by default", false, {}, 1, 60},
                itemsParameter},
            "sql", sqlLine},
        {"sql_tables", "Tables for sql", "Views and tables for sql, with their columns.",
            {reportParameter, itemsParameter}, "sql",
            [](const ToolArguments& asked) {
                return Arguments{"--tables", asked.text("report")};
            }},
        {"words", "Glossary", "What a term of the answers means: occupancy, exposed communication, noise ...",
            {{"term", ParameterKind::Text, "The term, or a word of it", true}, itemsParameter}, "words",
            nullptr, {}, nullptr, explainTerm, [](const Desk&, const Json&) { return true; }},
        {"picture", "Picture of a range",
            "The timeline of a range as a PNG image, as the window of Warpline draws it.",
            {reportParameter, rangeParameter,
                {"width", ParameterKind::Whole, "Pixels, 1200 by default", false, {}, 400, 3000},
                {"height", ParameterKind::Whole, "Pixels, 800 by default", false, {}, 300, 3000}},
            {}, nullptr, {}, nullptr, pictureOfRange},
        {"more", "More of an answer",
            "Entries that an answer left out. Each answer has a name ('answer') and lists in 'more' where it is cut.",
            {{"answer", ParameterKind::Text, "The answer, such as a3", true},
                {"at", ParameterKind::Text,
                    "The place: a JSON pointer from 'more', such as /findings. Without it: the whole answer"},
                {"from", ParameterKind::Whole, "The first entry, counted from 0", false, {}, 0,
                    1'000'000'000},
                {"items", ParameterKind::Whole, "Number of entries, 20 by default", false, {}, 1, 500}},
            {}, nullptr, {}, nullptr, showMore, isAnswerKept},
    };
}

} // namespace

std::span<const Tool> allTools()
{
    static const std::vector<Tool> tools = makeTools();
    return tools;
}

} // namespace warpline::cli
