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
/// A table of `kind`'s own type. `archive` fails where columns that belong together do not fit, events are
/// out of order, or anything is called by a name beyond the first `names`.
std::shared_ptr<const EventTable> readTable(ArchiveReader& archive, EventKind kind, std::size_t names);

} // namespace warpline
