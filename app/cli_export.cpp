#include "app/cli_export.h"

#include "app/cli_output.h"
#include "core/cache/report_key.h"
#include "core/cache/trace_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to us

namespace fs = std::filesystem;

namespace warpline::cli {

namespace {

bool isRecording(const fs::path& path)
{
    std::string ending = path.extension().string();
    std::ranges::transform(
        ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return ending == ".nsys-rep" || ending == ".qdrep";
}

/// The nsys on the PATH; empty: there is none.
std::string findNsys()
{
    const char* const paths = std::getenv("PATH");
    std::string_view left = paths ? paths : "";
    while (!left.empty()) {
        const std::size_t colon = left.find(':');
        const std::string program = std::string(left.substr(0, colon)) + "/nsys";
        if (::access(program.c_str(), X_OK) == 0)
            return program;
        left = colon == std::string_view::npos ? std::string_view() : left.substr(colon + 1);
    }
    return {};
}

/// Runs `arguments` to the end, with what the program prints going to the file descriptor `output`. Returns
/// whether it ended well.
bool runToItsEnd(std::vector<std::string> arguments, int output)
{
    std::vector<char*> raw;
    for (std::string& argument : arguments)
        raw.push_back(argument.data());
    raw.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    pid_t child = 0;
    const int problem = posix_spawn(&child, raw[0], &actions, nullptr, raw.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0)
        return false;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// What `nsys export --help` prints; empty when it cannot be asked.
std::string helpOf(const std::string& nsys)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    if (!file || !runToItsEnd({nsys, "export", "--help"}, ::fileno(file.get())))
        return {};
    std::string help;
    std::array<char, 4096> piece{};
    std::rewind(file.get());
    while (const std::size_t read = std::fread(piece.data(), 1, piece.size(), file.get()))
        help.append(piece.data(), read);
    return help;
}

/// What makes an export hold NVTX payloads, as far as this nsys knows the options.
std::vector<std::string> payloadOptions(const std::string& nsys)
{
    const std::string help = helpOf(nsys);
    std::vector<std::string> options;
    for (const std::string option : {"--include-json=true", "--include-blobs=true", "--dynamic-tables=all"}) {
        if (help.find(option.substr(0, option.find('='))) != std::string::npos)
            options.push_back(option);
    }
    return options;
}

/// Where the export of `path` belongs: named after the file, its size, its time and its content.
fs::path targetOf(const std::string& path, const ReportKey& key)
{
    const fs::path folder = fs::path(defaultCacheFolder()).parent_path() / "exports";
    return folder
        / fmt::format("{}-{:x}-{:x}-{:x}.sqlite", fs::path(path).stem().string(), key.bytes,
            static_cast<std::uint64_t>(key.changed), key.sample);
}

} // namespace

Result<std::string> exportOf(const std::string& path, bool anew)
{
    std::error_code ignored;
    if (!isRecording(path) || !fs::is_regular_file(path, ignored) || defaultCacheFolder().empty())
        return path;
    const std::string nsys = findNsys();
    const auto key = keyOf(path);
    if (nsys.empty() || !key)
        return path;
    const fs::path target = targetOf(path, *key);
    if (!anew && fs::exists(target, ignored))
        return target.string();
    fs::create_directories(target.parent_path(), ignored);
    complain(fmt::format("converting {} with {}", path, nsys));
    // Under another name until it is complete: a broken run must not be taken for an export next time.
    const std::string part = fmt::format("{}.{}.part", target.string(), ::getpid());
    std::vector<std::string> arguments{
        nsys, "export", "--type", "sqlite", "--force-overwrite", "true", "--output", part};
    std::ranges::copy(payloadOptions(nsys), std::back_inserter(arguments));
    arguments.push_back(path);
    // What it says goes to standard error: standard output is for results.
    const bool done = runToItsEnd(std::move(arguments), STDERR_FILENO);
    if (done)
        fs::rename(part, target, ignored);
    if (!done || !fs::exists(target, ignored)) {
        fs::remove(part, ignored);
        return Error{"nsys could not export " + path};
    }
    return target.string();
}

} // namespace warpline::cli
