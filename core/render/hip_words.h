#pragma once

#include "core/render/language.h"

#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// Translates a rule's advice from CUDA's to HIP's functions, variables and commands: "cudaMallocAsync" ->
/// "hipMallocAsync". Not for names from a report. `first`: a language's own words, replaced before.
std::string inWordsOfHip(std::string advice, std::span<const WordOfHip> first = {});
/// The title or description of a table with CUDA's terms, for a report with HIP.
std::string tableWordsOfHip(std::string_view text);

} // namespace warpline
