#pragma once

#include "core/steps/serving_names.h"
#include "core/steps/steps.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// One step of a model server.
struct ServingStep {
    EventRef range;
    ServedWork served;
    TimeRange host; ///< the range itself
    bool counts = true; ///< false: warm-up, not part of groups and medians
    bool isStep = true; ///< false: a prompt between the steps of the series
    Ns done = 0; ///< when its tokens are there: the end of the range, or of the last GPU work launched in it
    /// How long its requests waited for these tokens (ns): from the end of the previous step, which made the
    /// previous ones; for a step that only processes prompts, from its start. For the first step: from its
    /// start or, where its work ends after its range, from the start of that work.
    Ns tokenTime = 0;
};

bool hasPrompts(const ServingStep& step); ///< ends with the first token of a request
bool hasFurtherTokens(const ServingStep& step); ///< ends with a further token of a request

/// Steps of one kind with one number of requests.
struct ServingGroup {
    StepKind kind = StepKind::Plain;
    std::int64_t requests = -1; ///< -1: not in the names
    std::vector<std::size_t> steps; ///< indexes into Serving::steps, warm-up left out
    Ns total = 0; ///< of their tokenTime
    Ns median = 0; ///< of their ranges on the host
    Ns firstToken
        = -1; ///< median time from the start of a step with prompts until it is done; -1: no prompts
    Ns perToken = -1; ///< median of tokenTime of steps that make further tokens; -1: none does
    std::int64_t promptTokens = -1; ///< in all of them; -1: not in a name
    std::int64_t outputTokens = -1;
    /// Tokens that they make in a second of their time; below 0: not known.
    double tokensPerSecond() const;
};

/// The steps of one thread of a model server. Times are those of the server: a queued request waits longer
/// for its first token.
struct Serving {
    GlobalId thread = 0;
    std::string pattern;
    std::vector<ServingStep> steps; ///< in order of time, with the prompts between them
    std::vector<ServingGroup> groups; ///< by kind, then requests
    Ns firstToken = -1; ///< median over all steps with prompts; -1: none
    Ns perToken = -1; ///< median over all steps that make further tokens; -1: none
    TimeRange span; ///< from the start of the first steady step until the last one is done; of a lone step,
                    ///< its GPU work
    std::int64_t outputTokens = -1; ///< of the steady steps of the series; -1: not in a name
    double tokensPerSecond() const; ///< over `span`; below 0: not known
};

/// The work of the steps of `series` and of the prompts between them, with or without names that show it.
/// O(API calls of their thread). Throws Stopped.
Serving servingOf(const Trace& trace, const StepSeries& series, const std::stop_token& stop = {});

/// The model servers among the threads of findStepsOfThreads(): those whose names contain prefill or decode.
/// Empty: none. O(API calls). Throws Stopped.
std::vector<Serving> servingOf(
    const Trace& trace, TimeRange window, const std::string& glob = {}, const std::stop_token& stop = {});

} // namespace warpline
