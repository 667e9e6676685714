#pragma once

#include "core/analysis/idle_cause.h"
#include "core/analysis/program_kind.h"
#include "core/base/message.h"

#include <string>
#include <string_view>

namespace warpline {

/// What to do about a GPU that idles while the launching thread does `doing`. `namesFunctions`: the report
/// says which functions of Python run.
Message idleRemedyFor(IdleCause doing, const ProgramKind& program, bool namesFunctions);
/// The topic of the advice that goes with it, see adviceFor(); empty: there is none.
std::string_view idleTopicFor(IdleCause doing);

} // namespace warpline
