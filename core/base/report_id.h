#pragma once

#include <cstdint>

namespace warpline {

/// Index of a report among those that are open together. ReportId{} (0) is the first.
enum class ReportId : std::uint16_t {};

constexpr std::uint16_t raw(ReportId id)
{
    return static_cast<std::uint16_t>(id);
}

} // namespace warpline
