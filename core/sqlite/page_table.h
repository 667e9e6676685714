#pragma once

#include "core/sqlite/paged_file.h"
#include "core/sqlite/row.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::sqlite {

class Database;

/// A table whose rows can be read from the pages of its file. Immutable; thread-safe.
class PageTable {
public:
    /// Where the value of a column of the result comes from.
    struct Source {
        std::uint32_t place = 0; ///< of the column in a stored record
        std::uint32_t slot = 0; ///< of the value in the Row
        bool isReal = false; ///< whole numbers are stored as integers, and are reals all the same
        bool isRowId = false; ///< an alias of the rowid: stored as NULL
        bool hasDefault = false; ///< rows from before the column was added have a value that is not stored
    };
    /// A page of rows. All of its rowids are above those of the page before.
    struct Leaf {
        std::int64_t lastRow = 0; ///< no rowid on the page is above this
        std::uint32_t page = 0;
    };

    /// Finds the pages of `table`. Rows have the rowid in column 0, then `columns` in order; NULL for missing
    /// ones. Null when the table is not a plain one, or its tree is damaged: then `whyNot` is the reason, as
    /// the end of a sentence.
    static std::unique_ptr<const PageTable> open(std::shared_ptr<const PagedFile> file, Database& schema,
        std::string_view table, std::span<const std::string_view> columns, std::string& whyNot);

    const PagedFile& file() const { return *m_file; }
    std::span<const Leaf> leaves() const { return m_leaves; }
    /// The first page of the tree; it may have no cells.
    std::uint32_t root() const { return m_root; }
    std::span<const Source> sources() const { return m_sources; }
    std::size_t columnCount() const { return m_columnCount; }

private:
    std::shared_ptr<const PagedFile> m_file;
    std::uint32_t m_root = 0;
    std::vector<Leaf> m_leaves;
    std::vector<Source> m_sources; ///< ascending by place
    std::size_t m_columnCount = 0;
};

/// Reads rows of a table from its pages, in the order of their rowids. For one thread.
class PageRows {
public:
    enum class Step : std::uint8_t { Row, Done, Declined };

    /// Rows with rowids of [first, last].
    PageRows(const PageTable& table, std::int64_t first, std::int64_t last);

    /// Moves to the next row. Declined: the pages are unexpected from here on, and SQLite must read the rest;
    /// rows up to lastRow() are valid.
    Step next()
    {
        while (true) {
            if (m_cell == m_cells) {
                const Step step = nextLeaf();
                if (step != Step::Row)
                    return ended(step);
                continue;
            }
            const Step step = readCell();
            if (step != Step::Row)
                return ended(step);
            if (m_lastRow >= m_first)
                return step;
        }
    }
    /// True once next() has returned Declined.
    bool isDeclined() const { return m_declined; }
    const Row& row() const { return m_row; }
    /// The rowid of the last row that was read; nothing before the first.
    std::optional<std::int64_t> lastRow() const { return m_any ? std::optional(m_lastRow) : std::nullopt; }

private:
    Step ended(Step step)
    {
        m_declined = step == Step::Declined;
        return step;
    }
    Step nextLeaf();
    Step readCell();
    const Byte* joinOverflow(const Byte* local, std::uint64_t payload, std::uint64_t localSize);
    /// The positions of the requested values in a record, from its header.
    struct Layout {
        enum class Read : std::uint8_t { Number, Real, WholeReal, Bytes, Constant, RowId };
        struct Value {
            std::uint32_t slot = 0; ///< of the Row
            std::uint32_t size = 0; ///< of text and blobs
            std::uint64_t offset = 0; ///< from the record's first byte
            std::int64_t constant = 0;
            std::uint8_t shift = 0; ///< of numbers: bits that a number of eight bytes would have more
            Read read = Read::Constant;
            Row::Kind kind = Row::Kind::Null;
        };
        /// Records with longer headers are looked at each time.
        static constexpr std::size_t maxChunks = 8;

        std::array<std::uint64_t, maxChunks> header{}; ///< of the records that have this layout, in chunks
        std::size_t chunks = 0; ///< 0: no record
        std::uint64_t bytes = 0; ///< of the record, up to the last value
        bool isWhole = false; ///< `bytes` is all of the record
        std::vector<Value> values; ///< those that are numbers first, then those that every such record has
        std::size_t numbers = 0; ///< values [0, numbers) are Read::Number
        std::size_t constants = 0; ///< values [numbers, constants) are Read::Constant

        /// Puts `values` in this order.
        void sortValues();
        bool fits(std::uint64_t size) const { return isWhole ? bytes == size : bytes <= size; }
    };

    bool decode(const Byte* record, std::uint64_t size, std::int64_t rowId);
    const Layout* layoutOf(const Byte* record, std::uint64_t size);
    /// Decodes a value that is neither a plain number nor a constant.
    void decodeOther(const Layout::Value& value, const Byte* record, std::int64_t rowId);
    bool parse(const Byte* record, std::uint64_t size, Layout& layout) const;
    bool parseHeader(const Byte* record, std::uint64_t size, Layout& layout) const;
    static bool addValue(
        const PageTable::Source& source, std::uint64_t type, std::uint64_t offset, Layout& layout);
    bool addMissing(std::size_t source, Layout& layout) const;

    const PageTable& m_table;
    std::int64_t m_first;
    std::int64_t m_last;
    PageWindow m_pages;
    PageWindow m_overflowPages;
    std::vector<Byte> m_overflow; ///< a record that does not fit on its page
    std::uint64_t m_overflowBytes = 0; ///< bytes read up to now
    Row m_row;
    /// Most records of a table share a few headers. By a hash of the header.
    std::vector<Layout> m_layouts;
    Layout* m_lastLayout = nullptr; ///< of the record before
    const Layout* m_inRow = nullptr; ///< m_row holds the constants of this layout
    std::size_t m_leaf = 0; ///< the next one
    const Byte* m_page = nullptr;
    std::uint32_t m_cell = 0; ///< index of the next cell of the page
    std::uint32_t m_cells = 0;
    std::int64_t m_lastRow = 0;
    std::int64_t m_leafLimit = 0; ///< no rowid of this page may be above
    bool m_any = false;
    bool m_declined = false;
};

} // namespace warpline::sqlite
