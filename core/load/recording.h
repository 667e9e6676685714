#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// Recordings that only nsys can read (.nsys-rep, .qdrep): nsys exports them before Warpline reads the
/// export. Shared by the window and the command line, which run nsys in different ways.

/// Patterns of recordings' names, for file dialogs.
inline constexpr std::string_view recordingPatterns = "*.nsys-rep *.qdrep";

/// Whether the file at `path` is a recording, by its name.
bool isRecording(std::string_view path);

/// The nsys of this machine: in PATH, or on Windows the newest installed one, because its installer does not
/// change PATH. Empty where there is none.
std::string installedNsys();

/// The command line for the user to do the export by hand.
std::string exportCommandFor(std::string_view path);

/// The path of the export of the recording at `path`: in the user's cache folder, named after the file, its
/// size, time and content. Empty when there is no cache folder or the file cannot be read.
std::string exportPathFor(const std::string& path);

/// The arguments after the program's name that export the recording at `path` to `target`: with payloads as
/// JSON, binary and tables, where `help` (the output of `nsys export --help`) lists these options.
std::vector<std::string> exportArguments(
    const std::string& path, const std::string& target, std::string_view help);

} // namespace warpline
