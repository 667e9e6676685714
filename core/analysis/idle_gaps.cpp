#include "core/analysis/idle_gaps.h"

#include "core/store/trace.h"

#include <algorithm>

namespace warpline {

GapCause causeOf(const Trace& trace, TraceAnalysis& facts, const IdleGap& gap)
{
    GapCause cause;
    cause.call = facts.callOf(gap.next);
    if (cause.call == noIndex)
        return cause;
    cause.known = true;
    cause.thread = facts.threadOf(cause.call);
    const Ns returned = trace.apiCalls().end(cause.call);
    cause.host = {gap.range.start, std::clamp(returned, gap.range.start, gap.range.end)};
    cause.parts = facts.host(cause.thread).split(cause.host);
    cause.parts[indexOf(IdleCause::Queued)] += gap.range.end - cause.host.end;
    cause.main = static_cast<IdleCause>(std::ranges::max_element(cause.parts) - cause.parts.begin());
    return cause;
}

} // namespace warpline
