#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// What stands behind the last slash, of either kind: "libc.so.6" of "/usr/lib/libc.so.6".
std::string_view baseName(std::string_view path);

/// The file and the folder that it lies in, with slashes of either kind: "torch/__init__.py".
std::string_view lastParts(std::string_view path);

/// Of each path the shortest end that tells it from the others: "rank0.sqlite"; where several are called so,
/// with the folders that differ: "rank0/report.sqlite". Paths that are equal stay equal. O(n log n) in the
/// number of paths, times the folders that are alike.
std::vector<std::string> shortNames(std::span<const std::string> paths);

} // namespace warpline
