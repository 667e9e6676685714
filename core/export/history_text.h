#pragma once

#include "core/export/html_text.h"
#include "core/export/json_text.h"
#include "core/history/history.h"
#include "core/table/cells.h"

#include <cstddef>
#include <optional>
#include <string>

namespace warpline {

/// The content of a history's text.
struct HistoryText {
    const History& history;
    std::size_t mostRows = 20; ///< newest recordings that tables list; JSON, CSV and HTML have all
    std::size_t width = 0; ///< of the terminal; 0: lines may have any length
    std::optional<bool> regression = {}; ///< of --fail-on-regression; nothing: not asked
};

/// As a JSON object, see docs/cli/schema/history.json.
Json historyJson(const HistoryText& text);
/// A row for each recording, in order of time: for CSV.
Cells recordingCells(const History& history);
/// For a terminal: summary, then each change with its parts, then the newest recordings.
std::string historyTable(const HistoryText& text);
/// The same as a page of Markdown.
std::string historyMarkdown(const HistoryText& text);
/// The same as one self-contained HTML page, with the step and its budget over time.
std::string historyHtml(const HistoryText& text);

// The parts that the pages share.

/// Hands the parts of the history to `page`, the verdict first.
void writeHistoryPage(const HistoryText& text, const TextPage& page);

/// The command that compares the recordings on both sides of a change.
std::string compareCommand(const History& history, const HistoryChange& change);

} // namespace warpline
