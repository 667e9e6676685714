#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpline::cli {

enum class Align : std::uint8_t { Left, Right };

/// A column of a text table.
struct TextColumn {
    std::string title;
    Align align = Align::Left;
};

/// Lines of text with titled columns in the language of the texts, two blanks apart. Empty without rows. Each
/// row has as many cells as there are columns.
std::string textTable(
    const std::vector<TextColumn>& columns, const std::vector<std::vector<std::string>>& rows);

/// Number of characters of UTF-8 `text`.
std::size_t characters(const std::string& text);

} // namespace warpline::cli
