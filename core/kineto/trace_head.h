#pragma once

#include "core/store/recorder.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

struct Device;

/// A process group: ranks that exchange with one another.
struct ProcessGroup {
    std::string name; ///< "0"; the same on all its ranks
    std::string description; ///< "default_pg"
    std::vector<std::int64_t> members; ///< empty: not said
    std::int64_t size = 0; ///< 0: not said
};

/// What stands in a trace beside its events.
struct TraceHead {
    std::int64_t baseNs = 0; ///< what times are counted from, in UTC; 0: they are UTC themselves
    std::string schemaVersion;
    std::string hostName;
    std::vector<Device> devices; ///< in the order of the file
    ReportRank rank;
    std::vector<ProcessGroup> groups;
    std::vector<std::pair<std::string, std::string>> options; ///< of the profiler: "record_shapes", "yes"
    std::vector<std::pair<std::string, std::string>> facts; ///< anything else that is short
};

/// Reads the values beside the events (EventSplitter::fields()): what is missing or of another shape is left
/// out. Lists and objects that it does not know are not kept: they hold environments, and with them secrets.
TraceHead readHead(const std::vector<std::pair<std::string, std::string>>& fields);

} // namespace warpline
