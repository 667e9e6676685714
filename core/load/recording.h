#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// What only nsys itself can read: a recording (.nsys-rep, .qdrep), which it exports before Warpline reads
/// it. Here is what the window and the command line must agree on; each runs nsys in its own way.

/// The names that recordings have, for a dialog that opens files.
inline constexpr std::string_view recordingPatterns = "*.nsys-rep *.qdrep";

/// Whether the file at `path` is a recording, by its name.
bool isRecording(std::string_view path);

/// The nsys of this machine: in the PATH, or the newest that is installed on Windows, whose installer leaves
/// the PATH as it is. Empty where there is none.
std::string installedNsys();

/// The command that does by hand what Warpline does.
std::string exportCommandFor(std::string_view path);

/// Where the export of the recording at `path` is kept: in the user's cache folder, named after the file, its
/// size, its time and its content. Empty when the user has no such folder or the file cannot be read.
std::string exportPathFor(const std::string& path);

/// The arguments after the program's name that export the recording at `path` to `target`: with JSON and
/// binary payloads, and with tables of them, where `help` (what `nsys export --help` prints) names such
/// options.
std::vector<std::string> exportArguments(
    const std::string& path, const std::string& target, std::string_view help);

} // namespace warpline
