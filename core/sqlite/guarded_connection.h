#pragma once

#include "core/base/result.h"
#include "core/sqlite/row.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace warpline::sqlite {

class ReportFile;

/// How much a statement that a person wrote may take.
struct QueryLimits {
    std::chrono::milliseconds time{30'000};
    std::size_t rows = 100'000; ///< later rows are left out
    std::size_t bytes = std::size_t{256} << 20U; ///< of all cells; rows beyond are left out
};

/// How a statement ended.
enum class QueryEnd : std::uint8_t {
    Done, ///< every row was handed out
    RowLimit, ///< there are more rows than QueryLimits lets through
    TimeLimit,
    Stopped, ///< the stop token was requested
    Failed, ///< see QueryOutcome::problem
};

struct QueryOutcome {
    QueryEnd end = QueryEnd::Done;
    Message problem; ///< an error as a sentence: SQLite's (verbatim) or Warpline's
    std::optional<std::size_t> place; ///< the byte of the statement that `problem` is about
};

/// A connection for statements of users and scripts: they cannot change the file or open others, and they
/// end. Statements that do not only read are refused at compilation
/// (https://www.sqlite.org/c3ref/set_authorizer.html); views of the file are not trusted
/// (https://www.sqlite.org/security.html). Not thread-safe.
class GuardedConnection {
public:
    /// `setUp` are statements that run before the guard: temporary views. One that fails is left out.
    static Result<GuardedConnection> open(const ReportFile& file, std::span<const std::string> setUp);
    GuardedConnection(GuardedConnection&&) noexcept;
    GuardedConnection& operator=(GuardedConnection&&) noexcept;
    ~GuardedConnection();

    using Titles = std::function<void(std::vector<std::string> columns)>;
    using Visit = std::function<void(const Row& row)>;

    /// Runs the one statement in `sql`: hands its columns' names to `titles`, once, and every row to `visit`,
    /// within `limits`.
    QueryOutcome run(std::string_view sql, const QueryLimits& limits, const std::stop_token& stop,
        const Titles& titles, const Visit& visit);

private:
    struct Guard;
    struct Closer {
        void operator()(sqlite3* handle) const;
    };
    GuardedConnection(std::unique_ptr<sqlite3, Closer> handle, std::unique_ptr<Guard> guard);

    QueryOutcome failure(std::string_view sql) const;

    std::unique_ptr<Guard> m_guard;
    std::unique_ptr<sqlite3, Closer> m_handle; ///< destroyed first: it points to the guard
};

} // namespace warpline::sqlite
