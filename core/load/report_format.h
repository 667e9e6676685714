#pragma once

#include "core/base/result.h"
#include "core/load/load_options.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// A kind of file that becomes a trace. What is common to all kinds (joining calls and GPU work, projecting
/// NVTX, naming processes) is completeTrace()'s; a format only reads what is in the file.
struct ReportFormat {
    std::string_view id; ///< "nsys-sqlite"
    std::string_view title; ///< "Nsight Systems export": in the dialog that opens a file
    std::string_view patterns; ///< names that such files mostly have: "*.sqlite *.db"
    /// Whether a file whose text, unpacked, begins with `head` is of this format. By content alone: names may
    /// be anything.
    bool (*recognizes)(std::string_view head);
    /// Reads the file into a complete trace. The errors are those of loadReport().
    Result<std::shared_ptr<const Trace>> (*read)(const std::string& path, const LoadOptions& options);
    /// For a format whose files begin like those of another: whether the file at `path` is of this one. It is
    /// asked before the others. Empty: recognizes() is enough.
    bool (*holds)(const std::string& path) = nullptr;
};

/// How many bytes of a file recognizes() is given, where there are so many.
inline constexpr std::size_t formatHeadBytes = 4096;

/// All formats, in the order they are asked. The list is in report_formats.cpp and nowhere else; each is one
/// file in core/load/formats.
std::span<const ReportFormat* const> allReportFormats();

/// The first of `formats` that recognizes the content of the file at `path`. When none does, the one whose
/// files have such names, else the first of all: it then says what is wrong with the file (not there, empty,
/// cut off, of another kind). There must be one.
const ReportFormat& formatOf(
    const std::string& path, std::span<const ReportFormat* const> formats = allReportFormats());

} // namespace warpline
