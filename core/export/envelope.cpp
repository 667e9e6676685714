#include "core/export/envelope.h"

#include "core/base/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr int entryIndent = 4; // of an entry of `reports` within the document

Json headOf(std::string_view command)
{
    return {{"schema", fmt::format("urn:warpline:schema:{}", command)}, {"schema_version", schemaVersion},
        {"warpline", programVersion()}, {"command", command}};
}

bool isDeeperThan(const Json& json, int levels)
{
    return json.is_structured() && (levels == 0 || std::ranges::any_of(json, [&](const Json& each) {
        return isDeeperThan(each, levels - 1);
    }));
}

/// `json` with all lines but the first indented by `indent`; texts in JSON contain no raw newline.
std::string indentedText(const Json& json, int indent)
{
    constexpr int deep = 100; // stacks, whose text would be mostly blanks
    const std::string text
        = json.dump(isDeeperThan(json, deep) ? 0 : 2, ' ', false, Json::error_handler_t::replace);
    std::string out;
    for (const char c : text) {
        out += c;
        if (c == '\n')
            out.append(static_cast<std::size_t>(indent), ' ');
    }
    return out;
}

Json errorsJson(std::span<const OutputError> errors)
{
    Json list = Json::array();
    for (const OutputError& error : errors)
        list.push_back({{"code", error.code}, {"file", jsonTextOrNull(error.file)},
            {"message", jsonText(error.message)}, {"hint", jsonTextOrNull(error.hint)}});
    return list;
}

/// `object`, which has keys, without the brace at its end.
std::string openedText(std::string object)
{
    object.pop_back();
    object.erase(object.find_last_not_of(" \n") + 1);
    return object;
}

std::string lineOf(std::string_view command, std::string_view reports, std::span<const OutputError> errors)
{
    return fmt::format("{},\"reports\":[{}],\"errors\":{}}}\n", openedText(compactText(headOf(command))),
        reports, compactText(errorsJson(errors)));
}

} // namespace

EnvelopeWriter::EnvelopeWriter(std::string_view command, Form form, TextSink sink)
    : m_command(command),
      m_form(form),
      m_sink(std::move(sink))
{
}

bool EnvelopeWriter::begin()
{
    return m_sink(openedText(headOf(m_command).dump(2)) + ",\n  \"reports\": [");
}

bool EnvelopeWriter::addText(std::string_view report)
{
    if (m_form == Form::Lines)
        return m_sink(lineOf(m_command, report, {}));
    const bool first = m_added++ == 0;
    return (!first || begin()) && m_sink(first ? "\n    " : ",\n    ") && m_sink(report);
}

bool EnvelopeWriter::add(const Json& report)
{
    return addText(m_form == Form::Lines ? compactText(report) : indentedText(report, entryIndent));
}

bool EnvelopeWriter::add(const Json& report, const WriteRows& write)
{
    if (m_form == Form::Document)
        return addText(openedText(indentedText(report, entryIndent)) + ",\n      \"rows\": ") && write(m_sink)
            && m_sink("    }");
    const auto ends = std::pair(
        openedText(compactText(headOf(m_command))) + ",\"reports\":[", std::string("}],\"errors\":[]}\n"));
    const TextSink oneLine = [this](std::string_view piece) {
        std::string text(piece);
        std::erase(text, '\n');
        return m_sink(text);
    };
    return m_sink(ends.first + openedText(compactText(report)) + ",\"rows\":") && write(oneLine)
        && m_sink(ends.second);
}

bool EnvelopeWriter::finish(std::span<const OutputError> errors)
{
    if (m_form == Form::Lines)
        return std::ranges::all_of(errors, [&](const OutputError& error) {
            return m_sink(lineOf(m_command, {}, {&error, 1}));
        });
    return (m_added > 0 || begin())
        && m_sink(fmt::format(
            "{}],\n  \"errors\": {}\n}}\n", m_added > 0 ? "\n  " : "", indentedText(errorsJson(errors), 2)));
}

std::string documentOf(std::string_view command, const Json& report)
{
    std::string text;
    EnvelopeWriter writer(command, EnvelopeWriter::Form::Document, [&](std::string_view piece) {
        text += piece;
        return true;
    });
    writer.add(report);
    writer.finish({});
    return text;
}

} // namespace warpline
