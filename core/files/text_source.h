#pragma once

#include "core/base/platform/platform.h"
#include "core/base/result.h"
#include "core/files/inflater.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The text of a file, plain or packed (detected by its first bytes, not its name; see packingOf()), read
/// once from beginning to end in constant memory.
class TextSource {
public:
    /// Fails when the file cannot be opened or read at all.
    static Result<TextSource> open(const std::string& path);

    /// Reads up to `count` bytes of text. Returns fewer only at the end of the file, or of what can be
    /// unpacked.
    std::size_t read(char* to, std::size_t count);
    /// Whether the packed data ended before its end, is damaged from some place on, or unpacks to far more text
    /// than any report does.
    bool damaged() const { return m_damaged; }
    /// Bytes of the file that were read, and its size.
    std::uint64_t fileBytesRead() const { return m_offset; }
    std::uint64_t fileBytes() const { return m_fileBytes; }

private:
    TextSource(platform::FileReader file, std::uint64_t fileBytes);

    std::string_view packed() const;
    void fill();
    void startNext();

    platform::FileReader m_file;
    std::uint64_t m_fileBytes = 0;
    std::uint64_t m_offset = 0;
    std::unique_ptr<Inflater> m_inflater; ///< none for plain text
    std::vector<char> m_input; ///< of the file, from m_taken on not yet unpacked
    std::size_t m_taken = 0;
    std::uint64_t m_unpacked = 0; ///< bytes of text
    bool m_done = false;
    bool m_damaged = false;
};

} // namespace warpline
