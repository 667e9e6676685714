#pragma once

#include "core/store/links.h"

#include <memory>

namespace warpline {

class Trace;

/// Joins GPU work to the API calls that started it by (process, correlation id). Ids are unique within a
/// process only. Work whose process the report does not say is joined by the id alone. Nearly O(n): ids are
/// dense, so a process's calls are found through a direct table.
std::shared_ptr<const Links> linkWork(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
