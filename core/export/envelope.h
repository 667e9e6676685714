#pragma once

#include "core/export/json_text.h"
#include "core/export/text_pieces.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// Version of the JSON keys and their meaning, for all commands together: increases when a key changes its
/// meaning or is removed.
inline constexpr int schemaVersion = 3;

/// An error with one file or with the whole request.
struct OutputError {
    std::string code; ///< "unreadable_report"
    std::string file; ///< empty: it is about none
    std::string message;
    std::string hint; ///< what to do; empty: the message says it
};

/// The envelope of all JSON output: {schema, schema_version, warpline, command, reports, errors}, with one
/// entry of `reports` per report or result, also when there is only one. The schemas are in docs/cli/schema.
class EnvelopeWriter {
public:
    enum class Form : std::uint8_t {
        Document, ///< one, indented
        Lines, ///< NDJSON: an envelope on a line for each report, and one for each error
    };
    using WriteRows = std::function<bool(const TextSink&)>;

    /// For the output of `command`. `sink` gets the text in pieces.
    EnvelopeWriter(std::string_view command, Form form, TextSink sink);

    /// Adds an entry of `reports`. Like all of these it returns false when the sink refuses more.
    bool add(const Json& report);
    /// The same with one key more at its end: `rows`, an array that `write` writes, as it may be too large to
    /// be made first.
    bool add(const Json& report, const WriteRows& write);
    /// Writes `errors` and the end. Call it once, also where nothing was added.
    bool finish(std::span<const OutputError> errors);

private:
    bool begin();
    bool addText(std::string_view report);

    std::string m_command;
    Form m_form;
    TextSink m_sink;
    std::size_t m_added = 0;
};

/// The whole document with one entry and no errors, which the window saves.
std::string documentOf(std::string_view command, const Json& report);

} // namespace warpline
