#pragma once

#include "core/base/result.h"
#include "core/load/load_options.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// A kind of file that becomes a trace. A format only reads the file; completeTrace() does what is common to
/// all (joining calls and GPU work, projecting NVTX, naming processes).
struct ReportFormat {
    std::string_view id; ///< "nsys-sqlite"
    std::string_view title; ///< "Nsight Systems export": in the dialog that opens a file
    std::string_view patterns; ///< names that such files mostly have: "*.sqlite *.db"
    /// Whether a file whose unpacked text begins with `head` has this format. Decided by content only.
    bool (*recognizes)(std::string_view head);
    /// Reads the file into a complete trace. The errors are those of loadReport().
    Result<std::shared_ptr<const Trace>> (*read)(const std::string& path, const LoadOptions& options);
    /// For a format whose files begin like another's: whether the file at `path` has this one. Called before
    /// the others. Empty: recognizes() is enough.
    bool (*holds)(const std::string& path) = nullptr;
};

/// How many bytes of a file recognizes() is given, where there are so many.
inline constexpr std::size_t formatHeadBytes = 4096;

/// All formats, in the order they are asked. The list is in report_formats.cpp and nowhere else; each is one
/// file in core/load/formats.
std::span<const ReportFormat* const> allReportFormats();

/// Whether the file at `path` has a name that files of `format` mostly have.
bool isNamedAs(const std::string& path, const ReportFormat& format);

/// The first of `formats` that recognizes the content of the file at `path`. Without any, the one whose files
/// have such names, else the first: it reports what is wrong with the file (missing, empty, truncated, of
/// another kind). `formats` must not be empty.
const ReportFormat& formatOf(
    const std::string& path, std::span<const ReportFormat* const> formats = allReportFormats());

} // namespace warpline
