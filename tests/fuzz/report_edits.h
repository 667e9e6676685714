#pragma once

#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Reports that SQL changes before a command reads them: lines "edit REPORT STATEMENT". REPORT is the name of
/// one of tests/data/reports.
class ReportEdits {
public:
    /// Reads which tables and columns the reports have.
    ReportEdits();

    static bool isEdit(std::string_view line) { return line.starts_with("edit "); }
    /// A line that changes values, rows or columns of a table of `report`, or of some report if it is not
    /// known.
    std::string someEdit(const std::string& report, std::minstd_rand& random) const;
    /// Changes the report in `folder`, copying it there before the first change. Statements that SQLite
    /// refuses change nothing.
    void apply(std::string_view line, const std::filesystem::path& folder) const;
    /// The report that a line is about; empty: none that is known.
    std::string reportOf(std::string_view line) const;

private:
    struct Table {
        std::string name;
        std::vector<std::string> columns;
    };
    std::map<std::string, std::vector<Table>> m_reports;
};

} // namespace warpline
