#include "core/cache/kept_answers.h"

#include "core/base/file_wait.h"
#include "core/base/pending_file.h"
#include "core/base/platform/platform.h"
#include "core/cache/report_key.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

namespace warpline {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view answerEnding = ".answer";
constexpr auto maxUnused = std::chrono::days(90);
constexpr std::uint64_t maxAnswerBytes = 1ULL << 20U;

fs::path answerFile(const std::string& folder, const AnswerKey& key)
{
    const std::uint64_t name = hashOf(std::as_bytes(std::span(key.name)));
    return platform::pathOf(folder) / fmt::format("{:016x}{}", name, answerEnding);
}

/// "used", for clearUnused(). Once a day is enough: reading should not write.
void markUsed(const fs::path& file)
{
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    if (now - fs::last_write_time(file, error) > std::chrono::days(1) && !error)
        fs::last_write_time(file, now, error);
}

} // namespace

std::optional<AnswerKey> answerKey(
    std::string_view question, std::span<const std::string> files, std::string_view version)
{
    AnswerKey key{std::string(question), std::string(version)};
    for (const std::string& file : files) {
        std::error_code error;
        const fs::path whole = fs::canonical(platform::pathOf(file), error);
        if (error || !fs::is_regular_file(whole, error) || hasOpenChange(platform::utf8Of(whole)))
            return {};
        const auto bytes = fs::file_size(whole, error);
        const auto changed = fs::last_write_time(whole, error).time_since_epoch().count();
        if (error)
            return {};
        key.name += '\n' + platform::utf8Of(whole);
        key.state += fmt::format("\n{} {}", bytes, changed);
    }
    return key;
}

bool KeptAnswers::find(const AnswerKey& key, const std::function<void(ArchiveReader&)>& read) const
{
    if (m_folder.empty())
        return false;
    const fs::path file = answerFile(m_folder, key);
    const auto reader = platform::FileReader::open(file);
    const auto state = reader ? reader->state() : std::nullopt;
    if (!state || state->bytes > maxAnswerBytes)
        return false;
    std::vector<std::byte> bytes(state->bytes);
    if (reader->readAt(0, bytes.data(), bytes.size()) != bytes.size())
        return false;
    ArchiveReader archive(bytes);
    AnswerKey kept;
    archive(kept.name, kept.state);
    if (!archive.ok() || kept.name != key.name || kept.state != key.state)
        return false;
    read(archive);
    if (archive.ok())
        markUsed(file);
    return archive.ok();
}

void KeptAnswers::keep(const AnswerKey& key, const std::function<void(ArchiveWriter&)>& write) const
{
    std::error_code error;
    if (m_folder.empty())
        return;
    const FileWait wait(m_folder);
    makePrivateFolder(platform::pathOf(m_folder), error);
    if (error)
        return;
    PendingFile file(platform::utf8Of(answerFile(m_folder, key)));
    ArchiveWriter archive(file.part(), {});
    archive(key.name, key.state);
    write(archive);
    if (archive.close())
        static_cast<void>(file.keep()); // another time
}

void KeptAnswers::clearUnused() const
{
    const FileWait wait(m_folder);
    const auto now = fs::file_time_type::clock::now();
    std::error_code error;
    removeLeftParts(platform::pathOf(m_folder));
    for (fs::directory_iterator at(platform::pathOf(m_folder), error), end; !error && at != end;
         at.increment(error)) {
        std::error_code gone; // by another program
        if (at->path().extension() == answerEnding && now - at->last_write_time(gone) > maxUnused && !gone)
            fs::remove(at->path(), gone);
    }
}

} // namespace warpline
