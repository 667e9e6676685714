#pragma once

#include "core/across/across_report.h"
#include "core/base/result.h"
#include "core/export/json_text.h"

#include <string>
#include <string_view>

namespace warpline {

/// The analysis across ranks as a JSON object, see docs/cli/schema/ranks.json.
Json ranksJson(const AcrossReport& across);
/// Reads a document of ranksJson(), for a window that opens the result of a fleet. It has neither single
/// exchanges nor evidence: `exchanges` is empty, events are invalid. Error: it is not such a document.
Result<AcrossReport> ranksFromJson(std::string_view text);
/// Whether a document that begins with `head` may be such a one.
bool beginsRanksJson(std::string_view head);
/// The same as tables for a terminal of `width` letters (0: no limit), the verdict first. `top`: maximum of
/// rows per table, the most important ones; 0: all.
std::string ranksTable(const AcrossReport& across, std::size_t top = 0, std::size_t width = 0);
/// ... as a page of Markdown.
std::string ranksMarkdown(const AcrossReport& across, std::size_t top = 0);
/// ... as one self-contained HTML page, with the steps as a heat map.
std::string ranksHtml(const AcrossReport& across, std::size_t top = 0);

} // namespace warpline
