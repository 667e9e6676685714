#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpline::bench {

/// The SELECTs that `work` runs on any SQLite connection of this process, with their parameters filled in.
/// Without queries on the schema.
std::vector<std::string> recordSelects(const std::function<void()>& work);

/// Result of a scan; `sum` prevents the compiler from removing the reads.
struct ScanResult {
    std::uint64_t rows = 0;
    std::uint64_t cells = 0;
    std::uint64_t sum = 0;
};

/// Runs `selects` in sequence on one connection and one thread, and reads every column of every row through
/// SQLite's C interface: the minimum cost of reading the same cells.
ScanResult bareScan(const std::string& path, const std::vector<std::string>& selects);

/// Runs `sql` on the file and counts its rows.
std::uint64_t runSql(const std::string& path, const std::string& sql);

} // namespace warpline::bench
