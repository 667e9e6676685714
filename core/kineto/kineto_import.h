#pragma once

#include "core/import/import_log.h"
#include "core/kineto/event_reader.h"
#include "core/kineto/trace_head.h"
#include "core/store/trace_builder.h"

#include <memory>

namespace warpline {

/// Fills the tables and facts of `trace` from all events. Times become relative to the first event, GPUs
/// without a process get the one that launched most of their work, and ranges of two events are joined.
/// `middle`: origin of the times in `events`. `log` gets the repairs. Leaves `events` empty.
void fillTrace(EventReader& events, const TraceHead& head, Ns middle, TraceBuilder& trace, ImportLog& log);

/// Makes a table of `builder`: its times count from `zero`. Tracks without a process stay so.
template <typename Table> std::shared_ptr<Table> unownedTableOf(TableBuilder& builder, Ns zero)
{
    auto table = std::make_shared<Table>();
    table->kind = builder.kind();
    builder.countSourceRows(builder.size());
    builder.finishInto(*table);
    for (Ns& start : table->start)
        start -= zero;
    table->indexBlocks();
    return table;
}

} // namespace warpline
