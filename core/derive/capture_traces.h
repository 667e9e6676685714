#pragma once

#include <memory>
#include <vector>

namespace warpline {

class Trace;

/// Notes that CUDA graphs of `trace`, which is complete, were captured in `captures`: for as long as it is
/// open. Safe to call from several threads.
void keepCaptureTraces(const Trace& trace, std::vector<std::shared_ptr<const Trace>> captures);
/// The traces that were noted for `trace`; empty: none.
std::vector<std::shared_ptr<const Trace>> captureTracesOf(const Trace& trace);

} // namespace warpline
