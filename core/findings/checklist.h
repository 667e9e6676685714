#pragma once

#include "core/base/message.h"
#include "core/base/time.h"
#include "core/coverage/gpu_times.h"
#include "core/store/track_filter.h"

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class TraceAnalysis;
class Trace;

/// Where the communication of GPUs waits for other ranks: KnownWaits of budgets.
using WaitsByGpu = std::map<GpuOfProcess, std::vector<TimeRange>>;

/// Answers to a question of the checklist.
enum class Answer : std::uint8_t {
    Yes, ///< as it should be
    No,
    Negligible, ///< no, but it costs too little to matter
    NotApplicable, ///< the program does nothing of the kind
    NotRecorded, ///< the report lacks the data
};
std::string_view keyOf(Answer answer); ///< "yes", "no", "negligible", "not_applicable", "not_recorded"
/// "yes", "no", "no, negligible", "does not apply", "not recorded".
Message wordOf(Answer answer);
/// True when there was something to analyze: the answer then has a value.
constexpr bool isJudged(Answer answer)
{
    return answer == Answer::Yes || answer == Answer::No || answer == Answer::Negligible;
}

/// A part of the analyzed time, with a key for programs and a title for people.
struct ChecklistPart {
    std::string_view key; ///< "communicating"
    Ns time = 0;
};

/// One question of the checklist with the report's answer.
struct ChecklistAnswer {
    std::string_view id; ///< "gpu_busy": in JSON and tests
    Message question; ///< "Does the GPU compute over 80% of the time?"
    Answer answer = Answer::NotRecorded;
    Message figure; ///< "93.4% computing"; empty when there is nothing to analyze
    double percent = 0; ///< `figure` as a number: 93.4...
    Message explanation; ///< one sentence with the values behind the answer, or what is missing
    std::vector<std::string_view> rules; ///< Rule::id of the rules whose findings give details
    TimeRange over; ///< the analyzed time; Scope::range
    /// Where the time went, when the question is about that: parts that add up to `over`, and "waiting",
    /// which lies in "communicating".
    std::vector<ChecklistPart> parts;
};

/// Why there is nothing to analyze, where all answers say so or lack their data; empty: there is something.
Message nothingToJudge(std::span<const ChecklistAnswer> answers);

/// The five questions, always in the same order: does the GPU compute, are transfers hidden, are collectives
/// hidden, is the host free of needless waits, are kernels long enough. Each covers Scope::range of the
/// window of `whole`. `knownWaits`: where communication waits, from the reports of other ranks. A GPU without
/// an entry waits at least as long as its own fastest collectives imply. `covers` selects GPUs and threads,
/// over the same time. Empty when the stop token of `whole` is requested. O(n log n) in the events of the
/// window.
std::vector<ChecklistAnswer> answerChecklist(
    TraceAnalysis& whole, const WaitsByGpu& knownWaits = {}, const TrackFilter& covers = {});

} // namespace warpline
