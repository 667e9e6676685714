// Ranges on the CPU by name, from the end of the call that begins one to the start of the call that ends it;
// both have one number.

#include "core/stats/library_groups.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array sources{LibrarySource{"D3D12_PIX_DEBUG_API", "PIX"}};

} // namespace

extern constinit const StatsTable dx12PixSum{.id = "dx12_pix_sum",
    .title = "DX12 PIX Range Summary",
    .description = "Which ranges of PIX take longest in Direct3D 12? Ranges on the CPU by name.",
    .arguments = {},
    .applies = [](const Trace& trace) { return hasLibraryEvents(trace, sources); },
    .fill = [](const Trace& trace, const StatsQuery& query) { return labelSummary(trace, query, sources); },
    .origin = TableOrigin::Documented,
    .group = TableGroup::Other};

} // namespace warpline
