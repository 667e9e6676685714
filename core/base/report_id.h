#pragma once

#include <cstdint>

namespace warpline {

/// One of the reports that are open together, by its place among them. ReportId{} (0) is the first.
enum class ReportId : std::uint16_t {};

constexpr std::uint16_t raw(ReportId id)
{
    return static_cast<std::uint16_t>(id);
}

} // namespace warpline
