// What an AppImage of Warpline begins with. It mounts the file system that follows it in the same file,
// starts AppRun in it, and unmounts it when that and all that it started has ended. Where FUSE is missing, it
// unpacks into a temporary folder, which is removed then. For other tools: --appimage-offset prints where the
// file system begins,
// --appimage-extract unpacks it into squashfs-root.

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#define FUSE_USE_VERSION 31
#include <fuse3/fuse_lowlevel.h>
extern "C" {
#include <squashfuse/ll.h>
#include <squashfuse/squashfuse.h>
}

namespace fs = std::filesystem;

namespace {

// An ELF file ends with the table of its sections.
std::size_t endOfProgram(const fs::path& image)
{
    Elf64_Ehdr header{};
    std::ifstream file(image, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header))
        throw std::runtime_error("cannot read " + image.string());
    return header.e_shoff + std::size_t{header.e_shentsize} * header.e_shnum;
}

fs::path temporaryFolder()
{
    const char* parent = std::getenv("TMPDIR");
    std::string name
        = std::string(parent != nullptr && *parent != '\0' ? parent : "/tmp") + "/.warpline-XXXXXX";
    if (mkdtemp(name.data()) == nullptr)
        throw std::system_error(errno, std::generic_category(), name);
    return name;
}

void check(sqfs_err error, const fs::path& path)
{
    if (error != SQFS_OK)
        throw std::runtime_error("cannot unpack " + path.string());
}

void extractFile(sqfs& image, sqfs_inode& inode, const fs::path& path)
{
    std::ofstream file(path, std::ios::binary);
    std::vector<char> block(1 << 20);
    for (sqfs_off_t at = 0; at < static_cast<sqfs_off_t>(inode.xtra.reg.file_size);) {
        sqfs_off_t size = static_cast<sqfs_off_t>(block.size());
        check(sqfs_read_range(&image, &inode, at, &size, block.data()), path);
        if (size == 0 || !file.write(block.data(), size))
            throw std::runtime_error("cannot write " + path.string());
        at += size;
    }
    if (!file.flush())
        throw std::runtime_error("cannot write " + path.string());
    fs::permissions(path, static_cast<fs::perms>(inode.base.mode & 07777));
}

void extractEntry(sqfs& image, sqfs_inode& inode, const fs::path& path)
{
    if (S_ISDIR(inode.base.mode)) {
        fs::create_directories(path);
    } else if (S_ISLNK(inode.base.mode)) {
        std::size_t size = 0;
        check(sqfs_readlink(&image, &inode, nullptr, &size), path);
        std::string target(size, '\0');
        check(sqfs_readlink(&image, &inode, target.data(), &size), path);
        fs::create_symlink(target.c_str(), path);
    } else if (S_ISREG(inode.base.mode)) {
        extractFile(image, inode, path);
    }
}

void extract(const fs::path& file, std::size_t offset, const fs::path& folder)
{
    sqfs image;
    check(sqfs_open_image(&image, file.c_str(), offset), file);
    sqfs_traverse walk;
    check(sqfs_traverse_open(&walk, &image, sqfs_inode_root(&image)), file);
    fs::create_directories(folder);
    sqfs_err error = SQFS_OK;
    while (sqfs_traverse_next(&walk, &error)) {
        if (walk.dir_end)
            continue;
        sqfs_inode inode;
        check(sqfs_inode_get(&image, &inode, sqfs_dentry_inode(&walk.entry)), walk.path);
        extractEntry(image, inode, folder / walk.path);
    }
    check(error, file);
    sqfs_traverse_close(&walk);
    sqfs_destroy(&image);
}

[[noreturn]] void start(const fs::path& image, const fs::path& folder, char** arguments)
{
    setenv("APPIMAGE", image.c_str(), 1);
    setenv("APPDIR", folder.c_str(), 1);
    setenv("ARGV0", arguments[0], 1);
    execv((folder / "AppRun").c_str(), arguments);
    std::perror("warpline: AppRun");
    _exit(127);
}

// In a process of its own: waits until nobody holds the other end of `alive` any more, and removes `folder`.
[[noreturn]] void waitAndRemove(const fs::path& folder, int alive)
{
    setsid(); // Ctrl+C in the terminal is for the program
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        close(stream); // who reads what the program prints must not wait for this
    char byte = 0;
    while (read(alive, &byte, 1) < 0 && errno == EINTR) { }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    _exit(0);
}

[[noreturn]] void extractAndRun(const fs::path& image, std::size_t offset, char** arguments)
{
    std::array<int, 2> alive{}; // its writing end is inherited by the program and all that it starts
    if (pipe(alive.data()) != 0)
        throw std::system_error(errno, std::generic_category(), "pipe");
    const fs::path folder = temporaryFolder();
    const pid_t remover = fork(); // before anything is unpacked: it is removed however this ends
    if (remover < 0)
        throw std::system_error(errno, std::generic_category(), "fork");
    if (remover == 0) {
        close(alive[1]);
        waitAndRemove(folder, alive[0]);
    }
    close(alive[0]);
    extract(image, offset, folder);
    start(image, folder, arguments);
}

fuse_lowlevel_ops squashOperations()
{
    fuse_lowlevel_ops operations{};
    operations.getattr = sqfs_ll_op_getattr;
    operations.opendir = sqfs_ll_op_opendir;
    operations.releasedir = sqfs_ll_op_releasedir;
    operations.readdir = sqfs_ll_op_readdir;
    operations.lookup = sqfs_ll_op_lookup;
    operations.open = sqfs_ll_op_open;
    operations.create = sqfs_ll_op_create;
    operations.release = sqfs_ll_op_release;
    operations.read = sqfs_ll_op_read;
    operations.readlink = sqfs_ll_op_readlink;
    operations.listxattr = sqfs_ll_op_listxattr;
    operations.getxattr = sqfs_ll_op_getxattr;
    operations.forget = sqfs_ll_op_forget;
    operations.statfs = stfs_ll_op_statfs;
    return operations;
}

// Answers until nobody holds the other end of `alive` any more.
void serve(fuse_session* session, int alive)
{
    fuse_buf request{};
    while (!fuse_session_exited(session)) {
        std::array<pollfd, 2> waits{pollfd{fuse_session_fd(session), POLLIN, 0}, pollfd{alive, POLLIN, 0}};
        if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
            break;
        if (waits[1].revents != 0)
            break;
        if (waits[0].revents == 0)
            continue;
        const int size = fuse_session_receive_buf(session, &request);
        if (size == -EINTR)
            continue;
        if (size <= 0)
            break;
        fuse_session_process_buf(session, &request);
    }
    std::free(request.mem);
}

// In a process of its own: mounts, writes a byte to `ready`, and serves.
[[noreturn]] void mountAndServe(
    const fs::path& image, std::size_t offset, const fs::path& folder, int ready, int alive)
{
    setsid(); // Ctrl+C in the terminal is for the program
    fuse_set_log_func([](fuse_log_level, const char*, va_list) {}); // what fails is done in the other way
    sqfs_ll* opened = sqfs_ll_open(image.c_str(), offset);
    std::string name = "warpline";
    std::string option = "-oro,nosuid,nodev,fsname=warpline,subtype=squashfuse";
    std::array<char*, 3> texts{name.data(), option.data(), nullptr};
    fuse_args options = FUSE_ARGS_INIT(2, texts.data());
    fuse_lowlevel_ops operations = squashOperations();
    sqfs_ll_chan channel{};
    if (opened == nullptr
        || sqfs_ll_mount(&channel, folder.c_str(), &options, &operations, sizeof operations, opened)
            != SQFS_OK)
        _exit(1);
    if (write(ready, "", 1) == 1) {
        close(ready);
        serve(channel.session, alive);
    }
    sqfs_ll_unmount(&channel, folder.c_str());
    rmdir(folder.c_str());
    _exit(0);
}

// Does not come back where the file system could be mounted.
void mountAndRun(const fs::path& image, std::size_t offset, char** arguments)
{
    std::array<int, 2> ready{};
    std::array<int, 2> alive{}; // its writing end is inherited by the program and all that it starts
    if (access("/dev/fuse", R_OK | W_OK) != 0 || pipe2(ready.data(), O_CLOEXEC) != 0
        || pipe(alive.data()) != 0)
        return;
    const fs::path folder = temporaryFolder();
    const pid_t server = fork();
    if (server == 0) {
        close(ready[0]);
        close(alive[1]);
        mountAndServe(image, offset, folder, ready[1], alive[0]);
    }
    close(ready[1]);
    close(alive[0]);
    char byte = 0;
    if (server > 0 && read(ready[0], &byte, 1) == 1)
        start(image, folder, arguments);
    if (server > 0)
        waitpid(server, nullptr, 0);
    close(ready[0]);
    close(alive[1]);
    rmdir(folder.c_str());
}

int run(char** arguments)
{
    const fs::path image = fs::read_symlink("/proc/self/exe");
    const std::size_t offset = endOfProgram(image);
    const std::string_view first = arguments[1] != nullptr ? arguments[1] : "";
    if (first == "--appimage-offset") {
        std::printf("%zu\n", offset);
        return 0;
    }
    if (first == "--appimage-extract") {
        extract(image, offset, "squashfs-root");
        std::puts("squashfs-root");
        return 0;
    }
    if (std::getenv("APPIMAGE_EXTRACT_AND_RUN") == nullptr)
        mountAndRun(image, offset, arguments);
    extractAndRun(image, offset, arguments);
}

} // namespace

int main(int, char** arguments)
{
    try {
        return run(arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "warpline: %s\n", error.what());
        return 1;
    }
}
