#include "app/mcp/desk.h"

#include "app/cli_answer.h"
#include "app/cli_report.h"
#include "app/cli_schemas.h"
#include "app/cli_stop.h"
#include "app/mcp/small_answer.h"
#include "core/base/platform/platform.h"
#include "core/base/stop.h"
#include "core/render/language.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <new>

namespace warpline::cli {

/// A document under a name, as text: values of JSON take ten times the memory.
struct Desk::Kept {
    std::string name;
    std::shared_ptr<const std::string> text;
};

namespace {

constexpr std::size_t maxTraces = 3;
constexpr std::size_t maxAnswers = 30;
constexpr std::size_t maxDocuments = 6;
constexpr std::size_t maxKeptBytes = 200U << 20U; ///< of answers, and of documents

/// The state of the file at `path`, as text: answers about another state are obsolete.
std::string stateText(const std::string& path)
{
    const auto file = platform::FileReader::open(platform::pathOf(path));
    const auto state = file ? file->state() : std::nullopt;
    return state ? fmt::format("{} {} {}", state->bytes, state->changedNs, state->identity) : "none";
}

/// Why `document` contains no answer, a line for each message and hint; empty: it contains one.
std::string failureIn(const Json& document)
{
    std::string failure;
    for (const Json& error : document["errors"]) {
        if (!document["reports"].empty() || error["code"] == "note")
            continue;
        for (const char* const part : {"message", "hint"}) {
            if (error[part].is_string())
                failure += (failure.empty() ? "" : "\n") + error[part].get<std::string>();
        }
    }
    return failure;
}

/// Removes the descriptions of keys from a schema, because they are long and results contain them, too.
void shorten(Json& schema)
{
    if (schema.is_object() && schema.contains("description") && schema["description"].is_string())
        schema.erase("description");
    if (schema.is_structured()) {
        for (Json& part : schema)
            shorten(part);
    }
}

} // namespace

Desk::Desk(const ProtocolOutput& output)
    : m_output(output)
{
}

Desk::~Desk() = default;

std::string Desk::open(const std::string& path)
{
    const auto found = std::ranges::find(m_reports, path);
    const auto place = static_cast<std::size_t>(found - m_reports.begin());
    if (found == m_reports.end())
        m_reports.push_back(path);
    return fmt::format("r{}", place + 1);
}

Message Desk::read(const std::string& path)
{
    const StopScope scope(m_stop);
    auto trace = tryReport(path, false);
    if (!trace.ok())
        return trace.error().message;
    std::erase(m_traces, trace.value());
    m_traces.push_front(trace.take());
    if (m_traces.size() > maxTraces)
        m_traces.pop_back();
    return {};
}

Result<void> Desk::resolveReports(const Tool& tool, Json& arguments)
{
    const auto resolve = [&](Json& handle) -> Result<void> {
        for (std::size_t i = 0; i < m_reports.size(); ++i) {
            if (handle == Json(fmt::format("r{}", i + 1))) {
                handle = m_reports[i];
                return {};
            }
        }
        return m_reports.empty()
            ? Error{"mcp.none_open", "No report is open. Call open_reports, which names reports r1, r2 ..."}
            : Error{"mcp.not_open",
                "No open report has the name {name}. There are r1 to r{last}; open_reports opens others.",
                {{"name", Name{handle.dump()}},
                    {"last", Ordinal{static_cast<std::int64_t>(m_reports.size())}}}};
    };
    for (const ToolParameter& parameter : tool.parameters) {
        const auto value = arguments.find(std::string(parameter.name));
        if (value == arguments.end())
            continue;
        if (parameter.kind == ParameterKind::Report) {
            if (auto done = resolve(*value); !done.ok())
                return done;
        } else if (parameter.kind == ParameterKind::Reports) {
            for (Json& handle : *value) {
                if (auto done = resolve(handle); !done.ok())
                    return done;
            }
        }
    }
    return {};
}

ToolAnswer Desk::call(const Tool& tool, Json arguments, const std::stop_token& stop)
{
    if (!tool.isReady)
        m_stop = stop;
    if (const Message problem = problemWith(tool, arguments); !problem.empty())
        return failedAnswer(problem);
    if (const auto resolved = resolveReports(tool, arguments); !resolved.ok())
        return failedAnswer(resolved.error().message);
    try {
        return tool.answer ? tool.answer(*this, ToolArguments(arguments)) : runCommand(tool, arguments);
    } catch (const Stopped&) {
        return failedAnswer({"mcp.cancelled", "The request was cancelled."});
    } catch (const std::bad_alloc&) {
        return failedAnswer({"mcp.no_memory", "Not enough memory for this. Use a shorter range."});
    }
}

ToolAnswer Desk::runCommand(const Tool& tool, const Json& arguments)
{
    const ToolArguments asked(arguments);
    std::vector<std::string> line = tool.commandLine(asked);
    line.insert(line.begin(),
        {std::string(tool.command), "--language", std::string(language().key), "--format", "json"});
    std::string key = fmt::format("{}", fmt::join(line, "\x1f"));
    std::string states;
    for (const std::string& path : m_reports) {
        if (key.find(path) != std::string::npos)
            states += "\x1f" + stateText(path);
    }
    key += states;
    Json document;
    if (const auto known = std::ranges::find(m_documents, key, &Kept::name); known != m_documents.end()) {
        document = Json::parse(*known->text, nullptr, false);
    } else {
        if (asked.has("report")) {
            if (const Message problem = read(asked.text("report")); !problem.empty())
                return failedAnswer(problem);
        }
        const CapturedRun run = m_output.run(line, m_stop);
        document = Json::parse(run.output, nullptr, false);
        if (document.is_discarded() || m_stop.stop_requested())
            return failedAnswer(
                run.complaints.empty() ? Message("mcp.no_answer", "There is no answer.") : run.complaints);
        if (const std::string failure = failureIn(document); !failure.empty())
            return failedAnswer(failure);
        keep(m_documents, {std::move(key), std::make_shared<const std::string>(run.output)}, maxDocuments);
    }
    for (Json& report : document["reports"]) {
        for (const std::string_view pattern : tool.leftOut)
            leaveOut(report, pattern);
        if (!tool.choose)
            continue;
        if (const Message problem = tool.choose(report, asked); !problem.empty())
            return failedAnswer(problem);
    }
    return shown(std::move(document), static_cast<std::size_t>(asked.whole("items", defaultItems)));
}

ToolAnswer Desk::shown(Json document, std::size_t items)
{
    SmallAnswer small = smallAnswer(document, {.items = items});
    ToolAnswer answer;
    answer.document = std::move(small.document);
    auto text = std::make_shared<const std::string>(compactText(document));
    const std::scoped_lock lock(m_mutex);
    answer.document["answer"] = fmt::format("a{}", ++m_answersMade);
    answer.document["more"] = std::move(small.more);
    keep(m_answers, {answer.document["answer"], std::move(text)}, maxAnswers);
    return answer;
}

void Desk::keep(std::deque<Kept>& all, Kept kept, std::size_t most)
{
    all.push_front(std::move(kept));
    std::size_t bytes = all.front().text->size();
    const auto tooOld = std::find_if(all.begin() + 1, all.end(), [&](const Kept& each) {
        bytes += each.text->size();
        return bytes > maxKeptBytes;
    });
    all.erase(tooOld, all.end());
    if (all.size() > most)
        all.pop_back();
}

std::optional<Json> Desk::answerNamed(std::string_view id) const
{
    std::shared_ptr<const std::string> text;
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = std::ranges::find(m_answers, id, &Kept::name);
        if (found == m_answers.end())
            return std::nullopt;
        text = found->text;
    }
    return Json::parse(*text, nullptr, false);
}

bool Desk::keepsAnswer(std::string_view id) const
{
    const std::scoped_lock lock(m_mutex);
    return std::ranges::find(m_answers, id, &Kept::name) != m_answers.end();
}

Json Desk::outputSchemaOf(const Tool& tool)
{
    Json schema = Json::parse(schemaOf(tool.command), nullptr, false);
    if (schema.is_discarded())
        return {{"type", "object"}};
    shorten(schema);
    for (const std::string_view pattern : tool.leftOut)
        leaveOutOfSchema(schema, fmt::format("/reports/*{}", pattern));
    schema["properties"]["answer"]["type"] = "string";
    schema["properties"]["more"]["type"] = "array";
    return schema;
}

} // namespace warpline::cli
