#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace warpline {

/// A file that gets its name when it is complete. Until then it is written beside it, under another name that
/// goes away when writing fails and when the program is ended by a signal: nobody takes a part for the whole,
/// and a file that was there stays until the new one is.
class PendingFile {
public:
    /// For a new file at `path`, or for the one that a link there leads to. Makes nothing yet; removes what
    /// programs that were killed left of it.
    explicit PendingFile(const std::string& path);
    PendingFile(PendingFile&& other) noexcept;
    PendingFile& operator=(PendingFile&&) = delete;
    /// Removes the part, unless it was kept.
    ~PendingFile();

    /// Where to write.
    const std::string& part() const { return m_part; }
    /// Gives the part its name, in place of a file that has it; the permissions of that one stay.
    Result<void> keep();
    /// `error` about the part with the name that the user gave: nobody else knows the part's.
    Error named(Error error) const;

private:
    std::string m_path; ///< as it was given
    std::string m_target; ///< what it leads to
    std::string m_part; ///< empty: kept, or moved from
};

/// Removes the parts of files in `folder`, or of the file `name` alone, that nobody finishes: their process
/// is gone, and for a minute nothing was written, as another machine may.
void removeLeftParts(const std::filesystem::path& folder, std::string_view name = {});

} // namespace warpline
