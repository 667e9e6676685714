#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpline::bench {

/// The SELECTs that `work` runs on any SQLite connection of this process, with their parameters filled in.
/// Questions about the schema are left out: what is kept reads rows.
std::vector<std::string> recordSelects(const std::function<void()>& work);

/// What a scan came by; `sum` keeps the compiler from leaving out the reading.
struct ScanResult {
    std::uint64_t rows = 0;
    std::uint64_t cells = 0;
    std::uint64_t sum = 0;
};

/// Runs `selects` one after another on one connection and one thread, and reads every column of every row
/// through SQLite's C interface, and does nothing with them: the least that any program pays to have read the
/// same cells of the file.
ScanResult bareScan(const std::string& path, const std::vector<std::string>& selects);

/// Runs `sql` on the file and counts its rows.
std::uint64_t runSql(const std::string& path, const std::string& sql);

} // namespace warpline::bench
