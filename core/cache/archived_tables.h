#pragma once

#include "core/base/string_pool.h"
#include "core/cache/archive.h"
#include "core/store/event_table.h"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace warpline {

void writePool(ArchiveWriter& archive, const StringPool& pool);
/// The names that writePool() wrote, under the same ids; `archive` fails where they are none.
std::shared_ptr<StringPool> readPool(ArchiveReader& archive);

void writeTable(ArchiveWriter& archive, const EventTable& table);
/// Reads a table of the type of `kind`. `archive` fails where columns do not fit together, events are out of
/// order, or a name is not below `names`.
std::shared_ptr<const EventTable> readTable(ArchiveReader& archive, EventKind kind, std::size_t names);

} // namespace warpline
