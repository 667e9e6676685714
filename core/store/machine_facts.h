#pragma once

#include "core/store/trace.h"

#include <string>
#include <string_view>

namespace warpline {

/// Replaces host and command line of `info` for sharing: "host-3fa2c1", the same for one host, and the
/// program with its option names and numbers. hostOf() and commandOf() still return the originals.
/// Idempotent.
void hideMachine(ReportInfo& info);
/// `trace` with host and command line as they were recorded: for whoever asked.
Trace withMachine(const Trace& trace);

std::string hostOf(const ReportInfo& info); ///< as recorded; empty: unknown
std::string commandOf(const ReportInfo& info); ///< as recorded, without credentials; empty: unknown

/// Whether a fact of ReportInfo::capture or ::system with this name identifies user or host, and is only
/// shown on request.
bool isOfMachine(std::string_view fact);

} // namespace warpline
