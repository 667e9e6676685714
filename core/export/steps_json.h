#pragma once

#include "core/export/json_text.h"
#include "core/steps/gpu_steps.h"

#include <cstdint>
#include <map>
#include <vector>

namespace warpline {

/// The detected steps of each process: an array of {pid, tid, pattern, glob, found_by (keyOf(StepSource)),
/// count, warm_up, median_ns (of the ranges on the host), gpus: [{device, steady, median_ns}], series:
/// [{kind, requests (null: not known), count, median_ns}]}. `host` are steps from NVTX ranges; `gpu` those of
/// the GPUs, including guessed ones, which replace a process' few ranges.
Json stepsJson(const std::map<std::uint32_t, StepSeries>& host, const std::vector<GpuSteps>& gpu);

} // namespace warpline
