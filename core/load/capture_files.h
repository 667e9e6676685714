#pragma once

#include <string>
#include <vector>

namespace warpline {

/// The traces next to the trace at `path` that contain the captures of its CUDA graphs, by name:
/// "decode.capture.json.gz" and "decode_capture_bs32.json" for "decode.json.gz". Sorted by name. Empty for
/// nsys exports, which number the nodes of graphs. Reads the folder.
std::vector<std::string> captureFilesOf(const std::string& path);

} // namespace warpline
