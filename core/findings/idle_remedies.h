#pragma once

#include "core/analysis/idle_cause.h"
#include "core/analysis/program_kind.h"
#include "core/base/message.h"

#include <string>
#include <string_view>

namespace warpline {

/// The remedy for a GPU that idles while the launching thread does `doing`. `namesFunctions`: the report
/// names the Python functions that run.
Message idleRemedyFor(IdleCause doing, const ProgramKind& program, bool namesFunctions);
/// The topic of further advice, see adviceFor(); empty: there is none.
std::string_view idleTopicFor(IdleCause doing);

} // namespace warpline
