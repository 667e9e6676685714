#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the operating systems have and C++ has not: the only room that includes their headers. posix.cpp is
/// for Linux and macOS, windows.cpp for Windows.
///
/// Everywhere else a path is a std::string of UTF-8, as Qt and SQLite have it; what opens a file goes through
/// pathOf(), because a narrow path means another encoding on Windows.
namespace warpline::platform {

/// The path that `utf8` names.
std::filesystem::path pathOf(std::string_view utf8);
/// The UTF-8 name of `path`.
std::string utf8Of(const std::filesystem::path& path);

/// The folder in which programs of this user keep what can be made again: XDG_CACHE_HOME or ~/.cache,
/// ~/Library/Caches on macOS, %LOCALAPPDATA% on Windows. Empty where there is none.
std::filesystem::path userCacheFolder();
/// Makes a new folder below the system's temporary folder that this user alone can read; empty where none can
/// be made.
std::filesystem::path makeTemporaryFolder();

/// The number of this process, to make names of files that no other process takes.
std::uint32_t processId();
/// The program `name` in one of the folders of PATH; empty where there is none.
std::string programOnPath(std::string_view name);
/// Runs a program (arguments[0], a path) to the end, with what it prints going to the file `output`. Its exit
/// code; nothing where it could not be started or was ended by a signal.
std::optional<int> runProgram(const std::vector<std::string>& arguments, int output);
/// The file of this program; empty where the system does not say.
std::filesystem::path programFile();
/// What the program was called with, as UTF-8, without its own name.
std::vector<std::string> commandLine(int argc, char** argv);

/// Files that are written to without a buffer, by the C library's number.
inline constexpr int noFile = -1;
inline constexpr int standardOutput = 1;
inline constexpr int standardError = 2;

/// A new file, or one that was there, empty; noFile with errno where it cannot be made.
int createFile(const std::filesystem::path& path);
/// Removes the file at `path` when a signal ends the program (Ctrl+C, kill, the end of a session), until
/// leaveWhenEnded(). For a few files at once; further ones stay. Windows holds on to files that are open:
/// there they stay.
void removeWhenEnded(const std::filesystem::path& path);
void leaveWhenEnded(const std::filesystem::path& path);
/// Ends the program at once, without its static objects, whose threads may hang. What removeWhenEnded() names
/// goes.
[[noreturn]] void endNow(int code);
/// Has signals that end the program wait in this thread, and in those that it makes, for a thread that calls
/// nextEnd(): a thread that waits for a disk takes none. On Linux; elsewhere nothing changes.
void leaveEndsToOthers();
/// The opposite of it, of this thread.
void takeEnds();
/// Waits at most `patience` for such a signal; 0: there was none.
int nextEnd(std::chrono::milliseconds patience);
/// Ends the program by `signal` as if nobody had waited for it.
void endBy(int signal);
/// The path of `file`, of which the disk is not asked; empty where the system does not say.
std::string nameOfFile(int file);
/// A nameless file for reading and writing that goes away when it is closed; noFile where none can be made.
int createNamelessFile();
/// Another number for what `file` stands for, which programs that are started do not get; noFile where there
/// is none left.
int duplicateFile(int file);
/// Lets the number `place` stand for what `file` stands for; what it stood for before is closed.
bool putInPlace(int file, int place);
/// All that was written to `file`, from its beginning.
std::string contentOf(int file);
/// False with errno where closing fails: what was written may be lost.
bool closeFile(int file);
/// Writes all of `text`; false with errno where the file does not take everything.
bool writeAll(int file, std::string_view text);
/// Whether `error` (an errno of writeAll()) says that nobody reads any more, as in `| head`.
bool isClosedReader(int error);
/// Makes writing to a closed pipe an error of writeAll() instead of the end of the program, and text go out
/// as it is. To be called first.
void prepareOutput();
/// Whether somebody looks at `file`.
bool isTerminal(int file);
/// How many letters fit into a line of the terminal `file`; 0: it is none, or does not say.
std::size_t terminalColumns(int file);

/// How many processors this process may use, at least 1: fewer than the machine has where it was started on
/// some of them only (taskset, a job of Slurm, a container).
std::size_t usableProcessors();
/// Lets other threads go before this one where processors are short: for work in the background of a window.
void yieldToOtherThreads();

/// Bytes of memory that this process takes; 0 where the system does not say.
std::uint64_t residentBytes();

/// A file's bytes in memory, read by the system as they are looked at. Nothing when the file cannot be read.
/// What another program cuts off while it is mapped would be deadly to read: only for files that are replaced
/// as a whole and never changed.
class MappedFile {
public:
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    std::span<const std::byte> m_bytes;
};

/// What tells two states of a file apart without reading it.
struct FileState {
    std::uint64_t bytes = 0;
    std::int64_t changedNs = 0; ///< time of the last change of its content, ns since a fixed day
    std::uint64_t identity = 0; ///< the file's number in its file system: another file under the name differs

    bool operator==(const FileState&) const = default;
};

/// A file open for reading at any place. May be used by several threads at once. Reads copies of bytes, never
/// maps them: a file that is cut off meanwhile gives short reads, where a map would end the program.
class FileReader {
public:
    /// Nothing when the file cannot be opened.
    static std::optional<FileReader> open(const std::filesystem::path& path);
    FileReader(FileReader&& other) noexcept
        : m_handle(std::exchange(other.m_handle, none))
    {
    }
    FileReader& operator=(FileReader&& other) noexcept
    {
        std::swap(m_handle, other.m_handle);
        return *this;
    }
    FileReader(const FileReader&) = delete;
    FileReader& operator=(const FileReader&) = delete;
    ~FileReader();

    /// Reads up to `count` bytes at `offset` into `to`. Returns how many were read: fewer at the end of the
    /// file or on an error.
    std::size_t readAt(std::uint64_t offset, void* to, std::size_t count) const;
    /// The file's state now; nothing when it cannot be told.
    std::optional<FileState> state() const;

private:
    explicit FileReader(std::intptr_t handle)
        : m_handle(handle)
    {
    }

    static constexpr std::intptr_t none = -1;
    std::intptr_t m_handle = none; ///< the system's: a descriptor or a HANDLE
};

} // namespace warpline::platform
