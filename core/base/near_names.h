#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// How many letters must be changed, added, left out or swapped with their neighbour to get from `a` to `b`
/// (https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance, the restricted one). O(|a| |b|).
std::size_t editsBetween(std::string_view a, std::string_view b);

/// Small letters without underscores: what is written otherwise by mistake most often.
std::string keyOfName(std::string_view name);

/// Those of `names` that somebody who wrote `wanted` may have meant, the likeliest first, each once and at
/// most `most`: the same but for case and underscores, or else with a letter wrong in three, or words of it
/// ("kernel" for "kernels_by_name"). Among equals the order of `names` decides.
std::vector<std::string> nearNames(
    std::string_view wanted, std::span<const std::string> names, std::size_t most = 3);

/// "a, b or c".
Message orList(std::span<const std::string> names);
/// " (did you mean a, b or c?)" behind what was `wanted`; empty where none of `names` is like it.
Message didYouMean(std::string_view wanted, std::span<const std::string> names);
/// The same of names that were found to be like it.
Message didYouMean(std::span<const std::string> near);

} // namespace warpline
