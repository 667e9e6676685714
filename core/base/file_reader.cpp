#include "core/base/file_reader.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace warpline {

std::optional<FileReader> FileReader::open(const std::string& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return std::nullopt;
    return FileReader(descriptor);
}

FileReader::FileReader(FileReader&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

FileReader& FileReader::operator=(FileReader&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

FileReader::~FileReader()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

std::size_t FileReader::readAt(std::uint64_t offset, void* to, std::size_t count) const
{
    std::size_t done = 0;
    while (done < count) {
        const auto read = ::pread(
            m_descriptor, static_cast<char*>(to) + done, count - done, static_cast<off_t>(offset + done));
        if (read < 0 && errno == EINTR)
            continue;
        if (read <= 0)
            break;
        done += static_cast<std::size_t>(read);
    }
    return done;
}

std::optional<FileState> FileReader::state() const
{
    struct stat status { };
    if (::fstat(m_descriptor, &status) != 0)
        return std::nullopt;
    constexpr std::int64_t nsPerSecond = 1'000'000'000;
    return FileState{static_cast<std::uint64_t>(status.st_size),
        status.st_mtim.tv_sec * nsPerSecond + status.st_mtim.tv_nsec,
        static_cast<std::uint64_t>(status.st_ino)};
}

} // namespace warpline
