#include "core/base/path_names.h"

#include <map>
#include <set>
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

std::vector<std::string> shortNames(std::span<const std::string> paths)
{
    std::vector<std::size_t> parts(paths.size(), 1);
    for (bool again = true; again;) {
        again = false;
        std::map<std::string_view, std::set<std::string_view>> called; // by name: the paths that have it
        for (std::size_t i = 0; i < paths.size(); ++i)
            called[endOf(paths[i], parts[i])].insert(paths[i]);
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const std::string_view name = endOf(paths[i], parts[i]);
            if (called.at(name).size() < 2 || name.size() == paths[i].size())
                continue;
            ++parts[i];
            again = true;
        }
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < paths.size(); ++i)
        names.emplace_back(endOf(paths[i], parts[i]));
    return names;
}

} // namespace warpline
