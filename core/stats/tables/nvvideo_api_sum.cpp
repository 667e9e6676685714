// Calls of the video libraries by name and by the library: decoder, encoder, JPEG.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"NVVIDEO_DECODER_API", "Decoder"},
    LibrarySource{"NVVIDEO_ENCODER_API", "Encoder"}, LibrarySource{"NVVIDEO_JPEG_API", "JPEG"}};

} // namespace

extern constinit const StatsTable nvvideoApiSum{.id = "nvvideo_api_sum",
    .title = "NvVideo API Summary",
    .description
    = "Which calls of the video libraries take longest? Calls of the video decoder, encoder and JPEG libraries by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill =
        [](const Trace& trace, const StatsQuery& query) {
            return librarySummary(trace, query, sources, "Num Calls", "Name", true, false, "Event Type");
        },
    .origin = TableOrigin::Documented,
    .group = TableGroup::Other};

} // namespace warpline
