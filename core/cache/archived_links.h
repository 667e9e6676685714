#pragma once

#include "core/cache/archive.h"
#include "core/store/callchains.h"
#include "core/store/counter_table.h"
#include "core/store/links.h"

#include <memory>
#include <vector>

namespace warpline {

class Trace;

// The parts of a trace other than its tables: call stacks, links of calls and GPU work, counters. A reader
// fails where columns do not fit together.

void writeChains(ArchiveWriter& archive, const std::shared_ptr<const Callchains>& chains);
/// Null where there were none. Names of frames must be below `names`.
std::shared_ptr<const Callchains> readChains(ArchiveReader& archive, std::size_t names);

void writeLinks(ArchiveWriter& archive, const Links& links);
/// fitTables() checks the targets of the links.
std::shared_ptr<const Links> readLinks(ArchiveReader& archive);
/// Whether `links`, and the derived events, lead to rows that the tables of `trace` have.
bool fitTables(const Trace& trace, const Links& links);

void writeCounters(ArchiveWriter& archive, const std::vector<CounterSeries>& counters);
std::vector<CounterSeries> readCounters(ArchiveReader& archive, std::size_t names);

} // namespace warpline
