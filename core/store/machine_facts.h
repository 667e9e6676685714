#pragma once

#include "core/store/trace.h"

#include <string>
#include <string_view>

namespace warpline {

/// Replaces host and command line of `info` by what anyone may see: "host-3fa2c1", the same for one host, and
/// the program with the names of its options and its numbers. What they were stays known, see hostOf() and
/// commandOf(). Again: nothing changes.
void hideMachine(ReportInfo& info);
/// `trace` with host and command line as they were recorded: for whoever asked.
Trace withMachine(const Trace& trace);

std::string hostOf(const ReportInfo& info); ///< as recorded; empty: not told
std::string commandOf(const ReportInfo& info); ///< as recorded, without credentials; empty: not told

/// Whether a fact of ReportInfo::capture or ::system with this name tells of who recorded it or where, and is
/// shown only when asked.
bool isOfMachine(std::string_view fact);

} // namespace warpline
