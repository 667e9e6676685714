#pragma once

#include "core/export/json_text.h"
#include "core/export/text_sink.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// Of the keys and their meaning, of all commands together: it grows where a key changes its meaning or goes.
inline constexpr int schemaVersion = 3;

/// What went wrong with one file or with the whole question.
struct OutputError {
    std::string code; ///< "unreadable_report"
    std::string file; ///< empty: it is about none
    std::string message;
    std::string hint; ///< what to do; empty: nothing that the message does not say
};

/// The envelope that is around all JSON that is written: {schema, schema_version, warpline, command, reports,
/// errors}, with one entry of `reports` for each report or answer, whether there is one or a thousand. The
/// schemas are in docs/cli/schema.
class EnvelopeWriter {
public:
    enum class Form : std::uint8_t {
        Document, ///< one, indented
        Lines, ///< NDJSON: an envelope on a line for each report, and one for each error
    };
    using WriteRows = std::function<bool(const TextSink&)>;

    /// For what `command` answers. `sink` takes the text in pieces.
    EnvelopeWriter(std::string_view command, Form form, TextSink sink);

    /// Adds an entry of `reports`. False when the sink wants no more, as all of these return.
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

/// The whole document of one answer without errors: what the window saves.
std::string documentOf(std::string_view command, const Json& report);

} // namespace warpline
