#pragma once

#include "core/base/message.h"
#include "core/steps/serving.h"

namespace warpline {

/// "Time to the first token: 45 ms from the start of its step. Time per further token: 12.3 ms with 16
/// requests at a time. The server makes 1,300 tokens per second.": medians. Empty where no name shows how
/// many requests a step serves.
Message servingSentence(const Serving& serving);

} // namespace warpline
