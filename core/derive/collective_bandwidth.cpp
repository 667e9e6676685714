#include "core/derive/collective_bandwidth.h"

namespace warpline {

CollectiveBandwidth collectiveBandwidth(
    std::string_view operation, std::int64_t bytes, std::int64_t ranks, Ns time)
{
    CollectiveBandwidth found;
    if (bytes <= 0 || time <= 0)
        return found;
    const double rate = static_cast<double>(bytes) / static_cast<double>(time); // bytes a ns are GB/s
    const auto n = static_cast<double>(ranks);
    const bool isKnown = ranks > 1;
    if (operation == "all-gather" || operation == "reduce-scatter") {
        found.busOfOne = rate;
        found.algorithm = isKnown ? rate * n : 0;
        found.bus = isKnown ? rate * (n - 1) : 0;
        return found;
    }
    found.algorithm = rate;
    if (operation == "all-reduce")
        found.bus = isKnown ? rate * 2 * (n - 1) / n : 0;
    else if (operation == "all-to-all")
        found.bus = isKnown ? rate * (n - 1) / n : 0;
    else
        found.bus = rate;
    return found;
}

} // namespace warpline
