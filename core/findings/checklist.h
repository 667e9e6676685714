#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

class Trace;

/// What the report says to a question of the checklist.
enum class Answer : std::uint8_t {
    Yes, ///< as it should be
    No,
    NotRecorded, ///< nothing to judge: not recorded, or the program does nothing of the kind; see explanation
};
std::string_view keyOf(Answer answer); ///< "yes", "no", "not_recorded"
std::string_view wordOf(Answer answer); ///< "yes", "no", "not recorded"

/// One question that every profile is asked first, and what this one answers.
struct ChecklistAnswer {
    std::string_view id; ///< "gpu_busy": in JSON and tests
    std::string_view question; ///< "Is the GPU busy over 80% of the time?"
    Answer answer = Answer::NotRecorded;
    std::string figure; ///< "93.4% busy"; empty when nothing was recorded
    std::string explanation; ///< one sentence with the figures behind the answer, or what is missing
    std::vector<std::string_view> rules; ///< Rule::id of the rules whose findings tell more
    TimeRange over; ///< the time that was judged; see judgedRange()
};

/// The time a judgement should be about: the steady steps of `window` until the GPUs are done with what they
/// launched. Without steps the part of `window` between the first and the last GPU work of the report; empty
/// when there is none.
TimeRange judgedRange(const Trace& trace, TimeRange window, std::stop_token stop = {});

/// The five questions, always all and in the same order: is the GPU busy, are transfers hidden, are
/// collectives hidden, is there no needless waiting, are kernels long enough. Each is judged over
/// judgedRange() of `window`. `stepGlob` names the steps; empty: they
/// are found. Nothing when `stop` is requested. O(n log n) in the events of the window.
std::vector<ChecklistAnswer> answerChecklist(
    const Trace& trace, TimeRange window, std::stop_token stop = {}, const std::string& stepGlob = {});

} // namespace warpline
