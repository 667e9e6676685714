#include "core/base/platform/platform.h"

#include "core/base/file_wait.h"
#include "core/base/platform/stream.h"
#include "core/base/words.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stop_token>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to us

namespace fs = std::filesystem;

namespace warpline::platform {

#ifdef __USE_FORTIFY_LEVEL
namespace {
/// For packaging/hardening.sh: the level of fortified calls that the C library granted.
[[gnu::used]] constexpr char fortifyMark[]{
    'F', 'O', 'R', 'T', 'I', 'F', 'Y', '=', '0' + __USE_FORTIFY_LEVEL, '\0'};
} // namespace
#endif

fs::path pathOf(std::string_view utf8)
{
    return fs::path(utf8);
}

std::string utf8Of(const fs::path& path)
{
    return path.string();
}

fs::path userCacheFolder()
{
    if (const char* const folder = std::getenv("XDG_CACHE_HOME"); folder && *folder == '/')
        return folder;
    const char* const home = std::getenv("HOME");
    if (!home || !*home)
        return {};
#ifdef __APPLE__
    return fs::path(home) / "Library/Caches";
#else
    return fs::path(home) / ".cache";
#endif
}

fs::path makeTemporaryFolder()
{
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "warpline-XXXXXX").string();
    if (error || !mkdtemp(pattern.data()))
        return {};
    return pattern;
}

std::uint32_t processId()
{
    return static_cast<std::uint32_t>(::getpid());
}

bool isRunning(std::uint32_t process)
{
    return ::kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH;
}

std::string programOnPath(std::string_view name)
{
    const char* const paths = std::getenv("PATH");
    std::string_view left = paths ? paths : "";
    while (!left.empty()) {
        std::string program = std::string(takeUpTo(left, ":")) + "/" + std::string(name);
        if (::access(program.c_str(), X_OK) == 0)
            return program;
    }
    return {};
}

std::optional<int> runProgram(
    const std::vector<std::string>& arguments, int output, const std::stop_token& stop)
{
    std::vector<std::string> copies = arguments; // posix_spawn may write to them
    std::vector<char*> raw;
    for (std::string& argument : copies)
        raw.push_back(argument.data());
    raw.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawnattr_t attributes; // signals that this thread leaves to others are not blocked there
    posix_spawnattr_init(&attributes);
    sigset_t none;
    ::sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    const int problem = posix_spawn(&child, raw[0], &actions, &attributes, raw.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0)
        return {};
    {
        const std::stop_callback ends(stop, [child] { ::kill(child, SIGKILL); });
        siginfo_t ended; // it stays a zombie for now, so that its number is no other's
        while (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) { }
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    return WIFEXITED(status) ? std::optional<int>(WEXITSTATUS(status)) : std::nullopt;
}

fs::path programFile()
{
    std::error_code error;
#ifdef __APPLE__
    std::array<char, PATH_MAX> name{};
    auto bytes = static_cast<std::uint32_t>(name.size());
    return ::_NSGetExecutablePath(name.data(), &bytes) == 0 ? fs::canonical(name.data(), error) : fs::path();
#else
    return fs::read_symlink("/proc/self/exe", error);
#endif
}

std::vector<std::string> commandLine(int argc, char** argv)
{
    return {argv + std::min(argc, 1), argv + argc};
}

bool mayCreateIn(const fs::path& folder)
{
    return ::access((folder / ".").c_str(), W_OK | X_OK) == 0; // with "/." a file is none
}

int createFile(const fs::path& path)
{
    constexpr mode_t newFileMode = 0666; // the user's umask narrows it
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, newFileMode);
}

namespace {

/// A file to remove when a signal ends the program: in memory that a handler may read at any time.
struct EndedFile {
    enum State : int { Free, Filling, Set };
    std::atomic<int> state = Free;
    std::array<char, PATH_MAX> path{};
};

std::array<EndedFile, 32> endedFiles;

constexpr std::array<int, 3> ends{SIGINT, SIGTERM, SIGHUP};

/// What removes them: not the thread that ends the program, which would wait for a disk that hangs.
struct Remover {
    std::array<int, 2> pipe{-1, -1}; ///< a byte wakes it
    std::atomic<pid_t> process = 0; ///< whose thread it is: one that is forked has none
    std::atomic<bool> isDone = false;
};

Remover remover;

void removeFiles()
{
    for (EndedFile& file : endedFiles) {
        if (file.state == EndedFile::Set)
            ::unlink(file.path.data());
    }
    for (EndedFile& file : endedFiles) {
        if (file.state == EndedFile::Set)
            ::rmdir(file.path.data()); // folders, which are empty by now
    }
}

/// A handler cannot start threads, so there is one as soon as there is a file to remove.
void startRemover()
{
    if (::pipe(remover.pipe.data()) != 0)
        return;
    for (const int end : remover.pipe)
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before); // handlers wait for it
    try {
        remover.process = ::getpid();
        std::thread([] {
            char woken = 0;
            while (::read(remover.pipe[0], &woken, 1) != 1) { }
            removeFiles();
            remover.isDone = true;
        }).detach();
    } catch (const std::exception&) { // no more threads, or no memory for one
        remover.process = 0;
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// Waits about a second at most: then their disk hangs, and they stay. Handlers call it.
void removeEndedFiles()
{
    if (remover.process != ::getpid() || ::write(remover.pipe[1], "", 1) != 1) {
        removeFiles();
        return;
    }
    constexpr int pieceMs = 5;
    constexpr int pieces = 200;
    for (int i = 0; i < pieces && !remover.isDone; ++i)
        ::poll(nullptr, 0, pieceMs);
}

#ifdef __linux__
/// Where memory ends as the program begins, the reserve for exceptions may be missing: the first would abort,
/// also one before main().
[[gnu::constructor(101)]] void needRoomForExceptions()
{
    constexpr std::size_t room = std::size_t{1} << 20U; // more than that reserve
    void* const tried = ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (tried != MAP_FAILED) {
        ::munmap(tried, room);
        return;
    }
    for (const std::string_view text : {std::string_view(program_invocation_short_name),
             std::string_view(": not enough memory to start\n")}) {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    }
    constexpr int unreadable = 3;
    ::_exit(unreadable);
}
#endif

sigset_t endSet()
{
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : ends)
        ::sigaddset(&set, signal);
    return set;
}

extern "C" void removeAndEnd(int signal)
{
    removeEndedFiles();
    // Not with SA_RESETHAND: a second signal would end the program on another thread before the files are
    // gone.
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

/// Handles the signals that end the program. Signals that another handler takes, or that are ignored (nohup),
/// stay so.
void handleEnds()
{
    for (const int signal : ends) {
        struct sigaction before { };
        struct sigaction action { };
        action.sa_handler = removeAndEnd;
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
            ::sigaction(signal, &action, nullptr);
    }
}

} // namespace

void removeWhenEnded(const fs::path& path)
{
    handleEnds();
    static std::once_flag once;
    std::call_once(once, startRemover);
    const std::string& name = path.native();
    for (EndedFile& file : endedFiles) {
        int free = EndedFile::Free;
        if (name.size() >= file.path.size() || !file.state.compare_exchange_strong(free, EndedFile::Filling))
            continue;
        *std::ranges::copy(name, file.path.begin()).out = '\0';
        file.state = EndedFile::Set;
        return;
    }
}

void leaveWhenEnded(const fs::path& path)
{
    for (EndedFile& file : endedFiles) {
        if (file.state == EndedFile::Set && path.native() == file.path.data()) {
            file.state = EndedFile::Free;
            return;
        }
    }
}

void endNow(int code)
{
    removeEndedFiles();
    std::_Exit(code);
}

void leaveEndsToOthers()
{
#ifdef __linux__ // elsewhere nextEnd() takes none
    const sigset_t set = endSet();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
#endif
}

int nextEnd(std::chrono::milliseconds patience)
{
#ifdef __linux__
    const sigset_t set = endSet();
    constexpr int thousand = 1000;
    const timespec limit{patience.count() / thousand, patience.count() % thousand * thousand * thousand};
    const int signal = ::sigtimedwait(&set, nullptr, &limit);
    struct sigaction action { };
    const bool isIgnored // by nohup; one that is left to others waits all the same
        = signal > 0 && ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    return signal > 0 && !isIgnored ? signal : 0;
#else
    std::this_thread::sleep_for(patience);
    return 0;
#endif
}

void takeEnds()
{
    const sigset_t set = endSet();
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void endBy(int signal)
{
    takeEnds();
    ::raise(signal);
}

std::string nameOfFile(int file)
{
#ifdef __linux__
    std::array<char, PATH_MAX> name{};
    const std::string link = "/proc/self/fd/" + std::to_string(file);
    const ssize_t bytes = file < 0 ? 0 : ::readlink(link.c_str(), name.data(), name.size());
    return {name.data(), static_cast<std::size_t>(std::max<ssize_t>(0, bytes))};
#elif defined(__APPLE__)
    std::array<char, PATH_MAX> name{};
    return file >= 0 && ::fcntl(file, F_GETPATH, name.data()) == 0 ? name.data() : "";
#else
    return {};
#endif
}

Stream::Stream(int file, bool isOwn)
    : m_file(file),
      m_isOwn(isOwn)
{
}

Stream::~Stream()
{
    if (m_isOwn && isOpen())
        ::close(m_file);
}

Stream Stream::ofStandardInput()
{
    const int mode = ::fcntl(standardInput, F_GETFL);
    return {mode < 0 || (mode & O_ACCMODE) == O_WRONLY ? noFile : standardInput, false};
}

Stream Stream::open(const fs::path& path)
{
    // Without O_NONBLOCK, opening a pipe waits until a process writes to it, and cannot be stopped.
    return {::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), true};
}

std::size_t Stream::read(char* to, std::size_t count, const std::stop_token& stop) const
{
    constexpr int waitMs = 100;
    std::size_t done = 0;
    while (done < count && !stop.stop_requested()) {
        pollfd watched{m_file, POLLIN, 0};
        const int ready = ::poll(&watched, 1, waitMs);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        const ssize_t bytes = ready < 0 ? -1 : ::read(m_file, to + done, count - done);
        if (bytes == 0 || (bytes < 0 && errno != EINTR && errno != EAGAIN))
            break;
        done += bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
    }
    return done;
}

int createNamelessFile()
{
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "warpline-XXXXXX").string();
    const int file = error ? noFile : ::mkstemp(pattern.data());
    if (file != noFile)
        ::unlink(pattern.c_str());
    return file;
}

int duplicateFile(int file)
{
    return ::fcntl(file, F_DUPFD_CLOEXEC, 0);
}

bool putInPlace(int file, int place)
{
    return ::dup2(file, place) == place;
}

std::string contentOf(int file)
{
    std::string content;
    std::array<char, 4096> piece{};
    ::lseek(file, 0, SEEK_SET);
    for (ssize_t read = 0; (read = ::read(file, piece.data(), piece.size())) > 0;)
        content.append(piece.data(), static_cast<std::size_t>(read));
    return content;
}

bool closeFile(int file)
{
    return ::close(file) == 0;
}

bool writeAll(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR)
            return false;
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return true;
}

bool isClosedReader(int error)
{
    return error == EPIPE;
}

namespace {

/// Else the next files of the program get the numbers of closed ones, and what is printed goes into them. The
/// stand-ins are opened the other way round: reading and writing fail, as with a closed file. A file that
/// grows over the limit of its size (ulimit -f) is an error of its write, and does not end the program.
void prepareFiles()
{
    std::signal(SIGXFSZ, SIG_IGN);
    for (const int file : {standardInput, standardOutput, standardError}) {
        if (::fcntl(file, F_GETFD) < 0)
            ::open("/dev/null", file == standardInput ? O_WRONLY : O_RDONLY);
    }
}

} // namespace

void joinTerminal()
{
    prepareFiles();
}

std::string desktopFont()
{
    return {};
}

std::string accountLocale()
{
    return {};
}

void prepareOutput()
{
    prepareFiles();
    std::signal(SIGPIPE, SIG_IGN);
}

bool isTerminal(int file)
{
    return ::isatty(file) != 0;
}

std::size_t terminalColumns(int file)
{
    winsize size{};
    return ::ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::size_t usableProcessors()
{
#ifdef __linux__
    cpu_set_t own;
    CPU_ZERO(&own);
    if (::sched_getaffinity(::getpid(), sizeof own, &own)
        == 0) // fails where there are more than the set has room for
        return static_cast<std::size_t>(std::max(1, CPU_COUNT(&own)));
#endif
    return std::max(1U, std::thread::hardware_concurrency());
}

void yieldToOtherThreads()
{
#ifdef __linux__
    constexpr int nicer = 5; // gets a third of a processor that another thread wants in full
    constexpr int nicest = 19;
    const int whole = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::getpid())); // of the first thread
    // Linux takes the number of a thread for this thread alone.
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), std::min(nicest, whole + nicer));
#elif defined(__APPLE__)
    ::pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
#endif
}

void returnFreeMemory()
{
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

namespace {

#ifdef __linux__
/// The number behind `key` in a file of the kernel; nothing where there is none.
std::optional<std::uint64_t> numberIn(const char* path, std::string_view key)
{
    std::FILE* const facts = std::fopen(path, "re");
    if (!facts)
        return {};
    std::optional<std::uint64_t> number;
    for (std::array<char, 256> line{}; !number && std::fgets(line.data(), line.size(), facts);) {
        if (std::string_view(line.data()).starts_with(key)) {
            char* end = nullptr;
            const char* const begin = line.data() + key.size();
            const std::uint64_t read = std::strtoull(begin, &end, 10);
            if (end != begin)
                number = read;
        }
    }
    std::fclose(facts);
    return number;
}
#endif

} // namespace

std::uint64_t freeMemory()
{
#ifdef __linux__
    constexpr std::uint64_t kibi = 1024;
    std::uint64_t free = kibi
        * (numberIn("/proc/meminfo", "MemAvailable:").value_or(0)
            + numberIn("/proc/meminfo", "SwapFree:").value_or(0));
    constexpr const char* group = "/sys/fs/cgroup/";
    const auto ofGroup = [&](const char* file, std::string_view key) {
        return numberIn((std::string(group) + file).c_str(), key);
    };
    if (const auto most = ofGroup("memory.max", "")) { // of a container; "max" is no number
        const std::uint64_t used = ofGroup("memory.current", "").value_or(0)
            - ofGroup("memory.stat", "inactive_file ").value_or(0);
        free = std::min(free, *most - std::min(*most, used));
    }
    return std::min(free, freeAddresses());
#else
    return 0;
#endif
}

std::uint64_t freeAddresses()
{
#ifdef __linux__
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        const std::uint64_t used = 1024 * numberIn("/proc/self/status", "VmSize:").value_or(0);
        return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
    }
#endif
    return UINT64_MAX;
}

MappedFile::MappedFile(const fs::path& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    struct stat facts { };
    if (::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
        const auto bytes = static_cast<std::size_t>(facts.st_size);
        void* const memory = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (memory != MAP_FAILED) {
            ::madvise(memory, bytes, MADV_WILLNEED);
            m_bytes = {static_cast<const std::byte*>(memory), bytes};
        }
    }
    ::close(file); // the mapping stays
}

MappedFile::~MappedFile()
{
    if (!m_bytes.empty())
        ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

std::optional<FileReader> FileReader::open(const fs::path& path)
{
    const FileWait wait(path.native());
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    return FileReader(file);
}

FileReader::~FileReader()
{
    if (m_handle != none)
        ::close(static_cast<int>(m_handle));
}

std::size_t FileReader::readAt(std::uint64_t offset, void* to, std::size_t count) const
{
    const FileWait wait(static_cast<int>(m_handle));
    std::size_t done = 0;
    while (done < count) {
        const auto read = ::pread(static_cast<int>(m_handle), static_cast<char*>(to) + done, count - done,
            static_cast<off_t>(offset + done));
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
    const FileWait wait(static_cast<int>(m_handle));
    struct stat facts { };
    if (::fstat(static_cast<int>(m_handle), &facts) != 0)
        return std::nullopt;
    constexpr std::int64_t nsPerSecond = 1'000'000'000;
#ifdef __APPLE__
    const timespec changed = facts.st_mtimespec;
#else
    const timespec changed = facts.st_mtim;
#endif
    return FileState{static_cast<std::uint64_t>(facts.st_size),
        changed.tv_sec * nsPerSecond + changed.tv_nsec, static_cast<std::uint64_t>(facts.st_ino)};
}

} // namespace warpline::platform
