// What goes wrong below a program, for LD_PRELOAD on Linux:
//   FAULT=short|interrupted|slow|eio|cut|grow|replace|remove  reads of the file that FAULT_PATH names: from
//   number FAULT_AFTER on they
//       are short, are interrupted, take 20 ms, or fail; or the file is cut off, grows, or is replaced or
//       removed once, before that read
//   FAULT=hang  the disk of the file that FAULT_PATH names never answers, as one of the network that is away:
//       reads, writes, locks, syncs and renames from number FAULT_AFTER on do not return, and from then on
//       neither does who opens it or looks whether it is there, or removes it. A file that FAULT_END names
//       lets all of them go on; the first makes the file that FAULT_HUNG names. A test calls shimHang().
//   FAULT=full|broken  writes to files whose names hold FAULT_PATH: from number FAULT_AFTER on the disk is
//   full, or an error
//   FAULT=kill  the program is killed at write, rename or link number FAULT_AFTER of files whose names hold
//       FAULT_PATH: in the middle of the write, or before the file gets its name
//   GUARD=network,spawn,write  the kernel ends the program (SIGSYS) that makes a socket of the network,
//   starts
//       a program, or opens a file for writing, renames or removes one. With GUARD_PATHS,
//       folders, only beyond them; GUARD_DENIED, a part of names in them: there and beyond them
//       the disk is read-only. GUARD=read does so where a file is opened at all, with GUARD_PATHS

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace {

std::string_view variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

std::string_view fault()
{
    static const std::string text(variable("FAULT"));
    return text;
}

bool isOf(int file)
{
    static const std::string wanted(variable("FAULT_PATH"));
    std::array<char, PATH_MAX> name{};
    char link[64];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = ::readlink(link, name.data(), name.size());
    return !wanted.empty() && length > 0
        && std::string_view(name.data(), static_cast<std::size_t>(length)).find(wanted)
        != std::string_view::npos;
}

/// Whether this read or write is to go wrong; `first`: it is the first.
bool isDue(bool& first)
{
    static std::atomic<long> count = 0;
    static const long after = std::atol(std::string(variable("FAULT_AFTER")).c_str());
    const long number = count++;
    first = number == after;
    return number >= after;
}

void changeFile()
{
    const std::string path(variable("FAULT_PATH"));
    const int saved = errno;
    if (fault() == "cut") {
        if (::truncate(path.c_str(), 5000) != 0)
            std::abort();
    } else if (fault() == "grow") {
        const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
        const std::vector<char> more(10'000, 'x');
        if (::write(file, more.data(), more.size()) < 0)
            std::abort();
        ::close(file);
    } else if (fault() == "remove") {
        ::unlink(path.c_str());
    } else if (fault() == "replace") {
        ::rename((path + ".other").c_str(), path.c_str());
    }
    errno = saved;
}

/// What hangs, by FAULT=hang or by a test.
struct Hanging {
    std::mutex mutex;
    std::string path; ///< empty: nothing
    long after = 0; ///< calls until then, and one
    std::atomic<int> calls = 0; ///< that do not return

    Hanging()
    {
        if (fault() != "hang")
            return;
        path = variable("FAULT_PATH");
        after = std::atol(std::string(variable("FAULT_AFTER")).c_str()) + 1;
    }
};

Hanging& hanging()
{
    static Hanging all;
    return all;
}

bool isHung(std::string_view path, bool counts)
{
    const std::scoped_lock lock(hanging().mutex);
    if (hanging().path.empty() || path.find(hanging().path) == std::string_view::npos)
        return false;
    hanging().after -= counts && hanging().after > 0 ? 1 : 0;
    return hanging().after == 0;
}

/// Does not return while the disk of `path` hangs.
void hang(std::string_view path, bool counts = false)
{
    static const std::string end(variable("FAULT_END"));
    static const std::string mark(variable("FAULT_HUNG"));
    if (!isHung(path, counts))
        return;
    const int saved = errno;
    sigset_t all; // what waits for such a disk runs no handler
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    if (hanging().calls++ == 0 && !mark.empty())
        ::syscall(SYS_close, ::syscall(SYS_open, mark.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    while (isHung(path, false) && (end.empty() || ::syscall(SYS_access, end.c_str(), F_OK) != 0))
        ::usleep(5'000);
    --hanging().calls;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = saved;
}

void hang(int file)
{
    {
        const std::scoped_lock lock(hanging().mutex);
        if (hanging().path.empty())
            return;
    }
    std::array<char, PATH_MAX> name{};
    char link[64];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = ::readlink(link, name.data(), name.size());
    hang({name.data(), static_cast<std::size_t>(std::max<ssize_t>(0, length))}, true);
}

/// How many of `count` bytes to read; -1 with errno: failure.
ssize_t allowed(int file, std::size_t count)
{
    hang(file);
    if (fault().empty() || fault() == "hang" || !isOf(file))
        return static_cast<ssize_t>(count);
    bool first = false;
    if (!isDue(first))
        return static_cast<ssize_t>(count);
    static thread_local bool interrupted = false;
    if (fault() == "interrupted") {
        interrupted = !interrupted;
        if (interrupted) {
            errno = EINTR;
            return -1;
        }
    } else if (fault() == "eio") {
        errno = EIO;
        return -1;
    } else if (fault() == "short") {
        return static_cast<ssize_t>((count + 1) / 2);
    } else if (fault() == "slow") {
        ::usleep(20'000);
    } else if (first) {
        changeFile();
    }
    return static_cast<ssize_t>(count);
}

/// The same of writing.
ssize_t taken(int file, std::size_t count)
{
    hang(file);
    const bool isFull = fault() == "full";
    bool first = false;
    if ((!isFull && fault() != "broken") || !isOf(file) || !isDue(first))
        return static_cast<ssize_t>(count);
    if (first && count > 1)
        return static_cast<ssize_t>(count / 2);
    errno = isFull ? ENOSPC : EIO;
    return -1;
}

template <typename Function> Function next(const char* name)
{
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

/// Kills the program when this write to `file` is number FAULT_AFTER, half done.
void killWhileWriting(int file, const void* from, std::size_t count)
{
    bool first = false;
    if (fault() != "kill" || !isOf(file) || !isDue(first))
        return;
    ::syscall(SYS_write, file, from, count / 2);
    ::kill(::getpid(), SIGKILL);
}

/// Hangs, or kills the program, before a file gets the name `target`.
void beforeNaming(const char* target)
{
    hang(target, true);
    static const std::string wanted(variable("FAULT_PATH"));
    bool first = false;
    if (fault() == "kill" && std::string_view(target).find(wanted) != std::string_view::npos && isDue(first))
        ::kill(::getpid(), SIGKILL);
}

constexpr sock_filter step(unsigned code, unsigned value, unsigned char yes = 0, unsigned char no = 0)
{
    return {static_cast<unsigned short>(code), yes, no, value};
}

/// Ends the program at the call `number`; where `mask` is not 0, if argument `place` has one of these bits,
/// or is `equal` to it.
void forbid(std::vector<sock_filter>& filter, unsigned number, unsigned place = 0, unsigned mask = 0,
    bool equal = false)
{
    constexpr unsigned load = BPF_LD | BPF_W | BPF_ABS;
    constexpr unsigned same = BPF_JMP | BPF_JEQ | BPF_K;
    constexpr unsigned some = BPF_JMP | BPF_JSET | BPF_K;
    filter.push_back(step(load, offsetof(seccomp_data, nr)));
    filter.push_back(step(same, number, 0, mask ? 3 : 1));
    if (mask) {
        filter.push_back(step(load, static_cast<unsigned>(offsetof(seccomp_data, args) + 8 * place)));
        filter.push_back(step(equal ? same : some, mask, 0, 1));
    }
    filter.push_back(step(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
}

// GUARD_PATHS, for the handler; and the file of its write.
std::string_view guardPaths;
int guardLog = -1;
std::string_view guardDenied;
constexpr int guardedExit = 78;
/// The sixth argument of a call that the handler makes itself: none of these has one.
constexpr unsigned allowedMark = 0x5AFEC0DE;

void forbidSockets(std::vector<sock_filter>& filter, const std::vector<unsigned>& allowedFamilies)
{
    constexpr unsigned load = BPF_LD | BPF_W | BPF_ABS;
    constexpr unsigned same = BPF_JMP | BPF_JEQ | BPF_K;
    filter.push_back(step(load, offsetof(seccomp_data, nr)));
    filter.push_back(step(same, SYS_socket, 0, static_cast<unsigned char>(allowedFamilies.size() + 2)));
    filter.push_back(step(load, offsetof(seccomp_data, args)));
    for (std::size_t i = 0; i < allowedFamilies.size(); ++i)
        filter.push_back(
            step(same, allowedFamilies[i], static_cast<unsigned char>(allowedFamilies.size() - i), 0));
    filter.push_back(step(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
}

/// `path` of the call, from the root on; no memory is taken: a handler runs this.
std::string_view wholePath(std::array<char, 2 * PATH_MAX>& buffer, long folder, const char* path)
{
    std::size_t length = 0;
    if (path[0] != '/') {
        char link[64] = "/proc/self/cwd";
        if (static_cast<int>(folder) != AT_FDCWD)
            std::snprintf(link, sizeof link, "/proc/self/fd/%d", static_cast<int>(folder));
        const long bytes = ::syscall(SYS_readlink, link, buffer.data(), PATH_MAX);
        length = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
        buffer[length++] = '/';
    }
    for (; *path && length < buffer.size(); ++path)
        buffer[length++] = *path;
    return {buffer.data(), length};
}

bool mayUse(std::string_view path)
{
    if (path == "/dev/null")
        return true;
    if (path.find("/../") != std::string_view::npos)
        return false;
    std::string_view left = guardPaths;
    while (!left.empty()) {
        const std::string_view folder = left.substr(0, left.find(':'));
        left.remove_prefix(std::min(left.size(), folder.size() + 1));
        if (path.substr(0, folder.size()) == folder
            && (path.size() == folder.size() || path[folder.size()] == '/'))
            return true;
    }
    return false;
}

constexpr long writingFlags = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

/// What opening a file with `flags` is.
const char* opened(long flags)
{
    return (flags & writingFlags) != 0 ? "write" : "read";
}

/// Makes the call where it is allowed, refuses it where it is denied, else notes it and ends.
void onTrap(int /*signal*/, siginfo_t* info, void* context)
{
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const std::array<long, 5> args{
        registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10], registers[REG_R8]};
    long folder = AT_FDCWD;
    const auto text = [&](std::size_t place) { return reinterpret_cast<const char*>(args[place]); };
    const char* path = "";
    const char* what = "write";
    switch (info->si_syscall) {
    case SYS_open:
        what = opened(args[1]);
        path = text(0);
        break;
    case SYS_creat:
    case SYS_unlink:
    case SYS_mkdir:
    case SYS_truncate:
        path = text(0);
        break;
    case SYS_rename:
    case SYS_link:
    case SYS_symlink:
        path = text(1);
        break;
    case SYS_openat:
        what = opened(args[2]);
        folder = args[0];
        path = text(1);
        break;
    case SYS_unlinkat:
    case SYS_mkdirat:
        folder = args[0];
        path = text(1);
        break;
    case SYS_symlinkat:
        folder = args[1];
        path = text(2);
        break;
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_linkat:
        folder = args[2];
        path = text(3);
        break;
    case SYS_bind:
    case SYS_connect: {
        const auto* const address = reinterpret_cast<const sockaddr_un*>(args[1]);
        what = "socket";
        path = address->sun_path[0] ? address->sun_path : "@";
        // For the user's name the C library first looks for a name server.
        if (std::strcmp(path, "/var/run/nscd/socket") == 0) {
            registers[REG_RAX] = -ENOENT;
            return;
        }
        break;
    }
    case SYS_socket:
        what = "network";
        break;
    case SYS_execve:
    case SYS_execveat:
        what = "spawn";
        path = text(info->si_syscall == SYS_execve ? 0 : 1);
        break;
    default:
        break;
    }
    std::array<char, 2 * PATH_MAX> buffer;
    const std::string_view whole = wholePath(buffer, folder, path);
    const bool isKnown = what[0] == 'w' || what[0] == 'r' || std::strcmp(what, "socket") == 0;
    if (isKnown && !*path) {
        registers[REG_RAX] = -ENOENT;
        return;
    }
    const bool isDenied = !guardDenied.empty() && whole.find(guardDenied) != std::string_view::npos;
    if (isDenied || (isKnown && !guardDenied.empty() && !mayUse(whole))) {
        registers[REG_RAX] = -EROFS;
        return;
    }
    if (isKnown && mayUse(whole)) {
        const int saved = errno;
        const long done = ::syscall(
            info->si_syscall, args[0], args[1], args[2], args[3], args[4], static_cast<long>(allowedMark));
        registers[REG_RAX] = done == -1 ? -errno : done;
        errno = saved;
        return;
    }
    for (const std::string_view each :
        {std::string_view(what), std::string_view(" "), whole, std::string_view("\n")})
        ::syscall(SYS_write, guardLog, each.data(), each.size());
    ::syscall(SYS_exit_group, guardedExit);
}

void handleTraps()
{
    guardPaths = variable("GUARD_PATHS");
    guardDenied = variable("GUARD_DENIED");
    guardLog
        = ::open(std::string(variable("GUARD_LOG")).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct sigaction action { };
    action.sa_sigaction = onTrap;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigaction(SIGSYS, &action, nullptr);
}

[[gnu::constructor]] void guard()
{
    const std::string_view guarded = variable("GUARD");
    std::vector<sock_filter> filter;
    const auto has = [&](std::string_view what) { return guarded.find(what) != std::string_view::npos; };
    const bool traps = !variable("GUARD_PATHS").empty();
    if (traps) {
        handleTraps();
        filter.push_back(step(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args) + 8 * 5));
        filter.push_back(step(BPF_JMP | BPF_JEQ | BPF_K, allowedMark, 0, 1));
        filter.push_back(step(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    if (has("network") && traps) {
        forbidSockets(filter, {AF_UNIX});
        for (const unsigned call : {SYS_connect, SYS_bind})
            forbid(filter, call);
    } else if (has("network")) {
        for (const unsigned family : {AF_INET, AF_INET6, AF_PACKET})
            forbid(filter, SYS_socket, 0, family, true);
    }
    if (has("spawn")) {
        for (const unsigned call : {SYS_execve, SYS_execveat, SYS_fork, SYS_vfork})
            forbid(filter, call);
    }
    if (has("read") && traps) {
        for (const unsigned call : {SYS_openat, SYS_open})
            forbid(filter, call);
    }
    if (has("write")) {
        forbid(filter, SYS_openat, 2, writingFlags);
        forbid(filter, SYS_open, 1, writingFlags);
        for (const unsigned call :
            {SYS_creat, SYS_unlink, SYS_unlinkat, SYS_rename, SYS_renameat, SYS_renameat2, SYS_mkdir,
                SYS_mkdirat, SYS_truncate, SYS_link, SYS_linkat, SYS_symlink, SYS_symlinkat})
            forbid(filter, call);
        if (!traps) // of a file that was opened for writing
            forbid(filter, SYS_ftruncate);
    }
    if (traps) {
        for (sock_filter& each : filter)
            each.k = each.code == (BPF_RET | BPF_K) && each.k == SECCOMP_RET_KILL_PROCESS ? SECCOMP_RET_TRAP
                                                                                          : each.k;
    }
    if (filter.empty())
        return;
    filter.push_back(step(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        std::fputs("shim: the kernel takes no filter\n", stderr);
        std::_Exit(77);
    }
}

} // namespace

extern "C" {

/// Lets the disk of what holds `path` in its name hang from call number `after` on; "": all goes on.
void shimHang(const char* path, long after)
{
    const std::scoped_lock lock(hanging().mutex);
    hanging().path = path;
    hanging().after = after + (after > 0 ? 1 : 0);
}

/// How many calls do not return.
int shimHanging()
{
    return hanging().calls;
}

int open(const char* path, int flags, ...)
{
    static const auto real = next<int (*)(const char*, int, ...)>("open");
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    hang(path);
    return real(path, flags, mode);
}

int open64(const char* path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open(path, flags, mode);
}

int stat(const char* path, struct stat* facts)
{
    static const auto real = next<int (*)(const char*, struct stat*)>("stat");
    hang(path);
    return real(path, facts);
}

int stat64(const char* path, struct stat64* facts)
{
    static const auto real = next<int (*)(const char*, struct stat64*)>("stat64");
    hang(path);
    return real(path, facts);
}

int statx(int folder, const char* path, int flags, unsigned mask, struct statx* facts)
{
    static const auto real = next<int (*)(int, const char*, int, unsigned, struct statx*)>("statx");
    hang(path);
    return real(folder, path, flags, mask, facts);
}

int access(const char* path, int mode)
{
    static const auto real = next<int (*)(const char*, int)>("access");
    hang(path);
    return real(path, mode);
}

int unlink(const char* path)
{
    static const auto real = next<int (*)(const char*)>("unlink");
    hang(path);
    return real(path);
}

int rmdir(const char* path)
{
    static const auto real = next<int (*)(const char*)>("rmdir");
    hang(path);
    return real(path);
}

int inotify_add_watch(int file, const char* path, std::uint32_t mask)
{
    static const auto real = next<int (*)(int, const char*, std::uint32_t)>("inotify_add_watch");
    hang(path);
    return real(file, path, mask);
}

int mkdir(const char* path, mode_t mode)
{
    static const auto real = next<int (*)(const char*, mode_t)>("mkdir");
    hang(path);
    return real(path, mode);
}

int fsync(int file)
{
    static const auto real = next<int (*)(int)>("fsync");
    hang(file);
    return real(file);
}

int fdatasync(int file)
{
    static const auto real = next<int (*)(int)>("fdatasync");
    hang(file);
    return real(file);
}

int ftruncate(int file, off_t length)
{
    static const auto real = next<int (*)(int, off_t)>("ftruncate");
    hang(file);
    return real(file, length);
}

int ftruncate64(int file, off64_t length)
{
    return ftruncate(file, length);
}

int flock(int file, int operation)
{
    static const auto real = next<int (*)(int, int)>("flock");
    hang(file);
    return real(file, operation);
}

int fcntl(int file, int command, ...)
{
    static const auto real = next<int (*)(int, int, ...)>("fcntl");
    va_list more;
    va_start(more, command);
    void* const argument = va_arg(more, void*);
    va_end(more);
    for (const int lock : {F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW}) {
        if (command == lock)
            hang(file);
    }
    return real(file, command, argument);
}

int fcntl64(int file, int command, ...)
{
    va_list more;
    va_start(more, command);
    void* const argument = va_arg(more, void*);
    va_end(more);
    return fcntl(file, command, argument);
}

ssize_t read(int file, void* to, std::size_t count)
{
    static const auto real = next<ssize_t (*)(int, void*, std::size_t)>("read");
    const ssize_t bytes = allowed(file, count);
    return bytes < 0 ? bytes : real(file, to, static_cast<std::size_t>(bytes));
}

ssize_t pread(int file, void* to, std::size_t count, off_t place)
{
    static const auto real = next<ssize_t (*)(int, void*, std::size_t, off_t)>("pread");
    const ssize_t bytes = allowed(file, count);
    return bytes < 0 ? bytes : real(file, to, static_cast<std::size_t>(bytes), place);
}

ssize_t pread64(int file, void* to, std::size_t count, off64_t place)
{
    return pread(file, to, count, place);
}

ssize_t write(int file, const void* from, std::size_t count)
{
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
    killWhileWriting(file, from, count);
    const ssize_t bytes = taken(file, count);
    return bytes < 0 ? bytes : real(file, from, static_cast<std::size_t>(bytes));
}

ssize_t pwrite(int file, const void* from, std::size_t count, off_t place)
{
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
    killWhileWriting(file, from, count);
    const ssize_t bytes = taken(file, count);
    return bytes < 0 ? bytes : real(file, from, static_cast<std::size_t>(bytes), place);
}

ssize_t pwrite64(int file, const void* from, std::size_t count, off64_t place)
{
    return pwrite(file, from, count, place);
}

ssize_t writev(int file, const iovec* parts, int count)
{
    static const auto real = next<ssize_t (*)(int, const iovec*, int)>("writev");
    if (count > 0)
        killWhileWriting(file, parts->iov_base, parts->iov_len);
    if (count > 0 && taken(file, 1) < 0)
        return -1;
    return real(file, parts, count);
}

int rename(const char* from, const char* to)
{
    static const auto real = next<int (*)(const char*, const char*)>("rename");
    beforeNaming(to);
    return real(from, to);
}

int renameat(int fromFolder, const char* from, int toFolder, const char* to)
{
    static const auto real = next<int (*)(int, const char*, int, const char*)>("renameat");
    beforeNaming(to);
    return real(fromFolder, from, toFolder, to);
}

int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags)
{
    static const auto real = next<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
    beforeNaming(to);
    return real(fromFolder, from, toFolder, to, flags);
}

int link(const char* from, const char* to)
{
    static const auto real = next<int (*)(const char*, const char*)>("link");
    beforeNaming(to);
    return real(from, to);
}

int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags)
{
    static const auto real = next<int (*)(int, const char*, int, const char*, int)>("linkat");
    beforeNaming(to);
    return real(fromFolder, from, toFolder, to, flags);
}

} // extern "C"
