#pragma once

#include "core/overview/overview.h"

#include <stop_token>
#include <string>

namespace warpline {

class RunFacts;

/// "The GPU works for 7.3 ms (2.1%): 3.1 ms in kernels (1 launch), ..." by the parts of `overview`; empty: no
/// GPU works. Throws Stopped when `stop` is requested.
std::string textOfWork(
    const RunOverview& overview, const Trace& trace, RunFacts& facts, const std::stop_token& stop);

/// What pages of unified memory do after the last kernel or copy: ", meanwhile 24 migrations bring ...";
/// empty: nothing.
std::string textOfPagesBack(const RunOverview& overview, const Trace& trace, const std::stop_token& stop);

} // namespace warpline
