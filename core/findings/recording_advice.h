#pragma once

#include "core/base/message.h"
#include "core/store/recorder.h"

#include <optional>
#include <string>
#include <string_view>

namespace warpline {

struct ReportInfo;
class Trace;

/// How what a report lacks is recorded, in the words of the program that recorded it. Parts of sentences.
struct RecordingAdvice {
    struct Text {
        Literal key;
        Literal english;
        operator Message() const { return {key, english}; }
    };
    std::string_view recorderName; ///< "nsys"; empty: it has none
    Text cudaCalls; ///< what records CUDA's calls and work
    Text hostCode; ///< what shows what the host computes
    Text hostCodeOfPython; ///< the same for a program in Python
    Text osCalls; ///< a sentence: what shows the calls that a thread waits in
    Text steadySteps; ///< what leaves the start out

    Message recorder() const; ///< "nsys", "the tool that wrote this trace"
};

/// The words for reports that `recorder` made.
const RecordingAdvice& recordingAdvice(Recorder recorder);
const RecordingAdvice& recordingAdvice(const Trace& trace);

/// "--trace=cuda,nvtx,osrt,openmp": what a next recording with nsys traces, with all that this one traced.
/// O(tracks).
std::string traceOption(const Trace& trace);

/// Whether nsys was told to trace CUDA; nothing where the report does not say.
std::optional<bool> wasCudaTraced(const ReportInfo& info);

} // namespace warpline
