#pragma once

#include "core/export/json_text.h"
#include "core/overview/serving_sentence.h"
#include "core/steps/serving.h"

#include <vector>

namespace warpline {

/// [{pid, tid, pattern, first_token_ns, per_token_ns, tokens_per_second, output_tokens, groups: [{phase,
/// requests, steps, prompt_tokens, output_tokens, total_ns, median_host_ns, first_token_ns, per_token_ns,
/// tokens_per_second}]}]: one per thread that runs a model server, like Serving; unknown values are null.
/// Null: there is none.
Json servingJson(const std::vector<Serving>& all);

} // namespace warpline
