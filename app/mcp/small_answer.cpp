#include "app/mcp/small_answer.h"

#include "core/base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace warpline::cli {

namespace {

constexpr std::size_t maxCuts = 50;

/// A name as a part of a JSON pointer.
std::string pointerPart(std::string_view name)
{
    std::string part = "/";
    for (const char c : name) {
        if (c == '~')
            part += "~0";
        else if (c == '/')
            part += "~1";
        else
            part += c;
    }
    return part;
}

/// Cuts values, and notes where.
class Cutter {
public:
    explicit Cutter(const AnswerSize& size)
        : m_size(size)
    {
    }

    Json cut(const Json& value, const std::string& at, std::size_t items)
    {
        if (value.is_array())
            return cutList(value, at, items);
        if (value.is_object()) {
            Json shown = Json::object();
            for (const auto& [name, member] : value.items())
                shown[name] = cut(member, at + pointerPart(name), items);
            return shown;
        }
        if (value.is_string())
            return cutText(value, at);
        return value;
    }
    Json takeCuts() { return std::move(m_cuts); }

private:
    Json cutList(const Json& list, const std::string& at, std::size_t items)
    {
        Json shown = Json::array();
        // A report or two, or both ends of something, are no long list.
        const bool isShort = list.size() <= 2;
        const std::size_t end = isShort ? list.size() : std::min(items, list.size());
        const std::size_t inner = isShort ? items : std::max<std::size_t>(1, items / 2);
        for (std::size_t i = 0; i < end; ++i)
            shown.push_back(cut(list[i], at + "/" + std::to_string(i), inner));
        if (end < list.size())
            note(at, end, list.size());
        return shown;
    }

    Json cutText(const Json& value, const std::string& at)
    {
        const auto& text = value.get_ref<const std::string&>();
        if (text.size() <= m_size.characters)
            return value;
        std::size_t end = m_size.characters;
        while (end > 0 && isWithinLetter(text[end]))
            --end;
        note(at, end, text.size());
        return text.substr(0, end) + "\u2026";
    }

    void note(const std::string& at, std::size_t shown, std::size_t of)
    {
        if (m_cuts.size() < maxCuts)
            m_cuts.push_back({{"at", at}, {"shown", shown}, {"of", of}});
    }

    AnswerSize m_size;
    Json m_cuts = Json::array();
};

/// The first part of `pattern`, which is moved behind it.
std::string_view nextPart(std::string_view& pattern)
{
    pattern.remove_prefix(1);
    const std::size_t slash = pattern.find('/');
    const std::string_view part = pattern.substr(0, slash);
    pattern = slash == std::string_view::npos ? std::string_view() : pattern.substr(slash);
    return part;
}

/// The target of a reference of `schema` within `root`, or `schema` itself.
Json& referredTo(Json& root, Json& schema)
{
    const auto reference = schema.find("$ref");
    if (reference == schema.end() || !reference->is_string())
        return schema;
    const auto& name = reference->get_ref<const std::string&>();
    if (!name.starts_with("#/"))
        return schema;
    const Json::json_pointer place(name.substr(1));
    return root.contains(place) ? root[place] : schema;
}

void leaveOutBelow(Json& root, Json& place, std::string_view pattern)
{
    Json& schema = referredTo(root, place);
    if (schema.contains("oneOf")) { // with less in them, several may fit
        schema["anyOf"] = std::move(schema["oneOf"]);
        schema.erase("oneOf");
    }
    if (schema.contains("anyOf")) {
        for (Json& choice : schema["anyOf"])
            leaveOutBelow(root, choice, pattern);
        return;
    }
    const std::string part(nextPart(pattern));
    if (part == "*") {
        if (schema.contains("items"))
            leaveOutBelow(root, schema["items"], pattern);
        return;
    }
    if (pattern.empty()) {
        if (schema.contains("properties"))
            schema["properties"].erase(part);
        if (schema.contains("required")) {
            Json& required = schema["required"];
            required.erase(std::remove(required.begin(), required.end(), Json(part)), required.end());
        }
        return;
    }
    if (schema.contains("properties") && schema["properties"].contains(part))
        leaveOutBelow(root, schema["properties"][part], pattern);
}

} // namespace

SmallAnswer smallAnswer(const Json& document, const AnswerSize& size, const std::string& at)
{
    for (std::size_t items = size.items;; items /= 2) {
        Cutter cutter(size);
        SmallAnswer answer{cutter.cut(document, at, std::max<std::size_t>(items, 1)), {}};
        if (items <= 1 || compactText(answer.document).size() <= size.bytes) {
            answer.more = cutter.takeCuts();
            return answer;
        }
    }
}

void leaveOut(Json& document, std::string_view pattern)
{
    const std::string part(nextPart(pattern));
    if (part == "*") {
        if (document.is_array()) {
            for (Json& entry : document)
                leaveOut(entry, pattern);
        }
        return;
    }
    if (!document.is_object() || !document.contains(part))
        return;
    if (pattern.empty())
        document.erase(part);
    else
        leaveOut(document[part], pattern);
}

void leaveOutOfSchema(Json& schema, std::string_view pattern)
{
    leaveOutBelow(schema, schema, pattern);
}

} // namespace warpline::cli
