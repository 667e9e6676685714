#include "app/mcp/tool.h"

#include "core/base/near_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpline::cli {

namespace {

bool isList(ParameterKind kind)
{
    return kind == ParameterKind::Texts || kind == ParameterKind::Reports;
}

Json schemaOf(const ToolParameter& parameter)
{
    Json schema;
    switch (parameter.kind) {
    case ParameterKind::Text:
    case ParameterKind::Report:
        schema["type"] = "string";
        break;
    case ParameterKind::Texts:
    case ParameterKind::Reports:
        schema = {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}};
        break;
    case ParameterKind::Whole:
        schema = {{"type", "integer"}, {"minimum", parameter.least}, {"maximum", parameter.most}};
        break;
    case ParameterKind::Flag:
        schema["type"] = "boolean";
        break;
    }
    if (!parameter.choices.empty())
        schema["enum"] = parameter.choices;
    schema["description"] = parameter.description;
    return schema;
}

bool isListOfTexts(const Json& value)
{
    return value.is_array() && !value.empty()
        && std::ranges::all_of(value, [](const Json& each) { return each.is_string(); });
}

std::string problemWith(const ToolParameter& parameter, const Json& value)
{
    if (isList(parameter.kind))
        return isListOfTexts(value) ? "" : fmt::format("'{}' must be a list of texts", parameter.name);
    if (parameter.kind == ParameterKind::Flag)
        return value.is_boolean() ? "" : fmt::format("'{}' must be true or false", parameter.name);
    if (parameter.kind == ParameterKind::Whole) {
        const bool fits
            = value.is_number_integer() && value >= Json(parameter.least) && value <= Json(parameter.most);
        return fits ? ""
                    : fmt::format("'{}' must be a whole number from {} to {}", parameter.name,
                        parameter.least, parameter.most);
    }
    if (!value.is_string())
        return fmt::format("'{}' must be a text", parameter.name);
    const auto& text = value.get_ref<const std::string&>();
    if (text.find('\0') != std::string::npos)
        return fmt::format("'{}' has a NUL in it", parameter.name);
    if (parameter.choices.empty() || std::ranges::find(parameter.choices, text) != parameter.choices.end())
        return {};
    return fmt::format("'{}' must be one of {}", parameter.name, fmt::join(parameter.choices, ", "));
}

} // namespace

bool ToolArguments::has(const char* name) const
{
    return m_arguments.contains(name);
}

std::string ToolArguments::text(const char* name) const
{
    return m_arguments.value(name, std::string());
}

std::vector<std::string> ToolArguments::texts(const char* name) const
{
    return m_arguments.value(name, std::vector<std::string>());
}

std::int64_t ToolArguments::whole(const char* name, std::int64_t otherwise) const
{
    return m_arguments.value(name, otherwise);
}

bool ToolArguments::flag(const char* name) const
{
    return m_arguments.value(name, false);
}

ToolAnswer failedAnswer(const std::string& message)
{
    ToolAnswer answer;
    answer.document["error"] = message;
    answer.isError = true;
    return answer;
}

const Tool* findTool(std::string_view name)
{
    const auto found = std::ranges::find(allTools(), name, &Tool::name);
    return found == allTools().end() ? nullptr : &*found;
}

Json inputSchemaOf(const Tool& tool)
{
    Json properties = Json::object();
    Json required = Json::array();
    for (const ToolParameter& parameter : tool.parameters) {
        properties[std::string(parameter.name)] = schemaOf(parameter);
        if (parameter.required)
            required.push_back(parameter.name);
    }
    return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)},
        {"additionalProperties", false}};
}

std::string problemWith(const Tool& tool, const Json& arguments)
{
    if (!arguments.is_object())
        return "The arguments must be an object.";
    std::vector<std::string> names;
    for (const ToolParameter& parameter : tool.parameters) {
        names.emplace_back(parameter.name);
        if (parameter.required && !arguments.contains(names.back()))
            return fmt::format("{} needs '{}': {}", tool.name, parameter.name, parameter.description);
    }
    for (const auto& [name, value] : arguments.items()) {
        const auto parameter = std::ranges::find(tool.parameters, name, &ToolParameter::name);
        if (parameter == tool.parameters.end())
            return fmt::format("{} takes no '{}'{}; it takes {}.", tool.name, name, didYouMean(name, names),
                fmt::join(names, ", "));
        if (const std::string problem = problemWith(*parameter, value); !problem.empty())
            return problem + ".";
    }
    return {};
}

} // namespace warpline::cli
