#pragma once

#include "core/import/importer.h"
#include "core/store/table_builder.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace warpline {

/// The queues of Windows' display driver model, as nsys numbers them.
enum class WddmQueue : std::uint8_t { Queue, Dma, Paging };
/// "queue", "dma", "paging": as nsys names them.
std::string_view labelOf(WddmQueue queue);
/// The table of the packets that enter such a queue: Track::source of its events.
std::string_view sourceOf(WddmQueue queue);

/// Adds the packets of all queues: from the start of a packet to the next stop of the same number in the same
/// queue. They are GPU work, in a row per context, named after the engine. MessageFacts identify the queue:
/// `communicator` the context, `root` the engine type, `tag` the node; notSaid for paging. `finish` sets the
/// other columns of an added event.
Result<void> appendWddmPackets(
    ImportJob& job, TableBuilder& all, const std::function<void(const MessageFacts&)>& finish);

} // namespace warpline
