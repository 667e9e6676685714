#include "core/base/pending_file.h"

#include "core/base/platform/platform.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace fs = std::filesystem;

namespace warpline {

namespace {

/// Renaming onto a link would replace the link.
std::string leadsTo(const std::string& path)
{
    std::error_code problem;
    const fs::path target = fs::weakly_canonical(platform::pathOf(path), problem);
    return problem ? path : platform::utf8Of(target);
}

} // namespace

PendingFile::PendingFile(const std::string& path)
    : m_path(path),
      m_target(leadsTo(path)),
      m_part(fmt::format("{}.{}.part", m_target, platform::processId()))
{
    std::error_code ignored;
    fs::remove(platform::pathOf(m_part), ignored);
    platform::removeWhenEnded(platform::pathOf(m_part));
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_target(std::move(other.m_target)),
      m_part(std::exchange(other.m_part, {}))
{
}

PendingFile::~PendingFile()
{
    if (m_part.empty())
        return;
    std::error_code ignored;
    fs::remove(platform::pathOf(m_part), ignored);
    platform::leaveWhenEnded(platform::pathOf(m_part));
}

Result<void> PendingFile::keep()
{
    const fs::path part = platform::pathOf(m_part);
    const fs::path target = platform::pathOf(m_target);
    std::error_code problem;
    if (const fs::file_status before = fs::status(target, problem); fs::is_regular_file(before))
        fs::permissions(part, before.permissions(), problem);
    fs::rename(part, target, problem);
    if (problem)
        return Error{fmt::format("cannot write {}: {}.", m_path, problem.message())};
    platform::leaveWhenEnded(part);
    m_part.clear();
    return {};
}

std::string PendingFile::named(std::string message) const
{
    if (const std::size_t at = message.find(m_part); !m_part.empty() && at != std::string::npos)
        message.replace(at, m_part.size(), m_path);
    return message;
}

} // namespace warpline
