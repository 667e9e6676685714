#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

/// Names standard input, unless a file has this name.
inline constexpr std::string_view standardInputName = "-";

/// Whether `path` can be read once only: standard input, a pipe, a device.
bool isStream(const std::string& path);

/// Whether a file that begins with `head`, 16 bytes or more, is an SQLite database.
bool isSqliteDatabase(std::string_view head);
/// The first character of `text` that is no blank and not of the mark of UTF-8; 0: there is none.
char firstSignOf(std::string_view text);

/// A file that can be read at any place. A copy is removed with its last holder.
class PlainFile {
public:
    /// The file that the user named.
    explicit PlainFile(std::string path);
    /// A copy of our own.
    static std::shared_ptr<PlainFile> ofCopy(std::string path);
    PlainFile(const PlainFile&) = delete;
    PlainFile& operator=(const PlainFile&) = delete;
    ~PlainFile();

    const std::string& path() const { return m_path; }
    bool isCopy() const { return m_isCopy; }

private:
    std::string m_path;
    bool m_isCopy = false;
};

/// The file to read for the report at `path`: itself, or a copy in the system's temporary folder for pipes,
/// "-" and packed exports. All requests for a path share its copy: that of a stream stays until the program
/// ends, and so do the last few others. Packed JSON is unpacked while it is read, without a copy. Errors: the
/// file cannot be read, or there is no room; they contain the remedy. Throws Stopped when `stop` is
/// requested.
Result<std::shared_ptr<const PlainFile>> plainFileOf(
    const std::string& path, const std::stop_token& stop = {});

/// The system's error for a file that cannot be read to its end (or its first gigabyte), with the place and
/// the remedy; empty: it can. Distinguishes a failing disk from a damaged file.
Message readProblem(const std::string& path);

/// The error for a file at `path` that the user must unpack with `unpacker` first.
Error unpackFirst(const std::string& path, std::string_view unpacker);

/// The first `count` bytes, or fewer, of the text, unpacked, of the file at `path`; empty where it cannot be
/// read, and for a stream that plainFileOf() has not read.
std::string beginningOfText(const std::string& path, std::size_t count);

} // namespace warpline
