#include "core/files/plain_file.h"

#include "core/base/file_wait.h"
#include "core/base/format.h"
#include "core/base/message_names.h"
#include "core/base/platform/platform.h"
#include "core/base/platform/stream.h"
#include "core/base/shell_words.h"
#include "core/base/stop.h"
#include "core/files/text_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace warpline {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t pieceBytes = std::size_t{1} << 20U;
constexpr std::string_view sqliteHead("SQLite format 3\0", 16);

using SharedFile = std::shared_ptr<const PlainFile>;

/// The copies of this program, in a folder that this user alone can read.
class Copies {
public:
    Copies() = default;
    ~Copies()
    {
        m_streams.clear();
        m_latest.clear();
        std::error_code ignored;
        if (!m_folder.empty())
            fs::remove(m_folder, ignored);
    }
    Copies(const Copies&) = delete;
    Copies& operator=(const Copies&) = delete;

    /// Held by who makes the copy of this file.
    std::shared_ptr<std::mutex> mutexOf(const std::string& key)
    {
        const std::scoped_lock lock(m_mutex);
        std::weak_ptr<std::mutex>& known = m_making[key];
        auto own = known.lock();
        if (!own)
            known = own = std::make_shared<std::mutex>();
        return own;
    }
    SharedFile find(const std::string& key) const
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_files.find(key);
        return found == m_files.end() ? nullptr : found->second.lock();
    }
    void keep(const std::string& key, const SharedFile& file, bool isOfStream)
    {
        constexpr std::size_t latest = 4; // a window asks again of the reports that it shows
        const std::scoped_lock lock(m_mutex);
        m_files[key] = file;
        std::deque<SharedFile>& kept = isOfStream ? m_streams : m_latest;
        kept.push_back(file);
        if (m_latest.size() > latest)
            m_latest.pop_front();
    }
    /// The name for the next copy; empty: no folder can be made.
    std::string next()
    {
        const std::scoped_lock lock(m_mutex);
        if (m_folder.empty()) {
            m_folder = platform::makeTemporaryFolder();
            platform::removeWhenEnded(m_folder);
        }
        return m_folder.empty() ? std::string() : platform::utf8Of(m_folder / std::to_string(++m_made));
    }
    const fs::path& folder() const { return m_folder; }

private:
    mutable std::mutex m_mutex;
    fs::path m_folder;
    std::map<std::string, std::weak_ptr<std::mutex>> m_making;
    std::map<std::string, std::weak_ptr<const PlainFile>> m_files;
    std::deque<SharedFile> m_streams;
    std::deque<SharedFile> m_latest;
    int m_made = 0;
};

Copies& copies()
{
    static Copies all;
    return all;
}

/// Identifies the state of the file at `path`; a stream has one state only.
std::string keyOf(const std::string& path)
{
    if (isStream(path))
        return path;
    const auto file = platform::FileReader::open(platform::pathOf(path));
    const auto state = file ? file->state() : std::nullopt;
    return state ? fmt::format("{}\x1f{}\x1f{}", path, state->bytes, state->changedNs) : path;
}

Error diskFullError(const Value& path, std::uint64_t bytes)
{
    return Error{"file.no_room",
        "{path} does not fit into {folder}: it needs more than {bytes}. Set TMPDIR to a folder with more space.",
        {{"path", path}, {"folder", Name{platform::utf8Of(copies().folder().parent_path())}},
            {"bytes", Name{formatBytes(bytes)}}}};
}

/// Whether the folder of the copies has little left: other programs need some, too.
bool isNearlyFull()
{
    constexpr std::uint64_t minFreeBytes = std::uint64_t{256} << 20U;
    std::error_code error;
    const fs::space_info space = fs::space(copies().folder(), error);
    return !error && space.available < minFreeBytes;
}

/// Writes the data from `read`, piece by piece, into a new file for `path`.
template <typename Read>
Result<SharedFile> copied(const Value& path, const std::stop_token& stop, Read&& read)
{
    const std::string target = copies().next();
    const int file = target.empty() ? platform::noFile : platform::createFile(platform::pathOf(target));
    if (file == platform::noFile)
        return Error{"file.no_copy",
            "{path} needs a temporary copy, which could not be created. Set TMPDIR to a folder with free space.",
            {{"path", path}}};
    const SharedFile copy = PlainFile::ofCopy(target);
    constexpr std::uint64_t piecesBetweenLooks = 64;
    std::string piece(pieceBytes, '\0');
    std::uint64_t written = 0;
    bool isFull = false;
    for (std::uint64_t pieces = 1; !isFull && !stop.stop_requested(); ++pieces) {
        const std::size_t bytes = read(piece.data(), piece.size());
        if (bytes == 0)
            break;
        written += bytes;
        isFull = !platform::writeAll(file, {piece.data(), bytes})
            || (pieces % piecesBetweenLooks == 0 && isNearlyFull());
    }
    isFull = !platform::closeFile(file) || isFull;
    throwIfStopped(stop);
    if (isFull)
        return diskFullError(path, written);
    return copy;
}

/// Whether data that begins with `head` may be a report: prevents copying /dev/zero.
bool mayBeReport(std::string_view head)
{
    const char first = firstSignOf(head);
    return isSqliteDatabase(head) || !packingOf(head).empty() || first == '{' || first == '[';
}

Result<SharedFile> copyOfStream(const std::string& path, const std::stop_token& stop)
{
    const bool isInput = path == standardInputName;
    const platform::Stream stream
        = isInput ? platform::Stream::ofStandardInput() : platform::Stream::open(platform::pathOf(path));
    const bool isTerminal = isInput && platform::isTerminal(platform::standardInput);
    if (isTerminal || (isInput && !stream.isOpen()))
        return Error{"file.terminal",
            "Standard input is {terminal, select, yes {a terminal} other {closed}}. Send a report to it, as in: cat report.sqlite | warpline-cli info -",
            {{"terminal", yesOrNo(isTerminal)}}};
    if (!stream.isOpen())
        return Error{"file.no_access", "{path} cannot be opened. Check its name and permissions.",
            {{"path", Name{path}}}};
    const Value name = isInput ? Value(Message("file.standard_input", "Standard input")) : Name{path};
    bool isFirst = true;
    bool isEmpty = true;
    bool isReport = true;
    auto copy = copied(name, stop, [&](char* to, std::size_t count) -> std::size_t {
        const std::size_t bytes = stream.read(to, count, stop);
        isEmpty = isEmpty && bytes == 0;
        isReport = isReport && (!isFirst || mayBeReport({to, bytes}));
        isFirst = false;
        return isReport ? bytes : 0;
    });
    if (isEmpty && copy.ok())
        return Error{"file.empty_pipe",
            "{path} is empty (0 bytes). Check the program that writes to the pipe.", {{"path", name}}};
    if (isReport || !copy.ok())
        return copy;
    return Error{"file.no_report",
        "{path} is not a report: it is neither an export (SQLite) nor a trace (JSON), compressed or not. Convert a recording (.nsys-rep) with nsys export --type sqlite first.",
        {{"path", name}}};
}

Result<SharedFile> unpackedCopy(const std::string& path, const std::string& file, const std::stop_token& stop)
{
    auto source = TextSource::open(file);
    if (!source.ok())
        return source.error();
    auto copy = copied(
        Name{path}, stop, [&](char* to, std::size_t count) { return source.value().read(to, count); });
    if (!copy.ok() || !source.value().damaged())
        return copy;
    return Error{"file.packed_damaged", "{path} is compressed, but incomplete or damaged. Copy it again.",
        {{"path", Name{path}}}};
}

/// The first bytes of the file itself.
std::string headOf(const std::string& path)
{
    constexpr std::size_t bytes = 16;
    std::string head(bytes, '\0');
    std::error_code ignored;
    if (!fs::is_regular_file(platform::pathOf(path), ignored))
        return {};
    const auto file = platform::FileReader::open(platform::pathOf(path));
    head.resize(file ? file->readAt(0, head.data(), head.size()) : 0);
    return head;
}

std::string textAt(const std::string& file, std::size_t count)
{
    auto source = TextSource::open(file);
    if (!source.ok())
        return {};
    std::string text(count, '\0');
    text.resize(source.value().read(text.data(), count));
    return text;
}

Result<SharedFile> unpacked(const std::string& path, const SharedFile& file, const std::stop_token& stop)
{
    const std::string head = headOf(file->path());
    if (!packingOf(head).empty() && !inflaterFor(head))
        return unpackFirst(path, unpackerOf(head));
    if (packingOf(head).empty() || !isSqliteDatabase(textAt(file->path(), sqliteHead.size())))
        return file;
    return unpackedCopy(path, file->path(), stop);
}

} // namespace

bool isSqliteDatabase(std::string_view head)
{
    return head.starts_with(sqliteHead);
}

char firstSignOf(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first == std::string_view::npos ? '\0' : text[first];
}

PlainFile::PlainFile(std::string path)
    : m_path(std::move(path))
{
}

std::shared_ptr<PlainFile> PlainFile::ofCopy(std::string path)
{
    auto copy = std::make_shared<PlainFile>(std::move(path));
    copy->m_isCopy = true;
    platform::removeWhenEnded(platform::pathOf(copy->m_path));
    return copy;
}

PlainFile::~PlainFile()
{
    if (!m_isCopy)
        return;
    std::error_code ignored;
    fs::remove(platform::pathOf(m_path), ignored);
    platform::leaveWhenEnded(platform::pathOf(m_path));
}

bool isStream(const std::string& path)
{
    const FileWait wait(path);
    std::error_code ignored;
    const fs::file_status status = fs::status(platform::pathOf(path), ignored);
    return fs::is_fifo(status) || fs::is_socket(status) || fs::is_character_file(status)
        || (path == standardInputName && !fs::exists(status));
}

Result<std::shared_ptr<const PlainFile>> plainFileOf(const std::string& path, const std::stop_token& stop)
{
    const bool isOfStream = isStream(path);
    SharedFile file = std::make_shared<PlainFile>(path);
    if (!isOfStream && packingOf(headOf(path)).empty())
        return file;
    Copies& all = copies();
    const std::string key = keyOf(path);
    const auto own = all.mutexOf(key);
    const std::scoped_lock lock(*own); // who asks for the same file waits for its copy, nobody else
    if (auto known = all.find(key))
        return known;
    if (isOfStream) {
        auto copy = copyOfStream(path, stop);
        if (!copy.ok())
            return copy;
        file = copy.take();
    }
    auto plain = unpacked(path, file, stop);
    if (plain.ok() && plain.value()->isCopy())
        all.keep(key, plain.value(), isOfStream);
    return plain;
}

Error unpackFirst(const std::string& path, std::string_view unpacker)
{
    return {"file.packed", "{path} is compressed. Unpack it and open the result: {unpacker} --keep {quoted}",
        {{"path", Name{path}}, {"unpacker", Name{std::string(unpacker)}},
            {"quoted", Name{shellQuoted(path)}}}};
}

Message readProblem(const std::string& path)
{
    constexpr std::uint64_t most = std::uint64_t{1} << 30U;
    std::error_code ignored;
    const auto file = fs::is_regular_file(platform::pathOf(path), ignored)
        ? platform::FileReader::open(platform::pathOf(path))
        : std::nullopt;
    const auto state = file ? file->state() : std::nullopt;
    if (!state)
        return {};
    std::vector<char> piece(pieceBytes);
    std::uint64_t at = 0;
    errno = 0;
    while (at < std::min(state->bytes, most)) {
        const std::size_t read = file->readAt(at, piece.data(), piece.size());
        at += read;
        if (read < piece.size())
            break;
    }
    // A truncated file also ends early, but without an error.
    const int problem = errno;
    if (at >= std::min(state->bytes, most) || problem == 0)
        return {};
    return {"file.disk",
        "{path} cannot be read from byte {byte} on ({reason}). Copy the file to another disk, and open the copy.",
        {{"path", Name{path}}, {"byte", Ordinal{static_cast<std::int64_t>(at)}},
            {"reason", Name{std::strerror(problem)}}}};
}

std::string beginningOfText(const std::string& path, std::size_t count)
{
    if (isStream(path)) {
        const auto own = copies().mutexOf(path);
        const std::scoped_lock lock(*own); // it may be copied right now
        const auto known = copies().find(path);
        return known ? textAt(known->path(), count) : std::string();
    }
    return headOf(path).empty() ? std::string() : textAt(path, count);
}

} // namespace warpline
