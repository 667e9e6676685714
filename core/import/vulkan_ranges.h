#pragma once

#include "core/import/importer.h"
#include "core/store/table_builder.h"

#include <functional>
#include <string_view>

namespace warpline {

/// Track::source of command buffers, which no table of the export has.
inline constexpr std::string_view commandBufferSource = "VULKAN_API (command buffers)";

/// Adds ranges derived from Vulkan calls, as rows of their thread: command buffers, from the end of
/// vkBeginCommandBuffer to the start of vkEndCommandBuffer on the same buffer; and creation of pipelines and
/// their stages (VULKAN_PIPELINE_CREATION_EVENTS), from the start of the creating call. `finish` sets the
/// other columns of an added event.
Result<void> appendVulkanRanges(ImportJob& job, TableBuilder& all, const std::function<void()>& finish);

} // namespace warpline
