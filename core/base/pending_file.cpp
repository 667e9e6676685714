#include "core/base/pending_file.h"

#include "core/base/file_wait.h"
#include "core/base/platform/platform.h"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

namespace fs = std::filesystem;

namespace warpline {

namespace {

/// Renaming onto a link would replace the link.
std::string leadsTo(const std::string& path)
{
    const FileWait wait(path);
    std::error_code problem;
    const fs::path target = fs::weakly_canonical(platform::pathOf(path), problem);
    return problem ? path : platform::utf8Of(target);
}

constexpr std::string_view partEnding = ".part";

/// "NAME.PROCESS-NUMBER.part": of a program no two are alike.
std::string partOf(const std::string& target)
{
    static std::atomic<unsigned> made = 0;
    return fmt::format("{}.{}-{}{}", target, platform::processId(), ++made, partEnding);
}

/// The process that writes the part `name` of the file `whole`, or of any where that is empty; nothing: it is
/// no part.
std::optional<std::uint32_t> writerOf(std::string_view name, std::string_view whole)
{
    if (!name.starts_with(whole) || !name.ends_with(partEnding))
        return {};
    name.remove_suffix(partEnding.size());
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || (!whole.empty() && dot != whole.size()))
        return {};
    std::uint32_t process = 0;
    std::uint32_t number = 0;
    const char* const end = name.data() + name.size();
    auto read = std::from_chars(name.data() + dot + 1, end, process);
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-') // earlier versions wrote no number
        read = std::from_chars(read.ptr + 1, end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(process) : std::nullopt;
}

} // namespace

void closeToOthers(const fs::path& path)
{
    std::error_code ignored; // Windows has other permissions
    fs::permissions(path, fs::perms::group_all | fs::perms::others_all, fs::perm_options::remove, ignored);
}

void makePrivateFolder(const fs::path& folder, std::error_code& error)
{
    fs::create_directories(folder, error);
    if (!error)
        closeToOthers(folder);
}

void removeLeftParts(const fs::path& folder, std::string_view name)
{
    constexpr std::chrono::minutes longest{1};
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const auto writer = writerOf(platform::utf8Of(at->path().filename()), name);
        std::error_code gone;
        if (writer && !platform::isRunning(*writer)
            && fs::file_time_type::clock::now() - at->last_write_time(gone) > longest && !gone)
            fs::remove(at->path(), gone);
    }
}

PendingFile::PendingFile(const std::string& path)
    : m_path(path),
      m_target(leadsTo(path)),
      m_part(partOf(m_target))
{
    const FileWait wait(m_path);
    const fs::path target = platform::pathOf(m_target);
    removeLeftParts(
        target.has_parent_path() ? target.parent_path() : ".", platform::utf8Of(target.filename()));
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
    const FileWait wait(m_path);
    std::error_code ignored;
    fs::remove(platform::pathOf(m_part), ignored);
    platform::leaveWhenEnded(platform::pathOf(m_part));
}

Result<void> PendingFile::keep()
{
    const FileWait wait(m_path);
    const fs::path part = platform::pathOf(m_part);
    const fs::path target = platform::pathOf(m_target);
    std::error_code problem;
    const fs::file_status before = fs::status(target, problem);
    if (fs::is_regular_file(before))
        fs::permissions(part, before.permissions(), problem);
    if (fs::is_other(before)) // a device or a pipe: its users need it
        problem = std::make_error_code(std::errc::operation_not_permitted);
    else
        fs::rename(part, target, problem);
    if (problem)
        return Error{"cli.cannot_write", "cannot write {path}: {reason}.",
            {{"path", Name{m_path}}, {"reason", Name{problem.message()}}}};
    platform::leaveWhenEnded(part);
    m_part.clear();
    return {};
}

Error PendingFile::named(Error error) const
{
    error.message.rename(m_part, m_path);
    return error;
}

} // namespace warpline
