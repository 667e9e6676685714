#pragma once

#include <string>

namespace warpline::test {

/// One recording of rocprofv3 as each of its files, by the public schemas: two GPUs, two kernels and a graph
/// node, copies, HIP and HSA calls, markers, RCCL, allocations, a counter. Times are in us since boot.
std::string rocpdVersion3(); ///< SQL: places and times in each row
std::string rocpdVersion4(); ///< SQL: places and times in tables of their own
std::string rocprofJsonText();

} // namespace warpline::test
