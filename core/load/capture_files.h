#pragma once

#include <string>
#include <vector>

namespace warpline {

/// The traces beside the trace at `path` in which the CUDA graphs that it replays were captured, by their
/// names: "decode.capture.json.gz" and "decode_capture_bs32.json" beside "decode.json.gz". In the order of
/// their names. Empty for exports of nsys, which number the nodes of graphs. Reads the folder.
std::vector<std::string> captureFilesOf(const std::string& path);

} // namespace warpline
