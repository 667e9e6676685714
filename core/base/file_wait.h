#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace warpline {

/// Its thread waits for a disk while it lives. A disk of the network may never answer, and nothing ends that
/// wait.
class FileWait {
public:
    /// `file`: what is read, by the system's number; -1: not known.
    explicit FileWait(int file = -1);
    /// Where it has no number: it is opened, or asked whether it is there.
    explicit FileWait(const std::string& path);
    ~FileWait();
    FileWait(const FileWait&) = delete;
    FileWait& operator=(const FileWait&) = delete;

private:
    bool m_isOuter;
};

/// So long a disk may be silent before somebody should know.
inline constexpr std::chrono::seconds diskPatience{10};

struct SlowestFile {
    std::chrono::milliseconds time{0}; ///< of one read; 0: no thread waits
    std::string path; ///< empty: not known

    bool isSilent() const { return time >= diskPatience; }
    std::int64_t seconds() const { return std::chrono::duration_cast<std::chrono::seconds>(time).count(); }
};

/// What the threads of this process wait for longest, of waits that began after `begin`. Does not read any
/// disk itself.
SlowestFile slowestFile(std::chrono::steady_clock::time_point begin = {});

} // namespace warpline
