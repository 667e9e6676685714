#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::sqlite {

/// One row of a table, however it was read: by SQLite's statements or from the file's pages. Columns count
/// from 0. Values are converted as SQLite converts them (https://www.sqlite.org/c3ref/column_blob.html).
class Row {
public:
    enum class Kind : std::uint8_t { Null, Integer, Real, Text, Blob };

    /// A value as stored. `bytes` of Text and Blob stay where the reader has them.
    struct Cell {
        std::int64_t number = 0; ///< the integer, or the bits of the real; 0 otherwise
        const char* bytes = nullptr;
        std::uint32_t size = 0; ///< of `bytes`
        Kind kind = Kind::Null;
    };

    explicit Row(std::size_t columns)
        : m_cells(columns)
    {
    }

    bool isNull(int column) const { return cell(column).kind == Kind::Null; }
    bool isBlob(int column) const { return cell(column).kind == Kind::Blob; }
    bool isText(int column) const { return cell(column).kind == Kind::Text; }
    bool isReal(int column) const { return cell(column).kind == Kind::Real; }

    /// 0 for NULL; text and reals are converted.
    std::int64_t integer(int column) const
    {
        const Cell& value = cell(column);
        return value.kind <= Kind::Integer ? value.number : convertedInteger(value);
    }
    /// `fallback` for NULL.
    std::int64_t integer(int column, std::int64_t fallback) const
    {
        return isNull(column) ? fallback : integer(column);
    }
    /// The same as 32 bits; `fallback` also for numbers out of range, so that two ids do not become one.
    std::int32_t integer32(int column, std::int32_t fallback = 0) const
    {
        const std::int64_t value = integer(column, fallback);
        const auto narrow = static_cast<std::int32_t>(value);
        return narrow == value ? narrow : fallback;
    }
    double real(int column) const
    {
        const Cell& value = cell(column);
        return value.kind == Kind::Real ? std::bit_cast<double>(value.number) : convertedReal(value);
    }
    /// The bytes of a text or blob, including NUL and invalid UTF-8, or a number in SQLite's format; valid
    /// until the next row is read.
    std::string_view text(int column) const
    {
        const Cell& value = cell(column);
        return value.kind >= Kind::Text ? std::string_view(value.bytes, value.size)
                                        : convertedText(value, static_cast<std::size_t>(column));
    }

    std::size_t columnCount() const { return m_cells.size(); }
    /// For readers: the place of a column's value.
    Cell& cellAt(std::size_t column)
    {
        assert(column < m_cells.size()); // the library's, which release builds have, would cost 2% here
        return m_cells.data()[column];
    }

private:
    const Cell& cell(int column) const
    {
        const auto at = static_cast<std::size_t>(column);
        assert(at < m_cells.size());
        return m_cells.data()[at];
    }
    static std::int64_t convertedInteger(const Cell& value);
    static double convertedReal(const Cell& value);
    std::string_view convertedText(const Cell& value, std::size_t column) const;

    std::vector<Cell> m_cells;
    /// Numbers that were asked for as text, by column. Hardly ever used.
    mutable std::vector<std::string> m_texts;
};

} // namespace warpline::sqlite
