#include "core/base/path_names.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <string_view>

namespace warpline {

namespace {

/// The last `parts` components of `path`; all of it when it has no more.
std::string_view endOf(std::string_view path, std::size_t parts)
{
    std::size_t at = path.size();
    for (; parts > 0; --parts) {
        const std::size_t slash = at == 0 ? std::string_view::npos : path.find_last_of("/\\", at - 1);
        if (slash == std::string_view::npos)
            return path;
        at = slash;
    }
    return path.substr(at + 1);
}

bool isSlash(char c)
{
    return c == '/' || c == '\\';
}

/// How many of their last components `a` and `b` have in common.
std::size_t commonParts(std::string_view a, std::string_view b)
{
    const auto [inA, inB] = std::ranges::mismatch(std::views::reverse(a), std::views::reverse(b));
    const std::string_view common(inA.base(), a.end());
    const auto begins = [&](std::string_view path) {
        return path.size() == common.size() || isSlash(path[path.size() - common.size() - 1]);
    };
    return static_cast<std::size_t>(std::ranges::count_if(common, isSlash))
        + (begins(a) && begins(b) ? 1 : 0);
}

} // namespace

std::string_view baseName(std::string_view path)
{
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view lastParts(std::string_view path)
{
    const std::string_view file = baseName(path);
    if (file.size() == path.size())
        return path;
    const std::string_view folder = baseName(path.substr(0, path.size() - file.size() - 1));
    return path.substr(path.size() - file.size() - 1 - folder.size());
}

bool namesMachine(std::string_view path)
{
    const bool isOfObjects = path.starts_with("\\??\\"); // Windows' own: \??\UNC\host\share
    return isOfObjects || (path.size() > 1 && isSlash(path[0]) && isSlash(path[1]));
}

std::string percentEncoded(std::string_view path, std::string_view kept)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (isIdentifierPart(c) || kept.find(c) != std::string_view::npos)
            encoded += c;
        else
            encoded += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
    return encoded;
}

std::vector<std::string> shortNames(std::span<const std::string> paths)
{
    // Of all paths, those next to each other when read from the end have most folders in common.
    std::vector<std::string_view> sorted(paths.begin(), paths.end());
    std::ranges::sort(sorted, [](std::string_view a, std::string_view b) {
        return std::ranges::lexicographical_compare(std::views::reverse(a), std::views::reverse(b));
    });
    sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
    std::map<std::string_view, std::string_view> shortest;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const std::size_t before = i > 0 ? commonParts(sorted[i], sorted[i - 1]) : 0;
        const std::size_t after = i + 1 < sorted.size() ? commonParts(sorted[i], sorted[i + 1]) : 0;
        shortest[sorted[i]] = endOf(sorted[i], std::max(before, after) + 1);
    }
    std::vector<std::string> names;
    for (const std::string& path : paths)
        names.emplace_back(shortest.at(path));
    return names;
}

} // namespace warpline
