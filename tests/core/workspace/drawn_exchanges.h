#pragma once

#include "core/workspace/exchange_lane.h"

#include <initializer_list>
#include <memory>
#include <string>

namespace warpline::test {

/// Exchanges of one communicator for a workspace of one report: a lane for each of `ranks`, in which kernel 0
/// waits and transfers in 20..60. With the heading and the communicator that are two rows more.
inline std::shared_ptr<const ExchangeRows> drawnExchanges(std::initializer_list<std::uint32_t> ranks)
{
    auto rows = std::make_shared<ExchangeRows>(1);
    rows->front().key = "nccl:1";
    rows->front().label = "NCCL communicator";
    for (const std::uint32_t rank : ranks) {
        auto lane = std::make_shared<ExchangeLane>(
            std::vector<ExchangeSlice>{{{20, 60}, 10, {EventKind::Kernel, 0}}});
        lane->rank = rank;
        lane->label = "rank " + std::to_string(rank);
        rows->front().lanes.push_back(std::move(lane));
    }
    return rows;
}

} // namespace warpline::test
