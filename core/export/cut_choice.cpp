#include "core/export/cut_choice.h"

#include "core/analysis/scope.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"

namespace warpline {

CutOptions cutOf(const Trace& trace, TimeRange window, bool redact)
{
    CutOptions cut{.window = window, .redact = redact};
    cut.kept = window.clippedTo(trace.session);
    if (window.empty() || cut.kept == trace.session) {
        cut.window = {trace.session.start, trace.session.end + 1};
        cut.isWhole = true;
        return cut;
    }
    const auto part = partOf(trace.info); // of a part it remembers the whole
    cut.session = part ? part->whole : trace.session;
    cut.gpuWork = lifeOfGpus(trace);
    return cut;
}

} // namespace warpline
