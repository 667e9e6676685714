#pragma once

#include "core/base/message.h"
#include "core/store/recorder.h"

#include <optional>
#include <string>
#include <string_view>

namespace warpline {

struct ReportInfo;
class Trace;

/// How to record missing data, with the options of the recorder in use. Parts of sentences.
struct RecordingAdvice {
    struct Text {
        Literal key;
        Literal english;
        operator Message() const { return {key, english}; }
    };
    std::string_view recorderName; ///< "nsys"; empty: it has none
    Text cudaCalls; ///< records CUDA calls and GPU work
    Text hostCode; ///< shows what the host computes
    Text hostCodeOfPython; ///< the same for a program in Python
    Text osCalls; ///< a sentence: shows the calls in which a thread waits
    Text steadySteps; ///< leaves out the start

    Message recorder() const; ///< "nsys", "the tool that wrote this trace"
};

/// The advice for reports by `recorder`.
const RecordingAdvice& recordingAdvice(Recorder recorder);
const RecordingAdvice& recordingAdvice(const Trace& trace);

/// "--trace=cuda,nvtx,osrt,openmp": the option for the next recording with nsys, including everything traced
/// in this one. O(tracks).
std::string traceOption(const Trace& trace);

/// Whether nsys was told to trace CUDA; nothing where the report does not show it.
std::optional<bool> wasCudaTraced(const ReportInfo& info);

/// The tables that nsys was told to export; empty: all.
std::string_view exportedTables(const ReportInfo& info);
/// Whether the export was told to leave out `table`; false where that is not known.
bool isLeftOut(const ReportInfo& info, std::string_view table);

} // namespace warpline
