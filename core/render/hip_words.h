#pragma once

#include "core/render/language.h"

#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// A rule's advice, which is written for CUDA, with HIP's functions, variables and commands:
/// "cudaMallocAsync"
/// -> "hipMallocAsync". Not for names out of a report. `first`: words of a language, replaced before.
std::string inWordsOfHip(std::string advice, std::span<const WordOfHip> first = {});
/// The title or description of a table, which says CUDA, of a report that has HIP.
std::string tableWordsOfHip(std::string_view text);

} // namespace warpline
