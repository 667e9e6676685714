#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace warpline::test {

using Random = std::mt19937_64;

/// Writes a random database to `path`: page sizes from 512 to 65536, tables with all sorts of columns, values
/// of all types, rows of several pages, rowids with gaps, deleted rows, added and dropped columns, and
/// sometimes features that a page reader must leave to SQLite (views, no rowid, UTF-16, auto-vacuum).
void writeRandomDatabase(const std::string& path, Random& random);

/// Changes some bytes of the file, most of them where they hurt: headers of pages, their pointers and cells;
/// or cuts it off.
void mutateFile(const std::string& path, Random& random);

/// How the rows of a file's tables compare, read both ways.
struct Comparison {
    std::uint64_t rows = 0; ///< read both ways
    std::uint64_t tables = 0; ///< read from pages to the end
    std::uint64_t declined = 0; ///< tables that the page reader left to SQLite, at once or at some row
    std::string difference; ///< the first; empty when there is none
};

/// Reads every table of the report at `path` from its pages and with SQLite.
Comparison comparePagesWithSqlite(const std::string& path);

} // namespace warpline::test
