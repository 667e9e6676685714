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
    std::vector<std::int64_t> members; ///< empty: unknown
    std::int64_t size = 0; ///< 0: unknown
};

/// The data of a trace outside of its events.
struct TraceHead {
    std::int64_t baseNs = 0; ///< origin of the times, in UTC; 0: times are UTC
    std::string schemaVersion;
    std::string hostName;
    std::vector<Device> devices; ///< in the order of the file
    ReportRank rank;
    std::vector<ProcessGroup> groups;
    std::vector<std::pair<std::string, std::string>> options; ///< of the profiler: "record_shapes", "yes"
    std::vector<std::pair<std::string, std::string>> facts; ///< anything else that is short
};

/// Parses the values outside of the events (EventSplitter::fields()); skips missing ones and those of another
/// type. Drops unknown lists and objects, because they hold environments, and so secrets.
TraceHead readHead(const std::vector<std::pair<std::string, std::string>>& fields);

} // namespace warpline
