#pragma once

#include "core/export/envelope.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// An output format for other programs. It turns the entries of analyze's `reports`
/// (docs/cli/schema/analyze.json) into text one by one, so that thousands of reports need the memory of one.
struct AnalysisFormat {
    std::string_view name; ///< as --format takes it
    std::string_view meaning; ///< for --help
    std::string (*begin)();
    /// `place`: how many reports before it gave text.
    std::string (*report)(const Json& report, std::size_t place);
    std::string (*end)(std::span<const OutputError> errors);
};

/// All of them. The list is in analysis_formats.cpp and nowhere else.
std::span<const AnalysisFormat* const> allAnalysisFormats();
const AnalysisFormat* findAnalysisFormat(std::string_view name); ///< nullptr: there is none

} // namespace warpline
