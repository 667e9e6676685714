#pragma once

#include "core/base/message.h"
#include "core/export/json_text.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::cli {

class Desk;

enum class ParameterKind : std::uint8_t {
    Text,
    Texts, ///< a list
    Whole, ///< number
    Flag,
    Report, ///< the handle of a report that is open
    Reports, ///< a list of these
};

/// A parameter of a tool.
struct ToolParameter {
    std::string_view name;
    ParameterKind kind = ParameterKind::Text;
    std::string_view description;
    bool required = false;
    std::vector<std::string_view> choices = {}; ///< of Text; empty: any
    std::int64_t least = 1; ///< of Whole
    std::int64_t most = 1'000'000;
};

/// The arguments of a call, which were checked: of the kinds that the parameters have. Handles of reports
/// have become paths.
class ToolArguments {
public:
    explicit ToolArguments(const Json& arguments)
        : m_arguments(arguments)
    {
    }
    bool has(const char* name) const; ///< an empty text counts as not given
    std::string text(const char* name) const; ///< empty: not given
    std::vector<std::string> texts(const char* name) const;
    std::int64_t whole(const char* name, std::int64_t otherwise) const;
    bool flag(const char* name) const;

private:
    const Json& m_arguments;
};

/// Result of a call.
struct ToolAnswer {
    Json document = Json::object(); ///< the returned document
    std::string picture; ///< PNG; empty: none
    bool isError = false; ///< document["error"] has the reason
};

ToolAnswer failedAnswer(const Message& message);

/// One tool of the server. Nothing that it does writes a file or changes a report.
struct Tool {
    std::string_view name;
    std::string_view title;
    std::string_view description; ///< for the model that chooses
    std::vector<ToolParameter> parameters;
    /// The command of warpline-cli that makes the document of the answer.
    std::string_view command = {};
    /// Its arguments; null: `answer` provides the answer.
    std::vector<std::string> (*commandLine)(const ToolArguments& arguments) = nullptr;
    /// Patterns of members to remove from each report of the command's document, see leaveOut().
    std::vector<std::string_view> leftOut = {};
    /// Narrows the command's answer for a report. Returns a message if `arguments` name something that does
    /// not exist.
    Message (*choose)(Json& report, const ToolArguments& arguments) = nullptr;
    ToolAnswer (*answer)(Desk& desk, const ToolArguments& arguments) = nullptr;
    /// Whether `answer` needs nothing that another call makes, and no report: it may run beside another call.
    /// Null: never.
    bool (*isReady)(const Desk& desk, const Json& arguments) = nullptr;
};

/// All tools, in the order of tools/list.
std::span<const Tool> allTools();
/// nullptr: there is none.
const Tool* findTool(std::string_view name);

/// The JSON Schema of the arguments of `tool`.
Json inputSchemaOf(const Tool& tool);
/// The error of `arguments` as a sentence; empty: they match inputSchemaOf().
Message problemWith(const Tool& tool, const Json& arguments);

} // namespace warpline::cli
