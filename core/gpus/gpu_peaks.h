#pragma once

#include "core/base/message.h"
#include "core/kernels/kernel_math.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

struct Device;

/// The arithmetic limit for a kernel: a horizontal line of a roofline plot.
struct ComputeRoof {
    MathType type = MathType::Unknown;
    MathUnit unit = MathUnit::Simt;
    double flops = 0; ///< FLOP per second, a multiply and an add are two; 0: not known
    bool operator==(const ComputeRoof&) const = default;
};
/// "BF16 tensor cores", "FP32"; AMD's units are matrix cores.
Message roofText(const ComputeRoof& roof, bool amd = false);

/// FLOP per second by type; 0: the GPU has no such unit, or the maker does not publish it.
struct TypeRates {
    double fp64 = 0;
    double fp32 = 0;
    double tf32 = 0;
    double fp16 = 0;
    double bf16 = 0;
    double fp8 = 0;
    double fp4 = 0;
    double int8 = 0;
    double of(MathType type) const; ///< Any16 and INT4 weights compute as FP16 does
};

/// How the limits of a GPU were found.
enum class PeakOrigin : std::uint8_t {
    Name, ///< its name is in the table
    Attributes, ///< its name is not, but one GPU of the table has its multiprocessors and memory
    Rates, ///< multiprocessors times clock times rate per cycle of the compute capability
};

/// Peak rates of a GPU by its data sheet: boost clock, dense matrices, sums in FP32.
struct GpuPeaks {
    Message name; ///< "H100 SXM"
    Message source; ///< the data sheet, or how the limits were worked out
    PeakOrigin origin = PeakOrigin::Name;
    bool amd = false;
    TypeRates vector; ///< ordinary cores
    TypeRates tensor; ///< tensor cores, matrix cores
    TypeRates sparse; ///< of these with two of four weights zero; 0: no faster
    double bytesPerSecond = 0; ///< of the GPU's memory
    std::int64_t l2Bytes = 0;
    std::int32_t multiprocessors = 0; ///< or compute units
    double clockHz = 0; ///< boost

    /// The peak for `type` on `unit`. Without such a unit, the peak of the type that replaces it: FP16 for
    /// FP8 and FP4; FP32 on ordinary cores for tensor types. For an unknown unit the faster one; for an
    /// unknown type FP32.
    ComputeRoof roof(MathType type, MathUnit unit) const;
    /// FLOP per byte from which on `roof` is the limit and no longer the memory; 0: not known.
    double ridge(const ComputeRoof& roof) const;
};

/// The peaks of `device`; nothing when its name and attributes do not identify it. MIG instances have their
/// share. O(size of the table).
std::optional<GpuPeaks> peaksOf(const Device& device);

/// The document that a GPU's rates are from.
enum class SourceKind : std::uint8_t { DataSheet, Specifications, Whitepaper, TechnicalBrief };

/// One GPU of the table.
struct GpuSheet {
    std::string_view words; ///< lower case, all in the GPU's name, in any order: "a100 pcie"
    std::string_view name; ///< "A100 PCIe 80 GB"
    std::string_view source; ///< the product or architecture that the document is about, "NVIDIA A100"
    SourceKind kind = SourceKind::DataSheet;
    std::int32_t computeMajor = 0;
    std::int32_t computeMinor = 0;
    std::int32_t multiprocessors = 0; ///< 0: not published
    double memoryGiB = 0; ///< from the driver, rounded
    double clockMhz = 0; ///< boost; 0: not published
    double gigabytesPerSecond = 0; ///< 1e9 bytes
    double l2MiB = 0;
    TypeRates vector; ///< in TFLOP/s, as the others
    TypeRates tensor; ///< dense
    double sparsity = 0; ///< times faster where two of four weights are zero, FP64 and FP32 aside; 0: not
    double sparseFp4 = 0; ///< TFLOP/s in FP4 so; 0: no faster
    /// TFLOP/s where two of four weights are zero; 0: no faster.
    double sparse(MathType type) const;
};
Message sourceText(const GpuSheet& sheet); ///< "NVIDIA A100 data sheet"
std::span<const GpuSheet> gpuSheets(); ///< Volta to Blackwell, MI100 to MI350

/// FLOP per cycle of a multiprocessor by compute capability; for unknown ones the latest older one. GeForce
/// computes 16-bit products at half the rate when sums are FP32.
struct CycleRates {
    std::int32_t capability = 0; ///< major times ten, and minor
    TypeRates vector;
    TypeRates tensor;
};
const CycleRates* cycleRatesOf(std::int32_t major, std::int32_t minor);

} // namespace warpline
