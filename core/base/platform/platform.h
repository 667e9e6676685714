#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// System calls that C++ has no interface for: the only room that includes headers of operating systems.
/// posix.cpp is for Linux and macOS, windows.cpp for Windows.
///
/// Everywhere else a path is a std::string of UTF-8, as in Qt and SQLite. Code that opens a file uses
/// pathOf(), because a narrow path has another encoding on Windows.
namespace warpline::platform {

/// The path that `utf8` names.
std::filesystem::path pathOf(std::string_view utf8);
/// The UTF-8 name of `path`.
std::string utf8Of(const std::filesystem::path& path);

/// The user's folder for caches: XDG_CACHE_HOME or ~/.cache, ~/Library/Caches on macOS, %LOCALAPPDATA% on
/// Windows. Empty where there is none.
std::filesystem::path userCacheFolder();
/// Makes a new folder below the system's temporary folder that this user alone can read; empty where none can
/// be made.
std::filesystem::path makeTemporaryFolder();

/// The number of this process, to make names of files that no other process takes.
std::uint32_t processId();
/// Whether a process with this id runs on this machine; true where the system does not provide it.
bool isRunning(std::uint32_t process);
/// The program `name` in one of the folders of PATH; empty where there is none.
std::string programOnPath(std::string_view name);
/// Runs a program (arguments[0], a path) to its end, with its output redirected to the file `output`. Returns
/// its exit code; nothing when it could not start or a signal ended it. `stop` ends it.
std::optional<int> runProgram(
    const std::vector<std::string>& arguments, int output, const std::stop_token& stop = {});
/// The path of this program; empty where the system does not provide it.
std::filesystem::path programFile();
/// The program's arguments as UTF-8, without its own name.
std::vector<std::string> commandLine(int argc, char** argv);

/// Files that are written to without a buffer, by the C library's number.
inline constexpr int noFile = -1;
inline constexpr int standardOutput = 1;
inline constexpr int standardError = 2;

/// A new file, or one that was there, empty; noFile with errno where it cannot be made.
int createFile(const std::filesystem::path& path);
/// Whether files can be made in `folder`; false with errno. On Windows also where permissions forbid it.
bool mayCreateIn(const std::filesystem::path& folder);
/// Removes the file at `path` when a signal ends the program (Ctrl+C, kill, end of the session), until
/// leaveWhenEnded(). Holds a few files at once; further ones stay. On Windows open files cannot be removed
/// and stay.
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
/// An unnamed file for reading and writing that is deleted when it is closed; noFile on failure.
int createNamelessFile();
/// A duplicate of the descriptor `file` that child processes do not inherit; noFile when none is left.
int duplicateFile(int file);
/// Makes the descriptor `place` refer to the file of `file`; closes the previous file of `place`.
bool putInPlace(int file, int place);
/// All that was written to `file`, from its beginning.
std::string contentOf(int file);
/// False with errno when closing fails: written data may be lost.
bool closeFile(int file);
/// Writes all of `text`; false with errno where the file does not take everything.
bool writeAll(int file, std::string_view text);
/// Whether `error` (an errno of writeAll()) means that the reader closed the pipe, as in `| head`.
bool isClosedReader(int error);
/// Makes writing to a closed pipe an error of writeAll() instead of ending the program, and sets output to
/// binary. Does what joinTerminal() does for files. Call it first.
void prepareOutput();
/// Lets a program with a window print into the terminal that started it: on Windows such a program has none.
/// Files and pipes that were given stay. Elsewhere, as prepareOutput() does, it only keeps the numbers of
/// closed standard files in use, and makes writing over the limit of file sizes an error.
void joinTerminal();
/// Whether `file` is a terminal.
bool isTerminal(int file);
/// Columns of the terminal `file`; 0 when it is not a terminal or the width is unknown.
std::size_t terminalColumns(int file);

/// How many processors this process may use, at least 1: fewer than the machine has under taskset, in a Slurm
/// job or in a container.
std::size_t usableProcessors();
/// Lets other threads go before this one where processors are short: for work in the background of a window.
void yieldToOtherThreads();

/// Hands memory that was freed, but that the C library keeps for itself, back to the system. Worth it after
/// work with large temporaries.
void returnFreeMemory();
/// Bytes of memory that a program can still allocate: free, reclaimable and swap, limited by those of the
/// process or container. 0 where the system does not provide it.
std::uint64_t freeMemory();
/// Bytes that the limit of this process (ulimit -v) leaves to be mapped; the largest number where there is
/// none.
std::uint64_t freeAddresses();

/// The family of the font that the desktop shows messages in, on Windows. Empty elsewhere, where Qt knows it
/// without a display, too.
std::string desktopFont();
/// The locale of the account, such as "zh-CN", on Windows. Empty elsewhere, where the environment names it.
std::string accountLocale();

/// A memory-mapped file. Nothing when the file cannot be read. Reading past a truncation would crash, so map
/// only files that are replaced as a whole and never changed.
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

/// Distinguishes two states of a file without reading it.
struct FileState {
    std::uint64_t bytes = 0;
    std::int64_t changedNs = 0; ///< time of the last change of its content, ns since a fixed day
    std::uint64_t identity = 0; ///< the file's number in its file system: another file under the name differs

    bool operator==(const FileState&) const = default;
};

/// A file open for random access from several threads at once. Reads copies and never maps: when the file is
/// truncated, reads are short, and the program does not crash.
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
    /// The file's current state; nothing when it is unavailable.
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
