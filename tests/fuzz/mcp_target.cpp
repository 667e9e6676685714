#include "tests/fuzz/mcp_target.h"

#include "app/cli_report.h"
#include "app/cli_schemas.h"
#include "app/cli_words.h"
#include "app/mcp/captured_command.h"
#include "app/mcp/picture.h"
#include "app/mcp/server.h"
#include "core/export/envelope.h"
#include "core/load/load_report.h"
#include "core/load/recording.h"
#include "core/load/report_files.h"
#include "core/render/language.h"
#include "core/render/render.h"
#include "core/store/trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace warpline {

namespace {

void requireAnswer(bool holds)
{
    if (!holds)
        std::abort();
}

constexpr std::string_view answerOfCommand = R"({"errors":[],"reports":[{"path":"/r","findings":[
{"id":"idle:0","rule":"idle","why":"because","events":[{"id":1},{"id":2},{"id":3}],"ranges":[[1,2],[3,4]]},
{"id":"copies:0","rule":"copies","why":"\u00e4","events":[],"ranges":[]}],
"rows":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20],"steps":[{"parts":[{"a":1},{"b":[1,2,[3,[4]]]}]}]}]})";

constexpr std::string_view schemaOfCommand = R"({"type":"object","description":"d","properties":{"reports":
{"type":"array","items":{"$ref":"#/$defs/report"}}},"$defs":{"report":{"type":"object","required":["findings"],
"properties":{"findings":{"type":"array","items":{"type":"object","properties":{"why":{"type":"string"}}}}}}}})";

/// A client's text is the value of an option, or at a place without options.
void requireNoOption(const std::vector<std::string>& arguments)
{
    for (const std::string& argument : arguments) {
        if (argument == "--")
            return;
        requireAnswer(
            !argument.starts_with("-o") && !argument.starts_with("--output") && argument != "--force");
    }
}

} // namespace

std::string_view cli::schemaOf(std::string_view /*command*/)
{
    return schemaOfCommand;
}

Result<Json> cli::termsFor(const std::string& asked)
{
    return Json{{"asked", asked}, {"terms", {1, 2, 3}}};
}

std::string documentOf(std::string_view /*command*/, const Json& report)
{
    return report.dump();
}

std::string render(const Message& /*message*/, Markup /*markup*/)
{
    return {}; // no answer here has a message of core
}

const Language& language()
{
    static constexpr Language english{.key = "en", .title = {}, .texts = {}, .plural = nullptr};
    return english;
}

/// These are for the search for the reports of a view, which no target asks for.
std::vector<std::string> filesNamedAsReports(const std::string& /*folder*/)
{
    return {};
}

bool isRecording(std::string_view /*path*/)
{
    return false;
}

std::string exportPathFor(const std::string& path)
{
    return path;
}

Result<std::shared_ptr<const Trace>> loadReport(const std::string& /*path*/, const LoadOptions& /*options*/)
{
    std::abort();
}

ReportFiles findReportFiles(std::span<const std::string> names)
{
    return {{names.begin(), names.end()}, {}};
}

std::vector<std::string> namesOfSide(const std::string& operand)
{
    return {operand};
}

Error savedByWindow(bool /*isView*/, const std::string& /*path*/)
{
    return Error{Message("saved by a window")};
}

std::filesystem::path fileBehind(const std::string& path)
{
    return path;
}

Result<std::shared_ptr<const Trace>> cli::tryReport(const std::string& path, bool /*noCache*/)
{
    if (path.empty() || path.front() != '/')
        return Error{Message("no path")};
    return std::make_shared<const Trace>();
}

cli::ToolAnswer cli::pictureOfRange(Desk& /*desk*/, const ToolArguments& /*asked*/)
{
    ToolAnswer answer;
    answer.picture = "PNG";
    return answer;
}

std::string cli::base64Of(std::string_view bytes)
{
    return std::string(bytes);
}

cli::ProtocolOutput::ProtocolOutput()
    : m_protocol(-1)
{
}

cli::ProtocolOutput::~ProtocolOutput() = default;

bool cli::ProtocolOutput::send(std::string_view line) const
{
    requireAnswer(line.find('\n') == std::string_view::npos && Json::accept(line));
    return m_protocol < 0;
}

cli::CapturedRun cli::ProtocolOutput::run(
    const std::vector<std::string>& arguments, const std::stop_token& /*stop*/) const
{
    requireNoOption(arguments);
    return {ExitCode::Ok, std::string(answerOfCommand), {}};
}

void serveMcp(std::string_view lines)
{
    cli::McpServer server;
    if (!lines.starts_with('-'))
        server.receive(
            R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}})");
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        server.receive(lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

} // namespace warpline
