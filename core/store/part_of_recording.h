#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

#include <optional>
#include <string>
#include <string_view>

namespace warpline {

class Trace;
struct ReportInfo;

/// Facts about the original recording of a cut report, which does not contain what happened outside of the
/// part.
struct RecordingPart {
    TimeRange kept; ///< events that touch it are there, each as a whole
    TimeRange whole; ///< the session of the report that it was cut from
    TimeRange gpuWork; ///< of that report, from the first to the last; empty: none

    bool beginsLater() const { return kept.start > whole.start; }
    bool isWhole() const { return kept.unitedWith(whole) == kept; }
    friend bool operator==(const RecordingPart&, const RecordingPart&) = default;
};

/// The table of a cut export that holds it.
inline constexpr std::string_view partTable = "WARPLINE_PART";

/// The part that the report of `info` is; nothing: it is whole. Stored in ReportInfo::capture, where users
/// see it.
std::optional<RecordingPart> partOf(const ReportInfo& info);
/// The session of the recording that `trace` holds, or a part of.
TimeRange recordedSession(const Trace& trace);
/// False, and nothing is stored: the part has no length, or impossible times.
bool setPart(ReportInfo& info, const RecordingPart& part);

/// "a part of a recording: 100.0 ms, from 100 ms to 200 ms of 378.7 ms".
Message partText(const RecordingPart& part);
/// "x.sqlite is a part of a recording: ...". Empty: the report of `info` is whole.
Message partNote(const ReportInfo& info);

} // namespace warpline
