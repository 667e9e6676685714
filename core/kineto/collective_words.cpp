#include "core/kineto/collective_words.h"

#include "core/base/saturate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace warpline {

namespace {

struct Operation {
    std::string_view word; ///< in PyTorch's name, in lower case without underscores
    std::string_view name; ///< NCCL's
    bool sizeOfOutput; ///< NCCL counts the bytes that a rank receives
};

/// The first entry that the name contains decides, so longer names come before their parts.
constexpr std::array<Operation, 12> operations{{
    {"allreduce", "ncclAllReduce", false},
    {"allgather", "ncclAllGather", false},
    {"reducescatter", "ncclReduceScatter", true},
    {"alltoall", "ncclAllToAll", false},
    {"broadcast", "ncclBroadcast", false},
    {"barrier", "ncclAllReduce", false},
    {"scatter", "ncclScatter", true},
    {"gather", "ncclGather", false},
    {"reduce", "ncclReduce", false},
    {"send", "ncclSend", false},
    {"recv", "ncclRecv", true},
    {"receive", "ncclRecv", true},
}};

const Operation* operationOf(std::string_view name)
{
    std::string word;
    for (const char c : name) {
        if (c != '_')
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const auto* const found = std::ranges::find_if(
        operations, [&](const Operation& each) { return word.find(each.word) != std::string::npos; });
    return found != operations.end() ? found : nullptr;
}

/// Appends `key`: `value` to the object in the making, a text in quotes; nothing when there is no value.
void append(std::string& object, std::string_view key, const JsonValue& value)
{
    if (!value.there() || value.text.empty())
        return;
    const std::string_view quote = value.isText() ? "\"" : "";
    object += fmt::format("{}\"{}\":{}{}{}", object.empty() ? "{" : ",", key, quote, value.text, quote);
}

} // namespace

std::int64_t bytesOfType(std::string_view type)
{
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 20> types{
        {{"Float", 4}, {"Double", 8}, {"Half", 2}, {"BFloat16", 2}, {"Long", 8}, {"Int", 4}, {"Short", 2},
            {"Char", 1}, {"Byte", 1}, {"Bool", 1}, {"ComplexFloat", 8}, {"ComplexDouble", 16},
            {"ComplexHalf", 4}, {"Float8_e4m3fn", 1}, {"Float8_e5m2", 1}, {"Float8_e4m3fnuz", 1},
            {"Float8_e5m2fnuz", 1}, {"UInt16", 2}, {"UInt32", 4}, {"UInt64", 8}}};
    const auto* const found = std::ranges::find(types, type, [](const auto& each) { return each.first; });
    return found != types.end() ? found->second : 0;
}

CollectiveWords collectiveWordsOf(const RawEvent& event)
{
    CollectiveWords words;
    const Operation* const operation = operationOf(event.argument("Collective name").text);
    if (operation == nullptr)
        return words;
    words.name = operation->name;
    words.communicator = textOf(event.argument("Process Group Name"));
    const auto elements
        = integerOf(event.argument(operation->sizeOfOutput ? "Out msg nelems" : "In msg nelems"));
    const std::int64_t size = bytesOfType(event.argument("dtype").text);
    if (elements && *elements >= 0 && size > 0)
        words.bytes = saturatingProduct(*elements, size);
    words.ranks = std::max<std::int64_t>(0, integerOf(event.argument("Group size")).value_or(0));
    append(words.payload, "NCCL communicator ID", event.argument("Process Group Name"));
    if (words.bytes >= 0)
        words.payload
            += fmt::format("{}\"Message size [bytes]\":{}", words.payload.empty() ? "{" : ",", words.bytes);
    for (const auto& [key, name] : {std::pair{"dtype", "Data type"}, std::pair{"Group size", "No. of ranks"},
             std::pair{"Rank", "Rank"}, std::pair{"Process Group Description", "Process group"},
             std::pair{"Process Group Ranks", "Ranks of the group"},
             std::pair{"Is asynchronized op", "Asynchronous"}})
        append(words.payload, name, event.argument(key));
    append(words.payload, "Sequence number", event.argument("Seq"));
    if (words.name == "ncclSend")
        append(words.payload, "Peer rank", event.argument("Dst Rank"));
    else if (words.name == "ncclRecv")
        append(words.payload, "Peer rank", event.argument("Src Rank"));
    if (!words.payload.empty())
        words.payload += '}';
    return words;
}

} // namespace warpline
