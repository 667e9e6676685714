#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpline {

// Finds where values of JSON end by quotes and brackets alone, in text that may be cut off or broken.

enum class Found : std::uint8_t {
    Whole,
    Incomplete, ///< the text ends before the value does
    Broken, ///< it ends nowhere
};

/// Whether the bracket at `at`, in the text from `begin` to `end`, opens an event: behind a comma, or the
/// list's beginning, and before a key as events begin with.
bool opensEvent(const char* begin, const char* at, const char* end);

/// The string of `text` at `from`, quotes included. Sets `end` behind it.
Found scanText(std::string_view text, std::size_t from, std::size_t& end);
/// Any value.
Found scanValue(std::string_view text, std::size_t from, std::size_t& end);
/// The object (or list) at `from`. Broken: the next event may begin at `end` or later.
Found scanObject(std::string_view text, std::size_t from, std::size_t& end);

} // namespace warpline
