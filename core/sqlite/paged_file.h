#pragma once

#include "core/base/platform/platform.h"
#include "core/sqlite/page_format.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpline::sqlite {

class ReportFile;

/// A database file of the plain kind, whose pages can be read without SQLite. Immutable; thread-safe.
class PagedFile {
public:
    /// Checks that `file` is of the plain kind: UTF-8, without log files, no auto-vacuum, as long as its
    /// header says. Otherwise null, and `whyNot` is the reason, as the end of a sentence.
    static std::shared_ptr<const PagedFile> open(const ReportFile& file, std::string& whyNot);

    std::uint32_t pageBytes() const { return m_pageBytes; }
    /// Usable bytes of a page: the rest is reserved for extensions.
    std::uint32_t usableBytes() const { return m_usableBytes; }
    std::uint32_t pages() const { return m_pages; }
    /// False when the file has changed since it was opened.
    bool isUnchanged() const;
    /// True for numbers of pages that can hold content.
    bool isPage(std::uint32_t page) const;
    /// Reads `count` pages from `first` on into `to`; false when the file ends before.
    bool read(std::uint32_t first, std::uint32_t count, Byte* to) const;

private:
    PagedFile(platform::FileReader reader, platform::FileState state)
        : m_reader(std::move(reader)),
          m_state(state)
    {
    }

    platform::FileReader m_reader;
    platform::FileState m_state;
    std::uint32_t m_pageBytes = 0;
    std::uint32_t m_usableBytes = 0;
    std::uint32_t m_pages = 0;
};

/// Pages of a file for one reading thread: reads neighbours together, as many as turn out to be used.
class PageWindow {
public:
    explicit PageWindow(const PagedFile& file);

    /// The bytes of `page`, and pagePadding readable bytes after it, until the next call; null when it cannot
    /// be read.
    const Byte* at(std::uint32_t page);

private:
    bool fill(std::uint32_t page);

    const PagedFile& m_file;
    std::vector<Byte> m_bytes;
    std::uint32_t m_most; ///< pages that m_bytes has room for
    std::uint32_t m_length = 1; ///< pages to read at once
    std::uint32_t m_first = 0; ///< the first page held
    std::uint32_t m_held = 0; ///< pages held
    std::uint32_t m_used = 0; ///< of those, how many were asked for
};

} // namespace warpline::sqlite
