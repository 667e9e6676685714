#pragma once

#include "core/base/message.h"
#include "core/store/part_of_recording.h"

namespace warpline {

/// "a part of a recording: 100.0 ms, from 100 ms to 200 ms of 378.7 ms".
Message partText(const RecordingPart& part);
/// "x.sqlite is a part of a recording: ...". Empty: the report of `info` is whole.
Message partNote(const ReportInfo& info);

} // namespace warpline
