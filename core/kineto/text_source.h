#pragma once

#include "core/base/platform/platform.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace warpline {

/// The text of a file, plain or compressed by gzip (told by its first bytes, never by its name), read once
/// from its beginning to its end in constant memory.
class TextSource {
public:
    /// Fails when the file cannot be opened or read at all.
    static Result<TextSource> open(const std::string& path);
    TextSource(TextSource&&) noexcept;
    TextSource& operator=(TextSource&&) noexcept;
    TextSource(const TextSource&) = delete;
    TextSource& operator=(const TextSource&) = delete;
    ~TextSource();

    /// Reads up to `count` bytes of text. Fewer than that only at the end: of the file, or of what could be
    /// inflated of it.
    std::size_t read(char* to, std::size_t count);
    /// Whether the compressed data ended before its end, or is damaged from some place on.
    bool damaged() const;
    /// Bytes of the file that were read so far, and that it has.
    std::uint64_t fileBytesRead() const;
    std::uint64_t fileBytes() const;

private:
    struct Inflater;
    TextSource(platform::FileReader file, std::uint64_t fileBytes);

    std::size_t fill();

    platform::FileReader m_file;
    std::uint64_t m_fileBytes = 0;
    std::uint64_t m_offset = 0;
    std::unique_ptr<Inflater> m_inflater; ///< none for plain text
};

/// Whether a file that begins with `head` is compressed by gzip.
bool isGzip(std::string_view head);

/// The beginning of the text of a file that begins with `head`: what of it can be inflated, or `head` itself.
std::string textOfHead(std::string_view head);

} // namespace warpline
