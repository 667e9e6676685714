#pragma once

#include "core/export/json_text.h"
#include "core/findings/rule.h"

#include <span>
#include <string>

namespace warpline {

class TraceAnalysis;

/// [{number, name, used}]: the GPUs of the machine, and whether work of the report ran there.
Json jsonGpus(const Trace& trace);
/// {host, operating_system, gpus}: where the report was recorded.
Json machineJson(const Trace& trace);

/// The head of `analyze --format json` and the window's JSON, which identifies the source: file, machine,
/// capture_command, started_utc, nsys_version, range_ns as requested, measured {range_ns, basis,
/// duration_ns}, thresholds {rule.key: value} that differ from the defaults, steps like stepsJson(),
/// events (how many the report has), and gpu_work (false: nothing ran on a GPU). Unknown values are null.
Json analysisHead(TraceAnalysis& facts, std::span<const Threshold> overrides);

} // namespace warpline
