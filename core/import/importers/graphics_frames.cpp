// Frames of programs that draw, as ranges, in reports without NVTX; the importer of NVTX adds them to its
// own.

#include "core/import/frames.h"
#include "core/import/importer.h"
#include "core/store/nvtx_types.h"

namespace warpline::graphics_frames {

namespace {

Result<void> importFrames(ImportJob& job)
{
    const std::shared_ptr<const Trace> trace = job.trace.snapshot();
    if (!trace->nvtx().empty())
        return {};
    const std::vector<Frame> frames = framesOf(*trace, job.trace.pool());
    if (frames.empty())
        return {};
    TableBuilder builder(EventKind::Nvtx);
    for (const Frame& frame : frames) {
        builder.add(builder.track(frame.track), frame.time.start, frame.time.end,
            job.trace.pool().intern(frame.name), 0);
        builder.addAttribute(0);
    }
    auto ranges = std::make_shared<NvtxTable>();
    builder.finishInto(*ranges);
    ranges->attributes.emplace_back().eventType = graphicsFrame;
    job.trace.setTable(std::shared_ptr<const NvtxTable>(std::move(ranges)));
    return {};
}

} // namespace

extern constinit const Importer graphicsFrames{.id = "graphics-frames",
    .progressText = "Counting frames",
    .needs = {}, // calls that were read; skips quickly when there are none
    .run = importFrames};

} // namespace warpline::graphics_frames
