#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>

namespace warpline::platform {

inline constexpr int standardInput = 0;

/// A pipe, a device or standard input, read once from its beginning to its end.
class Stream {
public:
    /// Not open where the program was started without it.
    static Stream ofStandardInput();
    /// Opens the stream at `path`; see isOpen().
    static Stream open(const std::filesystem::path& path);
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream();

    bool isOpen() const { return m_file >= 0; }
    /// Waits until `count` bytes are there, or the end, or `stop` is requested. The bytes that were read;
    /// fewer than `count` only at the end and after a stop.
    std::size_t read(char* to, std::size_t count, const std::stop_token& stop) const;

private:
    Stream(int file, bool isOwn);

    int m_file;
    bool m_isOwn;
};

} // namespace warpline::platform
