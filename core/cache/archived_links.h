#pragma once

#include "core/cache/archive.h"
#include "core/store/trace.h"

#include <memory>
#include <vector>

namespace warpline {

// What a trace has beside its tables: call stacks, the links of calls and GPU work, counters. A reader fails
// where columns that belong together do not fit.

void writeChains(ArchiveWriter& archive, const std::shared_ptr<const Callchains>& chains);
/// Null where there were none.
std::shared_ptr<const Callchains> readChains(ArchiveReader& archive);

void writeLinks(ArchiveWriter& archive, const Links& links);
std::shared_ptr<const Links> readLinks(ArchiveReader& archive);

void writeCounters(ArchiveWriter& archive, const std::vector<CounterSeries>& counters);
std::vector<CounterSeries> readCounters(ArchiveReader& archive);

} // namespace warpline
