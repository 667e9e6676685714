#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace warpline {

/// What tells two states of a file apart without reading it.
struct FileState {
    std::uint64_t bytes = 0;
    std::int64_t changedNs = 0; ///< time of the last change of its content, ns since the epoch
    std::uint64_t identity = 0; ///< the file's number in its file system: another file under the name differs

    bool operator==(const FileState&) const = default;
};

/// A file open for reading at any place. May be used by several threads at once. Reads copies of bytes, never
/// maps them: a file that is cut off meanwhile gives short reads, where a map would end the program.
class FileReader {
public:
    /// Nothing when the file cannot be opened.
    static std::optional<FileReader> open(const std::string& path);
    FileReader(FileReader&& other) noexcept;
    FileReader& operator=(FileReader&& other) noexcept;
    FileReader(const FileReader&) = delete;
    FileReader& operator=(const FileReader&) = delete;
    ~FileReader();

    /// Reads up to `count` bytes at `offset` into `to`. Returns how many were read: fewer at the end of the
    /// file or on an error.
    std::size_t readAt(std::uint64_t offset, void* to, std::size_t count) const;
    /// The file's state now; nothing when it cannot be told.
    std::optional<FileState> state() const;

private:
    explicit FileReader(int descriptor)
        : m_descriptor(descriptor)
    {
    }

    int m_descriptor = -1;
};

} // namespace warpline
