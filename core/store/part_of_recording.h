#pragma once

#include "core/base/time.h"

#include <optional>
#include <string>
#include <string_view>

namespace warpline {

struct ReportInfo;

/// What a report that was cut from another one remembers of it: what lies outside is not in the file, which
/// says nothing of what the program did then.
struct RecordingPart {
    TimeRange kept; ///< events that touch it are there, each as a whole
    TimeRange whole; ///< the session of the report that it was cut from
    TimeRange gpuWork; ///< of that report, from the first to the last; empty: none

    bool beginsLater() const { return kept.start > whole.start; }
    friend bool operator==(const RecordingPart&, const RecordingPart&) = default;
};

/// The table of a cut export that holds it.
inline constexpr std::string_view partTable = "WARPLINE_PART";

/// What `info` says of its report being a part; nothing: it is whole. It is kept among the facts of how the
/// report was recorded (ReportInfo::capture), where users see it.
std::optional<RecordingPart> partOf(const ReportInfo& info);
/// Ignores a part without a length.
void setPart(ReportInfo& info, const RecordingPart& part);

} // namespace warpline
