#pragma once

#include "core/across/across_report.h"
#include "core/base/result.h"
#include "core/export/json_text.h"

#include <string>
#include <string_view>

namespace warpline {

/// What reports say of one another as a JSON object, see docs/cli/schema/ranks.json.
Json ranksJson(const AcrossReport& across);
/// The same as a document, see documentOf().
std::string ranksDocument(const AcrossReport& across);
/// What ranksDocument() wrote, for the window that opens what a fleet has found. Exchanges one by one are not
/// in it, nor are places of evidence: `exchanges` is empty, events are not valid. Error: it is no such
/// document.
Result<AcrossReport> ranksFromJson(std::string_view text);
/// Whether a document that begins with `head` may be such a one.
bool beginsRanksJson(std::string_view head);
/// The same as tables for a terminal of `width` letters (0: any), the verdict first. With `top` each table
/// has so many rows, those that say most; 0: all.
std::string ranksTable(const AcrossReport& across, std::size_t top = 0, std::size_t width = 0);
/// ... as a page of Markdown.
std::string ranksMarkdown(const AcrossReport& across, std::size_t top = 0);
/// ... as one HTML page that needs nothing beside it, with the steps as a map of colours.
std::string ranksHtml(const AcrossReport& across, std::size_t top = 0);

} // namespace warpline
