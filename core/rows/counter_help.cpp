#include "core/rows/counter_help.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpline {

namespace {

/// Beginnings of names; the first that fits counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> known{{
    {"GR Active", "Share of the time in which the GPU's engine for compute and graphics had anything to do."},
    {"SMs Active",
        "Share of the time in which a multiprocessor held work, over all of them: 50% is half of them always, "
        "or all of them half the time."},
    {"SM Issue",
        "How often multiprocessors issued an instruction, of all cycles: high means that arithmetic or "
        "addressing sets the pace."},
    {"Tensor Active", "Share of the cycles in which tensor cores worked."},
    {"Compute Warps in Flight", "Warps of kernels that multiprocessors held at once."},
    {"Unallocated Warps in Active SMs",
        "Places for warps that stayed empty on multiprocessors that had work: what "
        "grids, registers or shared memory leave free."},
    {"Vertex/Tess/Geometry Warps",
        "Warps of graphics shaders that multiprocessors held at once; kernels have none."},
    {"Pixel Warps", "Warps of pixel shaders that multiprocessors held at once; kernels have none."},
    {"DRAM Read Bandwidth",
        "How much of what the GPU's memory can move was read. Near 100%: memory sets the pace."},
    {"DRAM Write Bandwidth",
        "How much of what the GPU's memory can move was written. Near 100%: memory sets the pace."},
    {"NVLink RX",
        "What came over NVLink from other GPUs, of what it can carry. User data is the program's, "
        "protocol data goes with it."},
    {"NVLink TX",
        "What went over NVLink to other GPUs, of what it can carry. User data is the program's, "
        "protocol data goes with it."},
    {"PCIe RX", "What came over PCIe to the GPU, of what it can carry: copies from the host, and launches."},
    {"PCIe Read",
        "What came over PCIe to the GPU, of what it can carry: copies from the host, and launches."},
    {"PCIe TX", "What went over PCIe from the GPU, of what it can carry: copies to the host."},
    {"PCIe Write", "What went over PCIe from the GPU, of what it can carry: copies to the host."},
    {"GPC Clock",
        "How fast multiprocessors ran. It falls when the GPU is idle, too hot or at its limit of power."},
    {"SYS Clock", "How fast the GPU's front end ran, which reads commands and distributes work."},
    {"L1", "How much of what the first cache can move was used."},
    {"L2", "How much of what the second cache can move was used."},
}};

} // namespace

std::string_view counterHelp(std::string_view name)
{
    const auto* const found
        = std::ranges::find_if(known, [&](const auto& each) { return name.starts_with(each.first); });
    return found == known.end() ? std::string_view() : found->second;
}

} // namespace warpline
