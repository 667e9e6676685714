#include "app/cli_output.h"

#include "core/base/platform/platform.h"
#include "core/base/utf8.h"
#include "core/export/wrapped_text.h"
#include "core/files/plain_file.h"
#include "core/load/report_files.h"
#include "core/render/render.h"
#include "core/workspace/report_set.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace warpline::cli {

namespace {

/// From the system's last error.
Message cannotWriteText(const std::string& path)
{
    return {"cli.cannot_write", "cannot write {path}: {reason}.",
        {{"path", Name{path}}, {"reason", Name{std::strerror(errno)}}}};
}

} // namespace

Output::Output()
    : Output(platform::standardOutput, plain(Message("cli.standard_output", "standard output")))
{
}

Output::Output(int descriptor, std::string name, std::optional<PendingFile> file)
    : m_file(std::move(file)),
      m_isTerminal(!m_file && platform::isTerminal(descriptor)),
      m_descriptor(descriptor),
      m_name(std::move(name))
{
}

Output::Output(Output&& other) noexcept
    : m_file(std::move(other.m_file)),
      m_readerGone(other.m_readerGone),
      m_isTerminal(other.m_isTerminal),
      m_descriptor(std::exchange(other.m_descriptor, platform::noFile)),
      m_name(std::move(other.m_name))
{
}

Output::~Output()
{
    if (m_descriptor > platform::standardError)
        platform::closeFile(m_descriptor);
}

Result<void> Output::mayWrite(const std::string& path, bool replaces, std::span<const std::string> reports)
{
    const std::filesystem::path target = platform::pathOf(path);
    std::error_code ignored;
    const std::filesystem::file_status before = std::filesystem::status(target, ignored);
    const Error exists{
        "cli.exists", "{path} exists. Name a new file, or replace it with --force.", {{"path", Name{path}}}};
    if (!std::filesystem::exists(before)) {
        const bool isLink = std::filesystem::is_symlink(std::filesystem::symlink_status(target, ignored));
        if (isLink && !replaces)
            return exists;
        return platform::mayCreateIn(target.has_parent_path() ? target.parent_path() : ".")
            ? Result<void>()
            : Result<void>(Error{cannotWriteText(path)});
    }
    const auto isTarget = [&](const std::string& file) {
        return std::filesystem::equivalent(target, platform::pathOf(file), ignored);
    };
    const auto isRead = [&](const std::string& file) {
        return isTarget(file) || std::ranges::any_of(captureFilesOf(file), isTarget);
    };
    for (const std::string& report : reports) {
        const bool isInput = report == standardInputName && isTarget("/dev/stdin");
        if (isInput || isTarget(report) || std::ranges::any_of(reportsOfSide(report).paths, isRead)
            || std::ranges::any_of(findReportFiles(std::span(&report, 1)).paths, isRead))
            return Error{"cli.is_read",
                "{path} is read by this command, and Warpline never changes what it reads. Name another file.",
                {{"path", Name{path}}}};
    }
    if (std::filesystem::is_directory(before)) {
        errno = EISDIR;
        return Error{cannotWriteText(path)};
    }
    using Perms = std::filesystem::perms;
    constexpr Perms writable = Perms::owner_write | Perms::group_write | Perms::others_write;
    if (std::filesystem::is_regular_file(before) && (before.permissions() & writable) == Perms::none)
        return Error{"cli.read_only", "cannot write {path}: it is read-only.", {{"path", Name{path}}}};
    if (std::filesystem::is_regular_file(before) && !replaces)
        return exists;
    return {};
}

Result<Output> Output::create(const std::string& path, bool replaces, std::span<const std::string> reports)
{
    if (auto may = mayWrite(path, replaces, reports); !may.ok())
        return may.error();
    const std::filesystem::path target = platform::pathOf(path);
    std::error_code ignored;
    const std::filesystem::file_status before = std::filesystem::status(target, ignored);
    std::optional<PendingFile> file;
    if (!std::filesystem::exists(before) || std::filesystem::is_regular_file(before))
        file.emplace(path);
    const int descriptor = platform::createFile(file ? platform::pathOf(file->part()) : target);
    if (descriptor == platform::noFile)
        return Error{cannotWriteText(path)};
    return Output(descriptor, path, std::move(file));
}

Result<void> Output::write(std::string_view text)
{
    const std::string shown = m_isTerminal ? shownText(text) : std::string();
    if (m_readerGone || platform::writeAll(m_descriptor, m_isTerminal ? shown : text))
        return {};
    m_readerGone = platform::isClosedReader(errno);
    return m_readerGone ? Result<void>() : Result<void>(cannotWrite());
}

Result<void> Output::close()
{
    if (m_descriptor <= platform::standardError)
        return {};
    if (!platform::closeFile(std::exchange(m_descriptor, platform::noFile)))
        return cannotWrite();
    return m_file ? m_file->keep() : Result<void>();
}

Error Output::cannotWrite() const
{
    const Message problem = cannotWriteText(m_name);
    return m_file ? problem : problem + Message("cli.output_incomplete", "The output is incomplete.");
}

ExitCode print(std::string_view text)
{
    Output output;
    const auto written = output.write(shownText(text));
    if (written.ok())
        return ExitCode::Ok;
    complain(plain(written.error().message));
    return ExitCode::WriteFailed;
}

std::size_t columnsOfTerminal()
{
    if (!platform::isTerminal(platform::standardOutput))
        return 0;
    std::size_t columns = 0;
    if (const char* const set = std::getenv("COLUMNS"))
        std::from_chars(set, set + std::string_view(set).size(), columns);
    return columns != 0 ? columns : platform::terminalColumns(platform::standardOutput);
}

ExitCode printFitted(std::string_view text)
{
    const std::size_t columns = columnsOfTerminal();
    return print(columns > 0 ? fittedText(text, columns) : std::string(text));
}

std::string& complainingProgram()
{
    static std::string name = "warpline-cli";
    return name;
}

void complain(std::string_view message)
{
    complainInFull(onOneLine(message));
}

void complainInFull(std::string_view message)
{
    platform::writeAll(platform::standardError, complainingProgram() + ": " + shownText(message) + '\n');
}

} // namespace warpline::cli
