#pragma once

#include "core/cut/cut_report.h"
#include "core/cut/cut_tables.h"
#include "core/cut/name_finder.h"
#include "core/sqlite/table_copier.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Names that identify the user or the host, which are removed wherever they appear.
class Redaction {
public:
    /// Looks for names of hosts and users in `report`.
    static Redaction of(sqlite::Database& report, const std::vector<CutTable>& tables);

    /// `text` without those names, without credentials and the names of home folders.
    std::string redacted(std::string_view text) const;

private:
    explicit Redaction(NameFinder names)
        : m_names(std::move(names))
    {
    }

    NameFinder m_names;
};

/// Blanks in the new database what identifies the user and the host: environment, command lines, output of
/// programs, names of hosts and users. Counts it in `facts`.
Result<void> redact(sqlite::TableCopier& copy, const std::vector<CutTable>& tables,
    const Redaction& redaction, RedactedFacts& facts);

} // namespace warpline
