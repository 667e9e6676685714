#include "app/fleet_files.h"

#include "core/base/platform/platform.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>

namespace warpline::cli {

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
