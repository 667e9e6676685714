#include "app/fleet_files.h"

#include "core/base/platform/platform.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <system_error>

namespace warpline::cli {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Runs of digits compare as numbers.
bool comesBefore(const std::string& a, const std::string& b)
{
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return a[i] < b[j];
            ++i;
            ++j;
            continue;
        }
        const auto runAt = [](const std::string& text, std::size_t at) {
            while (at + 1 < text.size() && text[at] == '0' && isDigit(text[at + 1]))
                ++at;
            std::size_t end = at;
            while (end < text.size() && isDigit(text[end]))
                ++end;
            return text.substr(at, end - at);
        };
        const std::string left = runAt(a, i);
        const std::string right = runAt(b, j);
        if (left != right)
            return left.size() != right.size() ? left.size() < right.size() : left < right;
        while (i < a.size() && isDigit(a[i]))
            ++i;
        while (j < b.size() && isDigit(b[j]))
            ++j;
    }
    return a.size() - i < b.size() - j || (a.size() - i == b.size() - j && a < b);
}

} // namespace

std::vector<std::string> filesAt(const std::vector<std::string>& places)
{
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    for (const std::string& place : places) {
        std::error_code error;
        if (!fs::is_directory(platform::pathOf(place), error)) {
            files.push_back(place);
            continue;
        }
        std::vector<std::string> found;
        for (fs::directory_iterator each(platform::pathOf(place), error), end; !error && each != end;
             each.increment(error)) {
            if (each->path().extension() == ".sqlite")
                found.push_back(each->path().string());
        }
        std::ranges::sort(found, comesBefore);
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

std::vector<int> sharesOf(const std::vector<std::string>& files, int processes)
{
    std::vector<std::pair<std::uint64_t, std::size_t>> bySize;
    for (std::size_t i = 0; i < files.size(); ++i) {
        std::error_code error;
        const std::uint64_t size = std::filesystem::file_size(platform::pathOf(files[i]), error);
        bySize.emplace_back(error ? 0 : size, i);
    }
    std::ranges::stable_sort(bySize, std::greater{}, [](const auto& each) { return each.first; });
    std::vector<std::uint64_t> loads(static_cast<std::size_t>(std::max(1, processes)));
    std::vector<int> owners(files.size());
    for (const auto& [size, file] : bySize) {
        const auto least = std::ranges::min_element(loads);
        owners[file] = static_cast<int>(least - loads.begin());
        *least += size + 65'536; // to open a small one costs, too
    }
    return owners;
}

} // namespace warpline::cli
