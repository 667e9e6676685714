#include "core/kineto/event_words.h"

#include "core/base/saturate.h"
#include "core/base/stable_hash.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::uint32_t threadBits = 0xFFFFFF;

} // namespace

std::uint32_t idOf(const JsonValue& value)
{
    const auto number = value.there() ? integerOf(value) : 0;
    if (number && *number >= 0 && *number <= threadBits)
        return static_cast<std::uint32_t>(*number);
    if (number && *number < 0)
        return 0; // "-1": belongs to no process or thread
    constexpr std::uint32_t half = threadBits >> 1U; // made-up ones are above those that systems give
    StableHash hashed;
    hashed.add(value.text);
    return (static_cast<std::uint32_t>(hashed.value()) & half) | (half + 1);
}

CopyKind copyKindOf(std::string_view name)
{
    static constexpr std::array<std::pair<std::string_view, CopyKind>, 14> kinds{
        {{"HtoD", CopyKind::HtoD}, {"DtoH", CopyKind::DtoH}, {"DtoD", CopyKind::DtoD},
            {"HtoH", CopyKind::HtoH}, {"PtoP", CopyKind::PtoP}, {"HtoA", CopyKind::HtoA},
            {"AtoH", CopyKind::AtoH}, {"AtoA", CopyKind::AtoA}, {"AtoD", CopyKind::AtoD},
            {"DtoA", CopyKind::DtoA}, {"HostToDevice", CopyKind::HtoD}, {"DeviceToHost", CopyKind::DtoH},
            {"DeviceToDevice", CopyKind::DtoD}, {"HostToHost", CopyKind::HtoH}}};
    for (const auto& [word, kind] : kinds) {
        if (name.find(word) != std::string_view::npos)
            return kind;
    }
    // Warpline's own names, of which "Unified Host-to-Device" contains another one.
    for (auto kind = static_cast<std::uint8_t>(CopyKind::UnifiedDtoD); kind > 0; --kind) {
        if (name.find(labelOf(static_cast<CopyKind>(kind))) != std::string_view::npos)
            return static_cast<CopyKind>(kind);
    }
    return CopyKind::Unknown;
}

MemoryKind memoryKindIn(std::string_view word)
{
    static constexpr std::array<std::pair<std::string_view, MemoryKind>, 7> kinds{
        {{"Pageable", MemoryKind::Pageable}, {"Pinned", MemoryKind::Pinned}, {"Device", MemoryKind::Device},
            {"Array", MemoryKind::Array}, {"Managed Static", MemoryKind::ManagedStatic},
            {"Device Static", MemoryKind::DeviceStatic}, {"Managed", MemoryKind::Managed}}};
    const auto* const found = std::ranges::find(kinds, word, [](const auto& kind) { return kind.first; });
    return found != kinds.end() ? found->second : MemoryKind::Unknown;
}

std::pair<std::string_view, std::string_view> memoriesIn(std::string_view name)
{
    const std::size_t open = name.rfind('(');
    const std::size_t close = name.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return {};
    const std::string_view inside = name.substr(open + 1, close - open - 1);
    const std::size_t arrow = inside.find(" -> ");
    if (arrow == std::string_view::npos)
        return {inside, inside};
    return {inside.substr(0, arrow), inside.substr(arrow + 4)};
}

std::pair<std::uint32_t, std::string_view> syncTypeOf(std::string_view kind)
{
    if (kind.starts_with("Event"))
        return {1, "Event sync"};
    if (kind.starts_with("Stream Wait"))
        return {2, "Stream wait sync"};
    if (kind.starts_with("Stream"))
        return {3, "Stream sync"};
    if (kind.starts_with("Context"))
        return {4, "Context sync"};
    return {0, "Unknown sync"};
}

Dim3 dimensionsOf(const JsonValue& list)
{
    if (!list.there())
        return {0, 0, 0}; // some writers leave it out, as of kernels in a graph
    const std::vector<std::int64_t> sides = integersOf(list, 3);
    const auto side = [&](std::size_t i) { return i < sides.size() ? natural32Of(sides[i]) : 1; };
    return {side(0), side(1), side(2)};
}

Dim3 gridInBlocks(Dim3 threads, Dim3 block)
{
    const auto blocks = [](std::int32_t all, std::int32_t each) {
        return each > 0 ? all / each + (all % each != 0 ? 1 : 0) : all;
    };
    return {blocks(threads.x, block.x), blocks(threads.y, block.y), blocks(threads.z, block.z)};
}

} // namespace warpline
