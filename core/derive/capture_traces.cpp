#include "core/derive/capture_traces.h"

#include "core/derive/kept_answers.h"
#include "core/store/trace.h"

namespace warpline {

namespace {

using Captures = std::vector<std::shared_ptr<const Trace>>;

KeptAnswers<Links, Captures> keptCaptures;

} // namespace

void keepCaptureTraces(const Trace& trace, Captures captures)
{
    if (trace.links)
        keptCaptures.of(trace.links, [&] { return std::move(captures); });
}

Captures captureTracesOf(const Trace& trace)
{
    const auto kept = trace.links ? keptCaptures.known(trace.links) : nullptr;
    return kept ? *kept : Captures();
}

} // namespace warpline
