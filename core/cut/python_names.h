#pragma once

#include "core/base/result.h"
#include "core/import/nvtx_payloads.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

namespace sqlite {
class Database;
class ReportFile;
} // namespace sqlite

/// The strings that Python samples of a report refer to: ids of StringIds inside payloads (JSON or nsys' own
/// format), which no column shows.
class PythonNames {
public:
    /// Reads how the bytes are laid out. Errors: the report cannot be read.
    static Result<PythonNames> read(
        const sqlite::ReportFile& file, sqlite::Database& report, const std::stop_token& stop);

    /// The ids that `payload` names, as a JSON array. It is JSON, or the number of its domain, a colon, and
    /// the bytes.
    std::string idsIn(std::string_view payload) const;

private:
    explicit PythonNames(NvtxPayloads payloads)
        : m_payloads(std::move(payloads))
    {
    }

    NvtxPayloads m_payloads;
};

} // namespace warpline
