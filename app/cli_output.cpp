#include "app/cli_output.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace warpline::cli {

namespace {

constexpr int nothingOpen = -1;
constexpr mode_t newFileMode = 0666; // the user's umask narrows it

/// Writes all of `text` to `descriptor`; false with errno when it does not take everything.
bool writeAll(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR)
            return false;
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return true;
}

Error cannotWrite(const std::string& name)
{
    return {"cannot write " + name + ": " + std::strerror(errno) + ". What was written is not complete."};
}

} // namespace

Output::Output()
    : Output(STDOUT_FILENO, "standard output")
{
}

Output::Output(int descriptor, std::string name)
    : m_descriptor(descriptor),
      m_name(std::move(name))
{
}

Output::Output(Output&& other) noexcept
    : m_readerGone(other.m_readerGone),
      m_descriptor(std::exchange(other.m_descriptor, nothingOpen)),
      m_name(std::move(other.m_name))
{
}

Output::~Output()
{
    if (m_descriptor > STDERR_FILENO)
        ::close(m_descriptor);
}

Result<Output> Output::create(const std::string& path)
{
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, newFileMode);
    if (descriptor < 0)
        return Error{"cannot write " + path + ": " + std::strerror(errno) + "."};
    return Output(descriptor, path);
}

Result<void> Output::write(std::string_view text)
{
    if (m_readerGone || writeAll(m_descriptor, text))
        return {};
    m_readerGone = errno == EPIPE;
    return m_readerGone ? Result<void>() : Result<void>(cannotWrite(m_name));
}

Result<void> Output::close()
{
    if (m_descriptor <= STDERR_FILENO)
        return {};
    return ::close(std::exchange(m_descriptor, nothingOpen)) == 0 ? Result<void>()
                                                                  : Result<void>(cannotWrite(m_name));
}

void complain(std::string_view message)
{
    std::string line = "warpline-cli: " + std::string(message);
    std::ranges::replace(line, '\n', ' ');
    line += '\n';
    writeAll(STDERR_FILENO, line);
}

} // namespace warpline::cli
