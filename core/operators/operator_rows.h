#pragma once

#include "core/gpus/roofline.h"
#include "core/operators/operator_works.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The rows of the summary of operators.
enum class OperatorGrouping : std::uint8_t {
    Shape, ///< an operator with the same shapes and types
    Operator,
    Module, ///< torch.nn.Module, else the program's ranges, around the call
    Class, ///< kernel class
};
std::string_view keyOf(OperatorGrouping grouping); ///< "shape" ...

struct OperatorQuery {
    TimeRange window; ///< calls whose GPU work overlaps it; empty: all
    std::string nvtxName; ///< glob: only calls in the NVTX ranges with that name; empty: all
    OperatorGrouping by = OperatorGrouping::Shape;
    std::stop_token stop;
};

/// Calls of operators, summed up.
struct OperatorRow {
    std::string operatorName; ///< empty where the row is about several
    std::string module; ///< with OperatorGrouping::Module: "GPT / Block / Linear"; empty: none around
    std::string shapes; ///< as OperatorShape has them; empty: not recorded, or several
    std::vector<std::string> types; ///< the same
    std::string kernelClass; ///< empty: several
    bool isKernel = false; ///< kernels that no operator launched
    std::int64_t calls = 0;
    std::int64_t kernels = 0; ///< pieces of GPU work
    Ns gpu = 0;
    /// Of calls with known FLOPs, or bytes; nothing where there are none.
    std::optional<std::int64_t> flops;
    std::optional<std::int64_t> bytes;
    std::int64_t skipped = 0; ///< Work::skipped
    /// Upper bound of the result elements of calls without FLOPs, see mostResultElements(). Nothing: these
    /// calls have no matrix product, or a kernel gives no bound.
    std::optional<std::int64_t> mostElements;
    /// For collectives with recorded sizes, like nccl-tests: message bytes, and bus bytes. Nothing: there are
    /// none; for the bus also where the number of ranks is unknown.
    std::optional<std::int64_t> collectiveBytes;
    std::optional<double> busBytes;
    Ns collectiveNs = 0; ///< of their kernels, waits for other ranks included
    Ns flopsNs = 0; ///< GPU time of the calls with known FLOPs
    Ns bytesNs = 0; ///< the same of bytes
    MathType arithmetic = MathType::Unknown; ///< Unknown where calls differ
    bool isAssumed = false; ///< WorkBasis::Assumed of any call
    bool typesFromKernels = false; ///< of any call
    double rooflineNs = 0; ///< of calls with a known roofline; 0: none
    Ns rooflineGpu = 0; ///< GPU time of these
    RooflineBound bound = RooflineBound::Unknown;
    std::vector<std::uint32_t> runs; ///< of OperatorWorks::runs

    /// 10^12 per second; nothing where not known.
    std::optional<double> teraflops() const;
    std::optional<double> terabytes() const;
    /// 10^9 bytes per second.
    std::optional<double> algorithmBandwidth() const;
    std::optional<double> busBandwidth() const;
    /// 0..100; above where data came from a cache.
    std::optional<double> rooflinePercent() const;
};

/// The calls of `works`, found in `trace`, that `query` asks for, by GPU time. O(n log n) in calls. Throws
/// Stopped when a stop is requested.
std::vector<OperatorRow> operatorRows(
    const Trace& trace, const OperatorWorks& works, const OperatorQuery& query);

/// OperatorRow::module of the operator `event`, or of the one that launched the kernel `event`; empty: it is
/// neither, or has none. O(n log n) in the operators for the first kernel, then O(n) for each operator
/// of autograd around it. Throws Stopped.
std::string moduleOf(const Trace& trace, EventRef event, const std::stop_token& stop = {});

/// 10^12 per second; nothing where the amount is not known, or took no time.
std::optional<double> perSecond(std::optional<std::int64_t> amount, Ns time);

/// The work of one call of `shape` for a roofline.
WorkAmount amountOf(const OperatorShape& shape);

} // namespace warpline
