#pragma once

#include <string_view>

namespace warpline {

/// Reads a modified cached trace: `edits` are writes of 13 bytes each (place and value). Corrects hashes, so
/// that they do not stop the fuzzer; then reads all of an accepted trace.
void readKept(std::string_view edits);

} // namespace warpline
