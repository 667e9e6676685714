#include "app/cli_export.h"

#include "app/cli_output.h"
#include "core/base/pending_file.h"
#include "core/base/platform/platform.h"
#include "core/load/recording.h"
#include "core/render/render.h"

#include <filesystem>
#include <vector>

namespace fs = std::filesystem;

namespace warpline::cli {

namespace {

/// Output of `nsys export --help`; empty when it fails.
std::string helpOf(const std::string& nsys)
{
    const int file = platform::createNamelessFile();
    if (file == platform::noFile)
        return {};
    const bool asked = platform::runProgram({nsys, "export", "--help"}, file) == 0;
    std::string help = asked ? platform::contentOf(file) : std::string();
    platform::closeFile(file);
    return help;
}

} // namespace

Result<std::string> exportOf(const std::string& path, bool anew)
{
    std::error_code ignored;
    if (!isRecording(path) || !fs::is_regular_file(platform::pathOf(path), ignored))
        return path;
    const std::string nsys = installedNsys();
    const std::string target = exportPathFor(path);
    if (nsys.empty() || target.empty())
        return path;
    const fs::path kept = platform::pathOf(target);
    makePrivateFolder(kept.parent_path(), ignored);
    if (!anew && fs::exists(kept, ignored))
        return target;
    complain(plain(Message("cli.converting", "converting {path} with {program}",
        {{"path", Name{path}}, {"program", Name{nsys}}})));
    PendingFile file(target); // a broken run must not be taken for an export next time
    std::vector<std::string> arguments = exportArguments(path, file.part(), helpOf(nsys));
    arguments.insert(arguments.begin(), nsys);
    // Its output goes to standard error, because standard output is for results.
    const bool done = platform::runProgram(arguments, platform::standardError) == 0;
    if (!done || !file.keep().ok())
        return Error{"cli.not_exported", "nsys could not export {path}", {{"path", Name{path}}}};
    closeToOthers(kept);
    return target;
}

} // namespace warpline::cli
