#pragma once

#include "core/base/message.h"
#include "core/findings/host_activity.h"
#include "core/findings/program_kind.h"

#include <string>
#include <string_view>

namespace warpline {

/// What to do about a GPU that idles while the launching thread does `doing`.
Message idleRemedyFor(HostDoing doing, const ProgramKind& program);
/// The topic of the advice that goes with it, see adviceFor(); empty: there is none.
std::string_view idleTopicFor(HostDoing doing);

} // namespace warpline
