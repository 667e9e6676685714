#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The part after the last slash or backslash: "libc.so.6" of "/usr/lib/libc.so.6".
std::string_view baseName(std::string_view path);

/// The file and the folder that it lies in, with slashes of either kind: "torch/__init__.py".
std::string_view lastParts(std::string_view path);

/// Whether `path` begins with a machine, as in "\\\\host\\share": Windows logs in there as the user as soon
/// as such a file is looked for.
bool namesMachine(std::string_view path);

/// `path` for a URI (RFC 3986): letters, digits, '_' and `kept` stay, other bytes become "%20".
std::string percentEncoded(std::string_view path, std::string_view kept);

/// The shortest unique end of each path: "rank0.sqlite", or with folders where file names are equal:
/// "rank0/report.sqlite". Equal paths stay equal. O(n log n) in the number of paths.
std::vector<std::string> shortNames(std::span<const std::string> paths);

} // namespace warpline
