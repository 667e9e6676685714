#include "core/rows/counter_help.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

struct CounterHelp {
    std::string_view beginning; ///< of the name
    Literal key;
    Literal text;
};

/// The first that fits counts.
constexpr std::array<CounterHelp, 20> known{{
    {"GR Active", "counter_help.gr_active",
        "Share of time in which the compute and graphics engine of the GPU is busy."},
    {"SMs Active", "counter_help.sms_active",
        "Share of time in which multiprocessors hold work, averaged over all: 50% is half of them always, or all of them half the time."},
    {"SM Issue", "counter_help.sm_issue",
        "Share of cycles in which multiprocessors issue an instruction. High: arithmetic or addressing sets the pace."},
    {"Tensor Active", "counter_help.tensor_active", "Share of cycles in which tensor cores are active."},
    {"Compute Warps in Flight", "counter_help.compute_warps_in_flight",
        "Warps of kernels resident on multiprocessors."},
    {"Unallocated Warps in Active SMs", "counter_help.unallocated_warps_in_active_sms",
        "Free warp slots on active multiprocessors, because of small grids, registers or shared memory."},
    {"Vertex/Tess/Geometry Warps", "counter_help.vertex_tess_geometry_warps",
        "Warps of graphics shaders resident on multiprocessors; kernels have none."},
    {"Pixel Warps", "counter_help.pixel_warps",
        "Warps of pixel shaders resident on multiprocessors; kernels have none."},
    {"DRAM Read Bandwidth", "counter_help.dram_read_bandwidth",
        "Read bandwidth of GPU memory, as a share of its peak. Near 100%: memory sets the pace."},
    {"DRAM Write Bandwidth", "counter_help.dram_write_bandwidth",
        "Write bandwidth of GPU memory, as a share of its peak. Near 100%: memory sets the pace."},
    {"NVLink RX", "counter_help.nvlink_rx",
        "Data received over NVLink, as a share of its peak. User data is that of the program; protocol data is overhead."},
    {"NVLink TX", "counter_help.nvlink_tx",
        "Data sent over NVLink, as a share of its peak. User data is that of the program; protocol data is overhead."},
    {"PCIe RX", "counter_help.pcie_rx",
        "Data received over PCIe, as a share of its peak: copies from the host, and launches."},
    {"PCIe Read", "counter_help.pcie_read",
        "Data received over PCIe, as a share of its peak: copies from the host, and launches."},
    {"PCIe TX", "counter_help.pcie_tx", "Data sent over PCIe, as a share of its peak: copies to the host."},
    {"PCIe Write", "counter_help.pcie_write",
        "Data sent over PCIe, as a share of its peak: copies to the host."},
    {"GPC Clock", "counter_help.gpc_clock",
        "Clock of the multiprocessors. It falls when the GPU is idle, too hot or at its power limit."},
    {"SYS Clock", "counter_help.sys_clock",
        "Clock of the front end, which reads commands and distributes work."},
    {"L1", "counter_help.l1", "L1 cache bandwidth, as a share of its peak."},
    {"L2", "counter_help.l2", "L2 cache bandwidth, as a share of its peak."},
}};

} // namespace

Message counterHelp(std::string_view name)
{
    const auto* const found
        = std::ranges::find_if(known, [&](const auto& each) { return name.starts_with(each.beginning); });
    return found == known.end() ? Message() : Message(found->key, found->text);
}

} // namespace warpline
