#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// How many letters must be changed, added, left out or swapped with their neighbour to get from `a` to `b`
/// (https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance, the restricted one). O(|a| |b|).
std::size_t editsBetween(std::string_view a, std::string_view b);

/// `name` in lower case without underscores, which are the most frequent differences.
std::string keyOfName(std::string_view name);

/// The `names` that the user may have meant with `wanted`, the likeliest first, at most `most`: equal but for
/// case and underscores; or with one wrong letter in three; or containing it as words ("kernel" for
/// "kernels_by_name"). Ties keep the order of `names`.
std::vector<std::string> nearNames(
    std::string_view wanted, std::span<const std::string> names, std::size_t most = 3);

/// What `nameOf` is of each of `entries`: the names of all rules, tables or commands.
template <std::ranges::range Entries, typename NameOf>
std::vector<std::string> entryNames(const Entries& entries, NameOf nameOf)
{
    std::vector<std::string> names;
    for (const auto& entry : entries)
        names.emplace_back(std::invoke(nameOf, entry));
    return names;
}

/// "a, b, c".
std::string commaList(std::span<const std::string> names);
/// "a, b or c".
Message orList(std::span<const std::string> names);
/// " (did you mean a, b or c?)" for the names near to `wanted`; empty when there are none.
Message didYouMean(std::string_view wanted, std::span<const std::string> names);
/// The same of names that were found to be like it.
Message didYouMean(std::span<const std::string> near);

} // namespace warpline
