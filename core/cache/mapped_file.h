#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace warpline {

/// A file's bytes in memory, read by the system as they are looked at. Nothing when the file cannot be read.
/// What another program cuts off while it is mapped would be deadly to read: only for files that are replaced
/// as a whole and never changed.
class MappedFile {
public:
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    std::span<const std::byte> m_bytes;
};

} // namespace warpline
