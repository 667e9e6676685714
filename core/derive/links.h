#pragma once

#include "core/store/links.h"

#include <memory>

namespace warpline {

class Trace;

/// Joins GPU work to the API calls that launched it by (process, correlation id); ids are unique within a
/// process. Work of an unknown process is joined by the id alone. Nearly O(n): ids are dense, so calls are
/// found through a direct table.
std::shared_ptr<const Links> linkWork(const Trace& trace, const std::stop_token& stop = {});

} // namespace warpline
