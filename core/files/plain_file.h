#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace warpline {

/// The name that stands for standard input, where no file is called so.
inline constexpr std::string_view standardInputName = "-";

/// Whether `path` can be read once only: standard input, a pipe, a device.
bool isStream(const std::string& path);

/// Whether a file that begins with `head`, 16 bytes or more, is an SQLite database.
bool isSqliteDatabase(std::string_view head);

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

/// What to read for the report at `path`: the file itself; or a copy in the system's temporary folder of what
/// comes through a pipe or "-", and of an export that is packed. A copy serves all that ask for the same
/// path: that of a stream stays until the program ends, and so do the last few others. Packed JSON is read as
/// it is unpacked, without a copy. Errors say what cannot be read, or that there is no room, and what to do.
/// Throws Stopped when `stop` is requested.
Result<std::shared_ptr<const PlainFile>> plainFileOf(
    const std::string& path, const std::stop_token& stop = {});

/// What the system says of a file that cannot be read to its end, where, and what to do; empty: it can, or
/// its first gigabyte. Tells a disk that fails from a file that is damaged.
Message readProblem(const std::string& path);

/// Of a file at `path` that this program reads once `unpacker` has unpacked it.
Error unpackFirst(const std::string& path, std::string_view unpacker);

/// The first `count` bytes, or fewer, of the text, unpacked, of the file at `path`; empty where it cannot be
/// read, and for a stream that plainFileOf() has not read.
std::string beginningOfText(const std::string& path, std::size_t count);

} // namespace warpline
