#include "core/import/python_stacks.h"

#include "core/base/string_pool.h"
#include "core/import/string_table.h"
#include "core/store/nvtx_types.h"
#include "core/store/payload_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace warpline {

namespace {

std::int64_t integerOf(std::string_view text)
{
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// nsys writes the names of functions as HTML: "&lt;module&gt;".
std::string withoutEntities(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, char>, 5> entities{
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}, {"&amp;", '&'}}};
    std::string plain;
    while (!text.empty()) {
        const auto entity = std::ranges::find_if(
            entities, [text](const auto& each) { return text.starts_with(each.first); });
        const bool isEntity = entity != entities.end();
        plain += isEntity ? entity->second : text.front();
        text.remove_prefix(isEntity ? entity->first.size() : 1);
    }
    return plain;
}

constexpr std::size_t maxKnown = 4096; // payloads that are looked up rather than read again

StringId nameOf(std::int64_t id, const StringTable& strings, StringPool& pool, bool& missing)
{
    const StringId name = strings.at(id, missing);
    const std::string_view text = pool[name];
    return text.find('&') == std::string_view::npos ? name : pool.intern(withoutEntities(text));
}

/// The fields of a payload, with or without the object that names the domain.
std::vector<PayloadField> fieldsOf(std::string_view payload)
{
    std::vector<PayloadField> fields = payloadFields(payload);
    if (fields.size() == 1 && fields.front().name == pythonSamplesDomain)
        fields = payloadFields(std::exchange(fields.front().value, {}));
    return fields;
}

} // namespace

std::vector<std::int64_t> pythonNameIds(std::string_view payload)
{
    std::vector<std::int64_t> ids;
    if (payload.find("\"Frames\"") == std::string_view::npos)
        return ids;
    for (const PayloadField& field : fieldsOf(payload)) {
        if (field.name != "Frames")
            continue;
        for (const std::string& element : payloadElements(field.value)) {
            for (const PayloadField& part : payloadFields(element)) {
                if (part.name == "Function" || part.name == "File")
                    ids.push_back(integerOf(part.value));
            }
        }
    }
    return ids;
}

PythonSample PythonStacks::intern(std::string_view payload, const StringTable& strings, StringPool& pool)
{
    if (payload.empty())
        return {};
    std::string key(payload);
    if (const auto known = m_known.find(key); known != m_known.end())
        return known->second;
    if (m_known.size() >= maxKnown)
        m_known.clear();
    PythonSample& sample = m_known[std::move(key)];
    for (const PayloadField& field : fieldsOf(payload)) {
        if (field.name == "Frames")
            sample.stack = number(framesIn(field.value, strings, pool, sample.unnamed));
        else if (field.name == "Thread state" && field.isText)
            sample.facts = pool.intern("{\"Thread state\":\"" + field.value + "\"}");
    }
    return sample;
}

StringId PythonStacks::innermost(std::uint32_t stack) const
{
    return m_chains.frames[m_chains.firstFrame[stack - 1]].symbol;
}

std::vector<PythonStacks::Frame> PythonStacks::framesIn(
    std::string_view list, const StringTable& strings, StringPool& pool, std::uint32_t& unnamed) const
{
    std::vector<Frame> frames;
    for (const std::string& element : payloadElements(list)) {
        Frame frame;
        bool missing = false;
        for (const PayloadField& field : payloadFields(element)) {
            if (field.name == "Function")
                std::get<0>(frame) = nameOf(integerOf(field.value), strings, pool, missing);
            else if (field.name == "File")
                std::get<1>(frame) = nameOf(integerOf(field.value), strings, pool, missing);
            else if (field.name == "Line")
                std::get<2>(frame) = static_cast<std::uint32_t>(integerOf(field.value));
        }
        frames.push_back(frame);
        unnamed += missing ? 1 : 0;
    }
    return frames;
}

std::uint32_t PythonStacks::number(const std::vector<Frame>& frames)
{
    if (frames.empty())
        return 0;
    const auto next = static_cast<std::uint32_t>(m_chains.id.size() + 1);
    const auto [known, isNew] = m_numbers.try_emplace(frames, next);
    if (!isNew)
        return known->second;
    m_chains.id.push_back(next);
    m_chains.firstFrame.push_back(static_cast<std::uint32_t>(m_chains.frames.size()));
    for (const auto& [function, file, line] : frames)
        m_chains.frames.push_back({.symbol = function, .module = file, .line = line});
    return next;
}

std::vector<std::uint32_t> PythonStacks::add(const PythonStacks& other)
{
    std::vector<std::uint32_t> numbers(other.m_chains.id.size() + 1);
    for (const auto& [frames, theirs] : other.m_numbers)
        numbers[theirs] = number(frames);
    return numbers;
}

Callchains PythonStacks::takeChains()
{
    m_chains.firstFrame.push_back(static_cast<std::uint32_t>(m_chains.frames.size()));
    m_numbers.clear();
    m_known.clear();
    return std::exchange(m_chains, {});
}

} // namespace warpline
