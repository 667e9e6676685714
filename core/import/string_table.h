#pragma once

#include "core/base/result.h"
#include "core/base/string_pool.h"
#include "core/import/schema.h"
#include "core/sqlite/paged_file.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace warpline {

/// The report's StringIds: from the file's ids to the trace's. Read once, before all else; then only read.
class StringTable {
public:
    /// Reads StringIds into `pool`. A report without the table gives an empty one. `pages`: to read it
    /// without SQLite; may be null.
    static Result<StringTable> read(const std::shared_ptr<const sqlite::PagedFile>& pages,
        sqlite::Database& report, Schema& schema, StringPool& pool);

    /// The string with the file's id `id`. When the report lacks it: a placeholder text, and `missing`
    /// becomes true.
    StringId at(std::int64_t id, bool& missing) const;
    std::uint64_t rows() const { return m_rows; }
    /// Rows that give another text to an id that has one: the last one counts.
    std::uint64_t redefined() const { return m_redefined; }

private:
    std::vector<StringId> m_dense; ///< by id, where ids are small
    std::unordered_map<std::int64_t, StringId> m_sparse; ///< the rest
    StringId m_missingText{};
    std::uint64_t m_rows = 0;
    std::uint64_t m_redefined = 0;
};

} // namespace warpline
