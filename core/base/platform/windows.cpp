#include "core/base/platform/platform.h"

#include "core/base/file_wait.h"
#include "core/base/platform/stream.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <sys/stat.h>
#include <thread>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <shellapi.h>

namespace fs = std::filesystem;

namespace warpline::platform {

namespace {

std::wstring wideOf(std::string_view utf8)
{
    const int bytes = static_cast<int>(utf8.size());
    std::wstring wide(
        static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), bytes, nullptr, 0)), L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), bytes, wide.data(), static_cast<int>(wide.size()));
    return wide;
}

std::string narrowOf(std::wstring_view wide)
{
    const int units = static_cast<int>(wide.size());
    std::string utf8(static_cast<std::size_t>(
                         ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, nullptr, 0, nullptr, nullptr)),
        '\0');
    ::WideCharToMultiByte(
        CP_UTF8, 0, wide.data(), units, utf8.data(), static_cast<int>(utf8.size()), nullptr, nullptr);
    return utf8;
}

/// Quotes by the C library's rules for splitting a command line.
std::wstring quoted(const std::wstring& argument)
{
    std::wstring text = L"\"";
    std::size_t slashes = 0;
    for (const wchar_t c : argument) {
        if (c == L'"')
            text.append(slashes + 1, L'\\'); // those before a quote count twice, and it needs one itself
        slashes = c == L'\\' ? slashes + 1 : 0;
        text += c;
    }
    return text.append(slashes, L'\\') + L"\"";
}

/// A path for a new file or folder in the temporary folder; `attempt` varies it.
fs::path temporaryName(unsigned attempt)
{
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    return error ? fs::path()
                 : folder
            / (L"warpline-" + std::to_wstring(::GetCurrentProcessId()) + L"-"
                + std::to_wstring(::GetTickCount64()) + L"-" + std::to_wstring(attempt));
}

constexpr unsigned maxAttempts = 100;

} // namespace

fs::path pathOf(std::string_view utf8)
{
    return wideOf(utf8);
}

std::string utf8Of(const fs::path& path)
{
    return narrowOf(path.native());
}

fs::path userCacheFolder()
{
    if (const wchar_t* const folder = ::_wgetenv(L"XDG_CACHE_HOME"); folder && *folder)
        return folder;
    const wchar_t* const local = ::_wgetenv(L"LOCALAPPDATA");
    return local && *local ? fs::path(local) : fs::path();
}

fs::path makeTemporaryFolder()
{
    for (unsigned attempt = 0; attempt < maxAttempts; ++attempt) {
        const fs::path folder = temporaryName(attempt);
        std::error_code error;
        if (!folder.empty() && fs::create_directory(folder, error))
            return folder;
    }
    return {};
}

std::uint32_t processId()
{
    return ::GetCurrentProcessId();
}

bool isRunning(std::uint32_t process)
{
    const HANDLE handle = ::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process);
    DWORD code = STILL_ACTIVE;
    if (!handle)
        return ::GetLastError() != ERROR_INVALID_PARAMETER;
    ::GetExitCodeProcess(handle, &code);
    ::CloseHandle(handle);
    return code == STILL_ACTIVE;
}

std::uint64_t freeMemory()
{
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return ::GlobalMemoryStatusEx(&status) ? status.ullAvailPageFile : 0;
}

std::uint64_t freeAddresses()
{
    return UINT64_MAX;
}

std::string programOnPath(std::string_view name)
{
    std::array<wchar_t, 32768> folders{};
    std::array<wchar_t, 32768> found{};
    // Without folders, the current one would come first, where a report may lie beside a program of this
    // name.
    const DWORD known
        = ::GetEnvironmentVariableW(L"PATH", folders.data(), static_cast<DWORD>(folders.size()));
    if (known == 0 || known >= folders.size())
        return {};
    const DWORD length = ::SearchPathW(folders.data(), wideOf(name).c_str(), L".exe",
        static_cast<DWORD>(found.size()), found.data(), nullptr);
    return length > 0 && length < found.size() ? narrowOf({found.data(), length}) : std::string();
}

std::optional<int> runProgram(
    const std::vector<std::string>& arguments, int output, const std::stop_token& stop)
{
    std::wstring line;
    for (const std::string& argument : arguments)
        line += (line.empty() ? L"" : L" ") + quoted(wideOf(argument));
    STARTUPINFOW start{};
    start.cb = sizeof start;
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = ::GetStdHandle(STD_INPUT_HANDLE);
    start.hStdOutput = reinterpret_cast<HANDLE>(::_get_osfhandle(output));
    start.hStdError = ::GetStdHandle(STD_ERROR_HANDLE);
    ::SetHandleInformation(start.hStdOutput, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    PROCESS_INFORMATION process{};
    if (!::CreateProcessW(
            nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &start, &process))
        return {};
    DWORD code = 0;
    constexpr DWORD lookMs = 100;
    while (::WaitForSingleObject(process.hProcess, lookMs) == WAIT_TIMEOUT) {
        if (stop.stop_requested())
            ::TerminateProcess(process.hProcess, 1);
    }
    const bool known = ::GetExitCodeProcess(process.hProcess, &code) != 0;
    ::CloseHandle(process.hThread);
    ::CloseHandle(process.hProcess);
    return known ? std::optional<int>(static_cast<int>(code)) : std::nullopt;
}

fs::path programFile()
{
    std::wstring name(MAX_PATH, L'\0');
    for (;;) {
        const DWORD length = ::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
        if (length < name.size())
            return name.substr(0, length);
        name.resize(name.size() * 2);
    }
}

std::vector<std::string> commandLine(int, char**)
{
    // main()'s arguments are in the system's code page, which lacks characters.
    int count = 0;
    wchar_t** const wide = ::CommandLineToArgvW(::GetCommandLineW(), &count);
    std::vector<std::string> arguments;
    for (int i = 1; wide && i < count; ++i)
        arguments.push_back(narrowOf(wide[i]));
    ::LocalFree(static_cast<void*>(wide));
    return arguments;
}

bool mayCreateIn(const fs::path& folder)
{
    return ::_waccess((folder / ".").c_str(), 0) == 0;
}

int createFile(const fs::path& path)
{
    return ::_wopen(
        path.c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

void removeWhenEnded(const fs::path&) { }

void leaveWhenEnded(const fs::path&) { }

void endNow(int code)
{
    std::_Exit(code);
}

void leaveEndsToOthers() { }

void takeEnds() { }

int nextEnd(std::chrono::milliseconds patience)
{
    std::this_thread::sleep_for(patience);
    return 0;
}

void endBy(int) { }

std::string nameOfFile(int)
{
    return {};
}

Stream::Stream(int file, bool isOwn)
    : m_file(file),
      m_isOwn(isOwn)
{
}

Stream::~Stream()
{
    if (m_isOwn && isOpen())
        ::_close(m_file);
}

Stream Stream::ofStandardInput()
{
    ::_setmode(standardInput, _O_BINARY);
    return {standardInput, false};
}

Stream Stream::open(const fs::path& path)
{
    return {::_wopen(path.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT), true};
}

std::size_t Stream::read(char* to, std::size_t count, const std::stop_token& stop) const
{
    std::size_t done = 0;
    while (done < count && !stop.stop_requested()) {
        const int bytes = ::_read(m_file, to + done, static_cast<unsigned>(count - done));
        if (bytes <= 0)
            break;
        done += static_cast<std::size_t>(bytes);
    }
    return done;
}

int createNamelessFile()
{
    for (unsigned attempt = 0; attempt < maxAttempts; ++attempt) {
        const fs::path path = temporaryName(attempt);
        const int file = path.empty()
            ? noFile
            : ::_wopen(
                path.c_str(), _O_RDWR | _O_CREAT | _O_EXCL | _O_TEMPORARY | _O_BINARY, _S_IREAD | _S_IWRITE);
        if (file != noFile)
            return file;
    }
    return noFile;
}

int duplicateFile(int file)
{
    return ::_dup(file);
}

bool putInPlace(int file, int place)
{
    return ::_dup2(file, place) == 0;
}

std::string contentOf(int file)
{
    std::string content;
    std::array<char, 4096> piece{};
    ::_lseek(file, 0, SEEK_SET);
    for (int read = 0; (read = ::_read(file, piece.data(), static_cast<unsigned>(piece.size()))) > 0;)
        content.append(piece.data(), static_cast<std::size_t>(read));
    return content;
}

bool closeFile(int file)
{
    return ::_close(file) == 0;
}

bool writeAll(int file, std::string_view text)
{
    constexpr std::size_t maxAtOnce = 1U << 30U;
    while (!text.empty()) {
        const int written
            = ::_write(file, text.data(), static_cast<unsigned>(std::min(text.size(), maxAtOnce)));
        if (written < 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool isClosedReader(int error)
{
    return error == EPIPE || error == EINVAL; // EINVAL is what a closed pipe gives on Windows
}

void joinTerminal()
{
    const auto isOpen = [](DWORD which) {
        const HANDLE file = ::GetStdHandle(which);
        return file && file != INVALID_HANDLE_VALUE && ::GetFileType(file) != FILE_TYPE_UNKNOWN;
    };
    const bool output = isOpen(STD_OUTPUT_HANDLE); // a file or a pipe stays
    const bool error = isOpen(STD_ERROR_HANDLE);
    if ((output && error) || !::AttachConsole(ATTACH_PARENT_PROCESS))
        return;
    if (!output)
        static_cast<void>(std::freopen("CONOUT$", "w", stdout));
    if (!error)
        static_cast<void>(std::freopen("CONOUT$", "w", stderr));
}

std::string desktopFont()
{
    NONCLIENTMETRICSW metrics{};
    metrics.cbSize = sizeof metrics;
    if (!::SystemParametersInfoW(SPI_GETNONCLIENTMETRICS, sizeof metrics, &metrics, 0))
        return {};
    return narrowOf(metrics.lfMessageFont.lfFaceName);
}

std::string accountLocale()
{
    wchar_t name[LOCALE_NAME_MAX_LENGTH]{};
    return ::GetUserDefaultLocaleName(name, LOCALE_NAME_MAX_LENGTH) > 0 ? narrowOf(name) : std::string();
}

void prepareOutput()
{
    for (const int file : {standardOutput, standardError})
        ::_setmode(file, _O_BINARY); // line ends as on other systems
    ::SetConsoleOutputCP(CP_UTF8);
}

bool isTerminal(int file)
{
    return ::_isatty(file) != 0;
}

std::size_t terminalColumns(int file)
{
    CONSOLE_SCREEN_BUFFER_INFO info{};
    const auto handle = reinterpret_cast<HANDLE>(::_get_osfhandle(file));
    return ::GetConsoleScreenBufferInfo(handle, &info) != 0
        ? static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1)
        : 0;
}

std::size_t usableProcessors()
{
    DWORD_PTR own = 0;
    DWORD_PTR all = 0;
    if (!::GetProcessAffinityMask(::GetCurrentProcess(), &own, &all) || own == 0)
        return std::max(1U, std::thread::hardware_concurrency()); // more groups of processors than one
    return static_cast<std::size_t>(std::popcount(static_cast<std::uint64_t>(own)));
}

void yieldToOtherThreads()
{
    ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
}

void returnFreeMemory() { }

MappedFile::MappedFile(const fs::path& path)
{
    const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE,
        nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE)
        return;
    LARGE_INTEGER bytes{};
    if (::GetFileSizeEx(file, &bytes) && bytes.QuadPart > 0) {
        if (const HANDLE mapping = ::CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr)) {
            if (const void* const memory = ::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0))
                m_bytes = {static_cast<const std::byte*>(memory), static_cast<std::size_t>(bytes.QuadPart)};
            ::CloseHandle(mapping); // the view stays
        }
    }
    ::CloseHandle(file);
}

MappedFile::~MappedFile()
{
    if (!m_bytes.empty())
        ::UnmapViewOfFile(m_bytes.data());
}

std::optional<FileReader> FileReader::open(const fs::path& path)
{
    const HANDLE file
        = ::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
            nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE)
        return std::nullopt;
    return FileReader(reinterpret_cast<std::intptr_t>(file));
}

FileReader::~FileReader()
{
    if (m_handle != none)
        ::CloseHandle(reinterpret_cast<HANDLE>(m_handle));
}

std::size_t FileReader::readAt(std::uint64_t offset, void* to, std::size_t count) const
{
    const FileWait wait;
    constexpr std::size_t maxAtOnce = 1U << 30U;
    std::size_t done = 0;
    while (done < count) {
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(offset + done);
        place.OffsetHigh = static_cast<DWORD>((offset + done) >> 32U);
        DWORD read = 0;
        const auto wanted = static_cast<DWORD>(std::min(count - done, maxAtOnce));
        if (!::ReadFile(
                reinterpret_cast<HANDLE>(m_handle), static_cast<char*>(to) + done, wanted, &read, &place)
            || read == 0)
            break;
        done += read;
    }
    return done;
}

std::optional<FileState> FileReader::state() const
{
    BY_HANDLE_FILE_INFORMATION facts{};
    if (!::GetFileInformationByHandle(reinterpret_cast<HANDLE>(m_handle), &facts))
        return std::nullopt;
    const auto joined = [](DWORD high, DWORD low) { return static_cast<std::uint64_t>(high) << 32U | low; };
    constexpr std::int64_t nsPerTick = 100;
    return FileState{joined(facts.nFileSizeHigh, facts.nFileSizeLow),
        static_cast<std::int64_t>(
            joined(facts.ftLastWriteTime.dwHighDateTime, facts.ftLastWriteTime.dwLowDateTime))
            * nsPerTick,
        joined(facts.nFileIndexHigh, facts.nFileIndexLow)};
}

} // namespace warpline::platform
