#pragma once

#include "app/mcp/captured_command.h"
#include "app/mcp/tool.h"
#include "core/base/result.h"
#include "core/export/json_text.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {
class Trace;
}

namespace warpline::cli {

/// State of a client: its open reports, and the last results. Thread-safe for tools that are ready only.
class Desk {
public:
    static constexpr std::size_t defaultItems = 10; ///< of a list, where a call names no number
    explicit Desk(const ProtocolOutput& output);
    ~Desk();
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    /// Answers one call. Errors of the call or of a report are answers with isError.
    ToolAnswer call(const Tool& tool, Json arguments, const std::stop_token& stop);
    /// The JSON Schema of the answers of `tool`.
    static Json outputSchemaOf(const Tool& tool);

    /// Makes a handle for the report at `path`; the same for a path that has one.
    std::string open(const std::string& path);
    /// Reads the report now. A sentence: it cannot be read.
    Message read(const std::string& path);
    /// The part of `document` that call() returns; the whole is kept for `more`.
    ToolAnswer shown(Json document, std::size_t items);
    /// The kept document of an answer; nothing: it is gone.
    std::optional<Json> answerNamed(std::string_view id) const;
    bool keepsAnswer(std::string_view id) const;
    const std::stop_token& stop() const { return m_stop; }

private:
    struct Kept;

    Result<void> resolveReports(const Tool& tool, Json& arguments);
    ToolAnswer runCommand(const Tool& tool, const Json& arguments);
    /// Adds `kept`; of `all` at most `most` stay, and 200 MiB.
    static void keep(std::deque<Kept>& all, Kept kept, std::size_t most);

    const ProtocolOutput& m_output;
    std::stop_token m_stop; ///< of the call that runs
    std::vector<std::string> m_reports; ///< "r1" is the first
    std::deque<std::shared_ptr<const Trace>> m_traces; ///< recently read ones, to avoid reading them again
    std::deque<Kept> m_documents; ///< of commands, by their arguments
    mutable std::mutex m_mutex; ///< of the next two
    std::deque<Kept> m_answers;
    std::size_t m_answersMade = 0;
};

} // namespace warpline::cli
