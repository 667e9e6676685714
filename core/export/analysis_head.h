#pragma once

#include "core/export/json_text.h"
#include "core/findings/rule.h"
#include "core/replay/cure.h"

#include <optional>
#include <span>
#include <string>

namespace warpline {

class TraceAnalysis;

/// [{number, name, used}]: the GPUs of the machine, and whether work of the report ran there.
Json jsonGpus(const Trace& trace);
/// {file, machine {host, operating_system, gpus}, capture_command, started_utc, nsys_version}: what was
/// recorded where.
Json recordingJson(const Trace& trace);

/// The head of `analyze --format json` and the window's JSON, which identifies the source: file, machine,
/// capture_command, started_utc, nsys_version, range_ns as requested, measured {range_ns, basis,
/// duration_ns}, thresholds {rule.key: value} that differ from the defaults, steps (the detected ones of each
/// process), events (how many the report has), and gpu_work (false: nothing ran on a GPU). Unknown values are
/// null.
Json analysisHead(TraceAnalysis& facts, std::span<const Threshold> overrides);

/// {call_cost_ns {low, expected, high}, step_ns, without_profiler_ns {low, expected, high}}: the recording
/// overhead per call that starts work, the mean replayed step, and the same without the profiler. Null: no
/// replay.
Json profilerJson(const std::optional<ProfiledStep>& profiled);

} // namespace warpline
