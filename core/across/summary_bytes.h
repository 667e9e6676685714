#pragma once

#include "core/across/rank_summary.h"
#include "core/base/result.h"

#include <string>
#include <string_view>

namespace warpline {

/// `summary` as bytes, to be sent to another process of this program: on any machine, of the same version.
std::string bytesOf(const ReportSummary& summary);

/// The summary that bytesOf() made `bytes` of. Error: they are cut, changed or of another version.
Result<ReportSummary> summaryFrom(std::string_view bytes);

} // namespace warpline
