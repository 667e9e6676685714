#pragma once

#include "core/base/message.h"
#include "core/store/event_table.h"

namespace warpline {

/// labelOf() as a message: "Pageable", "Pinned", "Device".
Message memoryText(MemoryKind kind);

} // namespace warpline
