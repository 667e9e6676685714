#include "core/store/memory_words.h"

#include <array>

namespace warpline {

Message memoryText(MemoryKind kind)
{
    static constexpr std::array<std::string_view, 8> keys{
        "pageable", "pinned", "device", "array", "managed", "device_static", "managed_static", "unknown"};
    return {"memory.kind",
        "{kind, select, pageable {Pageable} pinned {Pinned} device {Device} array {Array} managed {Managed} device_static {Device Static} managed_static {Managed Static} other {Unknown}}",
        {{"kind", Name{std::string(keys.at(static_cast<std::size_t>(kind)))}}}};
}

} // namespace warpline
