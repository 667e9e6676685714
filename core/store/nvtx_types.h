#pragma once

#include <cstdint>
#include <string_view>

namespace warpline {

// ENUM_NSYS_EVENT_TYPE values in NVTX_EVENTS; the same in every version of the export.

/// Values of NvtxAttributes::eventType.
inline constexpr std::uint8_t nvtxMark = 34;
inline constexpr std::uint8_t nvtxPushPop = 59;
inline constexpr std::uint8_t nvtxStartEnd = 60;

/// Not NVTX: a frame, from one picture to the next; nsys' tables about NVTX have none.
inline constexpr std::uint8_t graphicsFrame = 1;

/// Rows that only name things.
inline constexpr std::uint8_t nvtxCategoryName = 33;
inline constexpr std::uint8_t nvtxThreadName = 39;
inline constexpr std::uint8_t nvtxDomainName = 75;

/// The domain whose marks are samples of Python stacks (nsys profile --python-sampling=true). Their stacks
/// are payloads, which an export only contains on request (nsys export --include-json=true).
inline constexpr std::string_view pythonSamplesDomain = "Python Periodic Sampling";

} // namespace warpline
