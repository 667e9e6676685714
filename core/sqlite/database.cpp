// Opens a report without ever changing it.
//
// Three cases. Usually there are no other files: the report is opened with immutable=1, which takes no locks
// and creates no -shm file, after a lock probe that detects a program that locks the file exclusively. A -wal
// or a -journal file means that another program writes, or stopped while writing: SQLite's own locking and
// recovery are needed, so the file is opened read-only in the normal way. Where recovery would have to write
// (a hot journal, or a -wal without a -shm in a read-only folder), the files are copied and the copy
// recovers.

#include "core/sqlite/database.h"

#include "core/base/file_wait.h"
#include "core/base/format.h"
#include "core/base/path_names.h"
#include "core/base/platform/platform.h"
#include "core/base/shell_words.h"
#include "core/files/inflater.h"
#include "core/files/plain_file.h"
#include "core/sqlite/page_format.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdarg>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>

namespace fs = std::filesystem;

namespace warpline::sqlite {

namespace {

constexpr int busyTimeoutMs = 1500;
constexpr int recentSeconds = 15;

std::string uriOf(const fs::path& path, bool immutable)
{
    // SQLite wants UTF-8 with forward slashes, and one before a drive's letter.
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    std::string name = platform::utf8Of(error ? path : whole);
    std::ranges::replace(name, static_cast<char>(fs::path::preferred_separator), '/');
    return "file:" + std::string(name.starts_with('/') ? "" : "/") + percentEncoded(name, "/-.~:")
        + "?mode=ro" + (immutable ? "&immutable=1" : "");
}

std::uint32_t bigEndian(
    const std::array<unsigned char, fileHeaderBytes>& header, std::size_t at, std::size_t bytes)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value = value << 8U | header[at + i];
    return value;
}

bool startsWith(
    const std::array<unsigned char, fileHeaderBytes>& header, std::size_t length, std::string_view text)
{
    return length >= text.size() && std::memcmp(header.data(), text.data(), text.size()) == 0;
}

/// A file that changed within the last seconds may still be in the making.
bool isBeingWritten(const std::string& path)
{
    std::error_code error;
    const auto changed = fs::last_write_time(platform::pathOf(path), error);
    return !error && fs::file_time_type::clock::now() - changed < std::chrono::seconds(recentSeconds);
}

bool isOneOf(const fs::path& extension, std::initializer_list<const char*> list)
{
    return std::ranges::any_of(list, [&](const char* each) { return extension == each; });
}

Error notADatabase(
    const std::string& path, const std::array<unsigned char, fileHeaderBytes>& header, std::size_t length)
{
    if (startsWith(header, length, "version https://git-lfs"))
        return {"file.git_lfs",
            "{path} is a Git LFS pointer, not a report. Run git lfs pull to fetch the report.",
            {{"path", Name{path}}}};
    const std::string_view head(reinterpret_cast<const char*>(header.data()), length);
    if (const std::string_view unpacker = unpackerOf(head); !unpacker.empty())
        return unpackFirst(path, unpacker);
    // SQLite writes the first page last, and nsys exports in one piece.
    if (length > 0
        && std::all_of(header.begin(), header.begin() + length, [](unsigned char c) { return c == 0; }))
        return Message("file.unfinished",
                   "{path} is an unfinished export: nsys export was interrupted or is still running.",
                   {{"path", Name{path}}})
            + (isBeingWritten(path)
                    ? Message("file.export_if_ended",
                        "If it is still running, wait and open the file again. Otherwise, export the report again: nsys export --type sqlite --force-overwrite=true.")
                    : Message("file.export_again",
                        "Export the report again: nsys export --type sqlite --force-overwrite=true."));
    const fs::path extension = platform::pathOf(path).extension();
    if (extension == ".nsys-rep" || extension == ".qdrep")
        return {"file.recording",
            "{path} is a recording, not an export. Run: nsys export --type sqlite {quoted} and open the .sqlite file.",
            {{"path", Name{path}}, {"quoted", Name{shellQuoted(path)}}}};
    if (isOneOf(extension, {".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".f90", ".py", ".jl"}))
        return {"file.source_code",
            "{path} is source code, not a report. Record the program with nsys profile -o report <your program>, then run nsys export --type sqlite -o report.sqlite report.nsys-rep and open report.sqlite.",
            {{"path", Name{path}}}};
    if (isOneOf(extension, {".ncu-rep", ".nvvp", ".nvprof"}))
        return {"file.other_profiler",
            "{path} is a report of another profiler. Record the program with nsys profile -o report <your program>, then run nsys export --type sqlite -o report.sqlite report.nsys-rep.",
            {{"path", Name{path}}}};
    return {"file.not_sqlite",
        "{path} is not an SQLite database. Open a file made with nsys export --type sqlite -o report.sqlite report.nsys-rep.",
        {{"path", Name{path}}}};
}

Error unreadable(const std::string& path, const std::string& reason)
{
    return {"file.unreadable", "{path} cannot be read: {reason}. Check its permissions.",
        {{"path", Name{path}}, {"reason", Name{reason}}}};
}

/// Checks the first bytes and the size of `plain`, which the user knows as `path`.
Result<void> checkHeader(
    const std::string& plain, const std::string& path, std::uint64_t bytes, bool hasLog, bool& usesWal)
{
    const FileWait wait(path);
    std::ifstream file(platform::pathOf(plain), std::ios::binary);
    if (!file)
        return unreadable(path, std::strerror(errno));
    std::array<unsigned char, fileHeaderBytes> header{};
    file.read(reinterpret_cast<char*>(header.data()), fileHeaderBytes);
    const auto length = static_cast<std::size_t>(file.gcount());
    if (length == 0)
        return Error{"file.empty",
            "{path} is empty (0 bytes). Run nsys export --type sqlite again. If the recording is empty, too, record again.",
            {{"path", Name{path}}}};
    if (!isSqliteDatabase({reinterpret_cast<const char*>(header.data()), length}))
        return notADatabase(path, header, length);
    const std::uint32_t pageField = length >= 18 ? bigEndian(header, 16, 2) : 0;
    const std::uint64_t pageBytes = pageField == 1 ? 65536 : pageField;
    const std::uint64_t pages = length == fileHeaderBytes ? bigEndian(header, 28, 4) : 0;
    // The page count of the header is only trustworthy when both change counters agree (SQLite file
    // format, 1.3.7).
    const bool trusted = length == fileHeaderBytes && bigEndian(header, 24, 4) == bigEndian(header, 92, 4);
    if (length < fileHeaderBytes || (!hasLog && trusted && pages * pageBytes > bytes))
        return Error{Message("file.incomplete", "{path} is incomplete: it has {bytes} of {all} bytes.",
                         {{"path", Name{path}}, {"bytes", Count{bytes}},
                             {"all", Count{std::max<std::uint64_t>(pages * pageBytes, fileHeaderBytes)}}})
            + (isBeingWritten(path) ? Message("file.copy_if_ended",
                   "If it is still being written or copied, wait and open it again. Otherwise, copy it again, or export the report again.")
                                    : Message(
                                        "file.copy_again", "Copy it again, or export the report again."))};
    usesWal = header[18] == 2 || header[19] == 2;
    return {};
}

Error openError(const std::string& path, int code, const char* reason)
{
    if ((code & 0xFF) == SQLITE_BUSY || (code & 0xFF) == SQLITE_LOCKED)
        return {"file.locked",
            "{path} is locked by another program. Close that program, or copy the file and open the copy.",
            {{"path", Name{path}}}};
    if ((code & 0xFF) == SQLITE_NOMEM)
        return {"file.no_memory",
            "{path} needs more memory than is free. Close other reports or programs, or record a shorter time.",
            {{"path", Name{path}}}};
    if ((code & 0xFF) == SQLITE_NOTADB || (code & 0xFF) == SQLITE_CORRUPT)
        return {"file.damaged",
            "{path} is damaged ({reason}). Copy it again, or export the report again with nsys export --type sqlite.",
            {{"path", Name{path}}, {"reason", Name{reason}}}};
    return {"file.not_opened",
        "{path} cannot be opened: {reason}. Check its permissions, or copy the file and open the copy.",
        {{"path", Name{path}}, {"reason", Name{reason}}}};
}

using Handle = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

#ifndef _WIN32
/// Reads and locks of SQLite are waits for a disk.
using Lock = int (*)(int, int, ...);
using Read = ssize_t (*)(int, void*, std::size_t);
using ReadAt = ssize_t (*)(int, void*, std::size_t, off_t);
Lock ownLock = nullptr;
Read ownRead = nullptr;
ReadAt ownReadAt = nullptr;

/// fcntl(), whose argument is a pointer or a number.
int waitingLock(int file, int command, ...)
{
    std::va_list more;
    va_start(more, command);
    void* const argument = va_arg(more, void*);
    va_end(more);
    const FileWait wait(file);
    return ownLock(file, command, argument);
}

ssize_t waitingRead(int file, void* to, std::size_t count)
{
    const FileWait wait(file);
    return ownRead(file, to, count);
}

ssize_t waitingReadAt(int file, void* to, std::size_t count, off_t place)
{
    const FileWait wait(file);
    return ownReadAt(file, to, count, place);
}

template <typename Call> void watchCall(sqlite3_vfs& system, const char* name, Call& own, Call waiting)
{
    own = reinterpret_cast<Call>(system.xGetSystemCall(&system, name));
    if (own)
        system.xSetSystemCall(&system, name, reinterpret_cast<sqlite3_syscall_ptr>(waiting));
}
#endif

void watchReads()
{
#ifndef _WIN32
    sqlite3_vfs* const system = sqlite3_vfs_find("unix");
    if (!system || system->iVersion < 3)
        return;
    watchCall(*system, "fcntl", ownLock, waitingLock);
    watchCall(*system, "read", ownRead, waitingRead);
    if constexpr (sizeof(off_t) == sizeof(sqlite3_int64)) { // then both names read alike
        watchCall(*system, "pread64", ownReadAt, waitingReadAt);
        if (!ownReadAt)
            watchCall(*system, "pread", ownReadAt, waitingReadAt);
    }
#endif
}

/// Opens `uri`, of the file at `path`, and reads the schema once. Returns SQLite's code.
int tryOpen(const std::string& uri, const std::string& path, Handle& handle, std::string& reason)
{
    const FileWait wait(path);
    static const bool isWatched = (watchReads(), true);
    static_cast<void>(isWatched);
    sqlite3* opened = nullptr;
    int code = sqlite3_open_v2(
        uri.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
    handle.reset(opened);
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(opened, busyTimeoutMs);
        code = sqlite3_exec(opened, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr);
    }
    if (code != SQLITE_OK) {
        reason = opened ? sqlite3_errmsg(opened) : sqlite3_errstr(code);
        code = opened ? sqlite3_extended_errcode(opened) : code;
    }
    return code;
}

/// Hides the name of a file that all databases of one change share, which stands at the end of the copied
/// `journal`: SQLite would read that file, which may be any of the user's, and remove it.
void hideOtherFiles(const fs::path& journal, std::error_code& error)
{
    std::ofstream file(journal, std::ios::binary | std::ios::app);
    file << std::string(64, '\0');
    if (!file.flush())
        error = std::make_error_code(std::errc::io_error);
}

} // namespace

/// A folder with a copy of a report and its log files; or the copy of one that is packed, or came by a pipe.
class ReportFile::TemporaryCopy {
public:
    static std::shared_ptr<TemporaryCopy> make(const fs::path& source, Value& problem)
    {
        std::error_code error;
        const fs::path folder = platform::makeTemporaryFolder();
        if (folder.empty()) {
            problem = Message("file.no_temporary_folder", "no temporary folder");
            return nullptr;
        }
        auto copy = std::make_shared<TemporaryCopy>(folder);
        for (const std::string_view suffix : {"", "-wal", "-journal"}) {
            fs::path from = source;
            fs::path to = copy->file();
            from += suffix;
            to += suffix;
            const bool isThere = fs::exists(from, error);
            if (isThere)
                fs::copy_file(from, to, error);
            if (isThere && !error)
                fs::permissions(to, fs::perms::owner_write, fs::perm_options::add, error);
            if (isThere && !error && suffix == "-journal")
                hideOtherFiles(to, error);
            if (error) {
                problem = Name{error.message()};
                return nullptr;
            }
        }
        return copy;
    }

    explicit TemporaryCopy(fs::path folder)
        : m_folder(std::move(folder))
    {
    }
    explicit TemporaryCopy(std::shared_ptr<const PlainFile> plain)
        : m_plain(std::move(plain))
    {
    }
    TemporaryCopy(const TemporaryCopy&) = delete;
    TemporaryCopy& operator=(const TemporaryCopy&) = delete;
    ~TemporaryCopy()
    {
        std::error_code ignored;
        if (!m_folder.empty())
            fs::remove_all(m_folder, ignored);
    }

    fs::path file() const { return m_folder / "report.sqlite"; }

private:
    fs::path m_folder;
    std::shared_ptr<const PlainFile> m_plain;
};

Result<ReportFile> ReportFile::open(const std::string& path)
{
    const auto plain = plainFileOf(path);
    if (!plain.ok())
        return plain.error();
    const std::string& name = plain.value()->path();
    std::error_code error;
    const auto statusOf = [&error](const std::string& asked) {
        const FileWait wait(asked);
        return fs::status(platform::pathOf(asked), error);
    };
    const fs::file_status status = statusOf(name);
    if (!fs::status_known(status))
        return unreadable(path, error.message());
    if (!fs::exists(status))
        return Error{"file.missing", "{path} does not exist. Check the name.", {{"path", Name{path}}}};
    if (fs::is_directory(status))
        return Error{"file.folder", "{path} is a folder. Name a report, such as a .sqlite file.",
            {{"path", Name{path}}}};
    ReportFile file;
    file.m_path = path;
    const auto sizeOf = [&error](const std::string& asked) {
        const FileWait wait(asked);
        return fs::file_size(platform::pathOf(asked), error);
    };
    const std::uint64_t bytes = sizeOf(name);
    file.m_bytes = isStream(path) ? bytes : sizeOf(path);
    if (plain.value()->isCopy())
        file.m_copy = std::make_shared<TemporaryCopy>(plain.value());
    const auto present = [&](const char* suffix) {
        const FileWait wait(name + suffix);
        const fs::path beside = platform::pathOf(name + suffix);
        return fs::exists(beside, error) && fs::file_size(beside, error) > 0;
    };
    const bool hasLog = present("-wal") || present("-journal");
    bool usesWal = false;
    if (auto checked = checkHeader(name, path, bytes, hasLog, usesWal); !checked.ok())
        return checked.error();

    Handle handle(nullptr, sqlite3_close);
    std::string reason;
    // Write-ahead mode without a log: a locking open would make -wal and -shm files, so go without.
    file.m_uri = uriOf(platform::pathOf(name), !hasLog && usesWal);
    int code = tryOpen(file.m_uri, name, handle, reason);
    if (code == SQLITE_OK && !hasLog) {
        file.m_uri = uriOf(platform::pathOf(name), true);
        file.m_plain = true;
        return file;
    }
    if (code == SQLITE_OK)
        return file;
    if (hasLog && ((code & 0xFF) == SQLITE_READONLY || (code & 0xFF) == SQLITE_CANTOPEN)) {
        Value problem = Name{};
        file.m_copy = TemporaryCopy::make(platform::pathOf(path), problem);
        if (!file.m_copy)
            return Error{"file.unfinished_change",
                "{path} has an unfinished change next to it (-wal or -journal), and it could not be copied ({problem}). Free disk space, or copy the files to a folder that you can write to.",
                {{"path", Name{path}}, {"problem", problem}}};
        // The copy may be written to: let SQLite recover it once, then read it like any other file.
        sqlite3* recovered = nullptr;
        sqlite3_open(platform::utf8Of(file.m_copy->file()).c_str(), &recovered);
        handle.reset(recovered);
        code = sqlite3_exec(recovered, "PRAGMA journal_mode=DELETE; SELECT count(*) FROM sqlite_master",
            nullptr, nullptr, nullptr);
        reason = sqlite3_errmsg(recovered);
        file.m_uri = uriOf(file.m_copy->file(), false);
        if (code == SQLITE_OK)
            return file;
    }
    return openError(path, code, reason.c_str());
}

void Database::Closer::operator()(sqlite3* handle) const
{
    sqlite3_close_v2(handle);
}

Database::Database(std::unique_ptr<sqlite3, Closer> handle, std::string path)
    : m_handle(std::move(handle)),
      m_path(std::move(path))
{
}

struct Database::Steps {
    std::uint64_t left = 0;
    std::stop_token stop;

    static constexpr int betweenLooks = 10'000;
    static int look(void* data)
    {
        auto& steps = *static_cast<Steps*>(data);
        steps.left -= std::min<std::uint64_t>(steps.left, betweenLooks);
        return steps.left == 0 || steps.stop.stop_requested() ? 1 : 0;
    }
};

void Database::limitSteps(std::uint64_t most, std::stop_token stop)
{
    m_steps = std::make_unique<Steps>(Steps{most, std::move(stop)});
    sqlite3_progress_handler(m_handle.get(), Steps::betweenLooks, &Steps::look, m_steps.get());
}

Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const ReportFile& file)
{
    Handle handle(nullptr, sqlite3_close);
    std::string reason;
    const int code = tryOpen(file.m_uri, file.path(), handle, reason);
    if (code != SQLITE_OK)
        return openError(file.path(), code, reason.c_str());
    sqlite3_exec(handle.get(), "PRAGMA query_only=1", nullptr, nullptr, nullptr);
    return Database(std::unique_ptr<sqlite3, Closer>(handle.release()), file.path());
}

Result<Statement> Database::prepare(std::string_view sql)
{
    sqlite3_stmt* prepared = nullptr;
    const int code
        = sqlite3_prepare_v2(m_handle.get(), sql.data(), static_cast<int>(sql.size()), &prepared, nullptr);
    std::unique_ptr<sqlite3_stmt, Statement::Finalizer> handle(prepared);
    if (code != SQLITE_OK)
        return Error{"file.refused", "{path}: {reason}.",
            {{"path", Name{m_path}}, {"reason", Name{sqlite3_errmsg(m_handle.get())}}}};
    return Statement(std::move(handle), m_path);
}

Result<std::vector<std::string>> Database::tables()
{
    auto query = prepare("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'");
    if (!query.ok())
        return query.error();
    std::vector<std::string> names;
    Statement::Step step = Statement::Step::Row;
    while ((step = query.value().step()) == Statement::Step::Row)
        names.emplace_back(query.value().text(0));
    if (step == Statement::Step::Failed)
        return query.value().error();
    return names;
}

Result<std::vector<Database::ColumnInfo>> Database::columns(std::string_view table)
{
    auto query = prepare("PRAGMA table_info(" + quotedName(table) + ")");
    if (!query.ok())
        return query.error();
    std::vector<ColumnInfo> columns;
    Statement::Step step = Statement::Step::Row;
    while ((step = query.value().step()) == Statement::Step::Row)
        columns.push_back({std::string(query.value().text(1)), std::string(query.value().text(2))});
    if (step == Statement::Step::Failed)
        return query.value().error();
    return columns;
}

Result<std::optional<std::int64_t>> Database::integer(std::string_view sql)
{
    auto query = prepare(sql);
    if (!query.ok())
        return query.error();
    const Statement::Step step = query.value().step();
    if (step == Statement::Step::Failed)
        return query.value().error();
    if (step == Statement::Step::Done || query.value().isNull(0))
        return std::optional<std::int64_t>();
    return std::optional(query.value().integer(0));
}

std::string_view version()
{
    return sqlite3_libversion();
}

std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text)
        out += c == '\'' ? std::string("''") : std::string(1, c);
    return out;
}

std::string quotedName(std::string_view name)
{
    std::string text = "\"";
    for (const char c : name) {
        text += c;
        if (c == '"')
            text += '"';
    }
    return text + "\"";
}

} // namespace warpline::sqlite
