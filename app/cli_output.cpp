#include "app/cli_output.h"

#include "core/base/platform/platform.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace warpline::cli {

namespace {

Error cannotWrite(const std::string& name)
{
    return {"cannot write " + name + ": " + std::strerror(errno) + ". What was written is not complete."};
}

} // namespace

Output::Output()
    : Output(platform::standardOutput, "standard output")
{
}

Output::Output(int descriptor, std::string name)
    : m_descriptor(descriptor),
      m_name(std::move(name))
{
}

Output::Output(Output&& other) noexcept
    : m_readerGone(other.m_readerGone),
      m_descriptor(std::exchange(other.m_descriptor, platform::noFile)),
      m_name(std::move(other.m_name))
{
}

Output::~Output()
{
    if (m_descriptor > platform::standardError)
        platform::closeFile(m_descriptor);
}

Result<void> Output::mayReplace(const std::string& path, std::span<const std::string> reports)
{
    const std::filesystem::path target = platform::pathOf(path);
    for (const std::string& report : reports) {
        std::error_code ignored;
        if (std::filesystem::equivalent(target, platform::pathOf(report), ignored))
            return Error{path + " is the report itself, which stays as it is: name another file."};
    }
    return {};
}

Result<Output> Output::create(const std::string& path, const std::string& report)
{
    if (auto may = mayReplace(path, std::span(&report, report.empty() ? 0 : 1)); !may.ok())
        return may.error();
    const int descriptor = platform::createFile(platform::pathOf(path));
    if (descriptor == platform::noFile)
        return Error{"cannot write " + path + ": " + std::strerror(errno) + "."};
    return Output(descriptor, path);
}

Result<void> Output::write(std::string_view text)
{
    if (m_readerGone || platform::writeAll(m_descriptor, text))
        return {};
    m_readerGone = platform::isClosedReader(errno);
    return m_readerGone ? Result<void>() : Result<void>(cannotWrite(m_name));
}

Result<void> Output::close()
{
    if (m_descriptor <= platform::standardError)
        return {};
    return platform::closeFile(std::exchange(m_descriptor, platform::noFile))
        ? Result<void>()
        : Result<void>(cannotWrite(m_name));
}

void complain(std::string_view message)
{
    std::string line(message);
    std::ranges::replace(line, '\n', ' ');
    complainInFull(line);
}

void complainInFull(std::string_view message)
{
    platform::writeAll(platform::standardError, "warpline-cli: " + shownText(message) + '\n');
}

} // namespace warpline::cli
