#include "app/mcp/tool.h"

#include "core/base/near_names.h"
#include "core/render/render.h"

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

Message problemWith(const ToolParameter& parameter, const Json& value)
{
    const Argument name{"name", Name{std::string(parameter.name)}};
    if (isList(parameter.kind))
        return isListOfTexts(value) ? Message()
                                    : Message("mcp.list", "'{name}' must be a list of texts.", {name});
    if (parameter.kind == ParameterKind::Flag)
        return value.is_boolean() ? Message()
                                  : Message("mcp.flag", "'{name}' must be true or false.", {name});
    if (parameter.kind == ParameterKind::Whole) {
        const bool fits
            = value.is_number_integer() && value >= Json(parameter.least) && value <= Json(parameter.most);
        return fits ? Message()
                    : Message("mcp.whole", "'{name}' must be a whole number from {least} to {most}.",
                        {name, {"least", Ordinal{parameter.least}}, {"most", Ordinal{parameter.most}}});
    }
    if (!value.is_string())
        return {"mcp.text", "'{name}' must be a text.", {name}};
    const auto& text = value.get_ref<const std::string&>();
    if (text.find('\0') != std::string::npos)
        return {"mcp.nul", "'{name}' has a NUL in it.", {name}};
    if (text.empty())
        return parameter.required ? Message("mcp.empty", "'{name}' must not be empty.", {name}) : Message();
    if (parameter.choices.empty() || std::ranges::find(parameter.choices, text) != parameter.choices.end())
        return {};
    return {"mcp.choice", "'{name}' must be one of {choices}.",
        {name, {"choices", Name{fmt::format("{}", fmt::join(parameter.choices, ", "))}}}};
}

} // namespace

bool ToolArguments::has(const char* name) const
{
    const auto found = m_arguments.find(name);
    return found != m_arguments.end() && *found != Json("");
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

ToolAnswer failedAnswer(const Message& message)
{
    ToolAnswer answer;
    answer.document["error"] = plain(message);
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

Message problemWith(const Tool& tool, const Json& arguments)
{
    if (!arguments.is_object())
        return {"mcp.no_object", "The arguments must be an object."};
    std::vector<std::string> names;
    for (const ToolParameter& parameter : tool.parameters) {
        names.emplace_back(parameter.name);
        if (parameter.required && !arguments.contains(names.back()))
            return {"mcp.needs", "{tool} needs '{name}': {description}",
                {{"tool", Name{std::string(tool.name)}}, {"name", Name{names.back()}},
                    {"description", Name{std::string(parameter.description)}}}};
    }
    for (const auto& [name, value] : arguments.items()) {
        const auto parameter = std::ranges::find(tool.parameters, name, &ToolParameter::name);
        if (parameter == tool.parameters.end())
            return {"mcp.takes_no", "{tool} takes no '{name}'{near}; it takes {known}.",
                {{"tool", Name{std::string(tool.name)}}, {"name", Name{name}},
                    {"near", didYouMean(name, names)}, {"known", Name{commaList(names)}}}};
        if (Message problem = problemWith(*parameter, value); !problem.empty())
            return problem;
    }
    return {};
}

} // namespace warpline::cli
