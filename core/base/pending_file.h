#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace warpline {

/// A file that gets its name when it is complete. Until then it has a temporary name in the same folder; the
/// part is removed when writing fails or a signal ends the program. So nobody reads a partial file, and an
/// existing file stays until the new one replaces it.
class PendingFile {
public:
    /// For a new file at `path`, or for the target of a link there. Creates nothing yet; removes parts that
    /// killed programs left.
    explicit PendingFile(const std::string& path);
    PendingFile(PendingFile&& other) noexcept;
    PendingFile& operator=(PendingFile&&) = delete;
    /// Removes the part unless the file was completed.
    ~PendingFile();

    /// Where to write.
    const std::string& part() const { return m_part; }
    /// Gives the part its name, in place of a file that has it; the permissions of that one stay.
    Result<void> keep();
    /// `error` about the part, with the user's file name in it, because users do not know the part's name.
    Error named(Error error) const;

private:
    std::string m_path; ///< as it was given
    std::string m_target; ///< the target of the link
    std::string m_part; ///< empty: completed, or moved from
};

/// Lets the user alone read the file or folder `path`, where the system has such permissions.
void closeToOthers(const std::filesystem::path& path);

/// Makes `folder` with those above it, where it is missing, and closes it to other users: what is kept there
/// of a report has not its permissions.
void makePrivateFolder(const std::filesystem::path& folder, std::error_code& error);

/// Removes the parts in `folder`, or of the file `name` alone, that no process will finish: their process is
/// gone, and nothing was written for a minute (another machine may write).
void removeLeftParts(const std::filesystem::path& folder, std::string_view name = {});

} // namespace warpline
