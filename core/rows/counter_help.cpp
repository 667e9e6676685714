#include "core/rows/counter_help.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpline {

namespace {

/// Beginnings of names; the first that fits counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> known{{
    {"GR Active", "Share of time in which the compute and graphics engine of the GPU is busy."},
    {"SMs Active",
        "Share of time in which multiprocessors hold work, averaged over all: 50% is half of them always, or all of them half the time."},
    {"SM Issue",
        "Share of cycles in which multiprocessors issue an instruction. High: arithmetic or addressing sets the pace."},
    {"Tensor Active", "Share of cycles in which tensor cores are active."},
    {"Compute Warps in Flight", "Warps of kernels resident on multiprocessors."},
    {"Unallocated Warps in Active SMs",
        "Free warp slots on active multiprocessors, because of small grids, registers or shared memory."},
    {"Vertex/Tess/Geometry Warps",
        "Warps of graphics shaders resident on multiprocessors; kernels have none."},
    {"Pixel Warps", "Warps of pixel shaders resident on multiprocessors; kernels have none."},
    {"DRAM Read Bandwidth",
        "Read bandwidth of GPU memory, as a share of its peak. Near 100%: memory sets the pace."},
    {"DRAM Write Bandwidth",
        "Write bandwidth of GPU memory, as a share of its peak. Near 100%: memory sets the pace."},
    {"NVLink RX",
        "Data received over NVLink, as a share of its peak. User data is that of the program; protocol data is overhead."},
    {"NVLink TX",
        "Data sent over NVLink, as a share of its peak. User data is that of the program; protocol data is overhead."},
    {"PCIe RX", "Data received over PCIe, as a share of its peak: copies from the host, and launches."},
    {"PCIe Read", "Data received over PCIe, as a share of its peak: copies from the host, and launches."},
    {"PCIe TX", "Data sent over PCIe, as a share of its peak: copies to the host."},
    {"PCIe Write", "Data sent over PCIe, as a share of its peak: copies to the host."},
    {"GPC Clock",
        "Clock of the multiprocessors. It falls when the GPU is idle, too hot or at its power limit."},
    {"SYS Clock", "Clock of the front end, which reads commands and distributes work."},
    {"L1", "L1 cache bandwidth, as a share of its peak."},
    {"L2", "L2 cache bandwidth, as a share of its peak."},
}};

} // namespace

std::string_view counterHelp(std::string_view name)
{
    const auto* const found
        = std::ranges::find_if(known, [&](const auto& each) { return name.starts_with(each.first); });
    return found == known.end() ? std::string_view() : found->second;
}

} // namespace warpline
