// warpline-fuzz-commands: the command line for libFuzzer, one argument a line, after lines that change
// reports by SQL. Each command runs in this process over small reports, in a folder of its own. Apart from
// warpline-fuzz, since it needs all of core.

#include "app/cli_command.h"
#include "tests/fuzz/report_edits.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(unsigned char* bytes, std::size_t count, std::size_t most);

namespace {

namespace fs = std::filesystem;

/// The files in the folder; others are created by commands, and removed afterwards.
constexpr std::array<std::array<std::string_view, 2>, 3> reports{{{"a.sqlite", "pairs/grid_after.sqlite"},
    {"b.sqlite", "pairs/grid_before.sqlite"}, {"c.json.gz", "operators/mix.json.gz"}}};

void require(bool holds)
{
    if (!holds)
        std::abort();
}

/// The folder in which commands run. They find no other programs, settings or caches than those below it.
class Folder {
public:
    Folder()
        : m_top(fs::temp_directory_path() / ("warpline-commands-" + std::to_string(::getpid())))
    {
        fs::create_directories(reportFolder());
        for (const auto& [name, source] : reports)
            copyReport(name, source);
        for (const char* const variable : {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TMPDIR"})
            ::setenv(variable, m_top.c_str(), 1);
        ::setenv("PATH", "", 1);
        m_before = states();
        const int nothing = ::open("/dev/null", O_RDWR);
        const int output = ::memfd_create("output", 0);
        require(nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0);
        require(output >= 0 && ::dup2(output, STDOUT_FILENO) >= 0);
        m_returnTo = ::open(".", O_RDONLY | O_DIRECTORY);
    }
    ~Folder()
    {
        std::error_code ignored;
        fs::remove_all(m_top, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    void enter() const { require(::chdir(reportFolder().c_str()) == 0); }
    fs::path reportFolder() const { return m_top / "reports"; }
    /// Removes created files. Reports have not changed, unless `replaces`: then they are restored.
    void leave(bool replaces)
    {
        for (const fs::directory_entry& entry : fs::directory_iterator(reportFolder())) {
            if (!m_before.contains(entry.path().filename().string()))
                fs::remove_all(entry.path());
        }
        if (replaces && states() != m_before) {
            for (const auto& [name, source] : reports)
                copyReport(name, source);
            m_before = states();
        }
        require(states() == m_before);
        require(::fchdir(m_returnTo) == 0); // where libFuzzer writes
    }

private:
    void copyReport(std::string_view name, std::string_view source) const
    {
        fs::copy_file(fs::path(WARPLINE_TEST_DATA) / source, reportFolder() / name,
            fs::copy_options::overwrite_existing);
    }
    std::map<std::string, std::pair<fs::file_time_type, std::uintmax_t>> states() const
    {
        std::map<std::string, std::pair<fs::file_time_type, std::uintmax_t>> states;
        for (const fs::directory_entry& entry : fs::directory_iterator(reportFolder()))
            states[entry.path().filename().string()] = {entry.last_write_time(), entry.file_size()};
        return states;
    }

    fs::path m_top;
    std::map<std::string, std::pair<fs::file_time_type, std::uintmax_t>> m_before;
    int m_returnTo = -1;
};

/// The commands' output since the last call.
std::string takeOutput()
{
    std::fflush(stdout);
    std::string output(static_cast<std::size_t>(::lseek(STDOUT_FILENO, 0, SEEK_END)), '\0');
    require(::pread(STDOUT_FILENO, output.data(), output.size(), 0) == static_cast<ssize_t>(output.size()));
    require(::ftruncate(STDOUT_FILENO, 0) == 0 && ::lseek(STDOUT_FILENO, 0, SEEK_SET) == 0);
    return output;
}

/// The exit code, as main() has it: that ends the pools of threads, and so fits one command only.
int runAsProgram(const std::vector<std::string>& arguments)
{
    using namespace warpline::cli;
    try {
        return static_cast<int>(runCommand(arguments));
    } catch (const std::exception&) {
        return static_cast<int>(ExitCode::UnreadableReport);
    }
}

std::vector<std::string> linesOf(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// Whether `argument` may name a file outside of the folder, which would be written or searched.
bool isElsewhere(std::string_view argument)
{
    const bool isShort = argument.starts_with('-') && !argument.starts_with("--");
    return argument.starts_with('/') || argument.find("=/") != std::string_view::npos
        || argument.find("..") != std::string_view::npos
        || (isShort && argument.find('/') != std::string_view::npos);
}

/// Commands, options and their values, as the program itself declares them.
std::vector<std::string> knownWords()
{
    std::vector<std::string> words{"100ms:200ms", "1ms:", "0", "1", "100", "kernel=*:0.5",
        "name~/gemm/ dur>1us", "SELECT * FROM kernels", "json", "ndjson", "csv", "html", "sarif", "junit",
        "chrome", "markdown", "zh-CN", "pseudo", "--format", "--output", "--force", "--language", "--help",
        "--", "out"};
    for (const auto& [name, source] : reports)
        words.emplace_back(name);
    for (const warpline::cli::Command* const command : warpline::cli::allCommands()) {
        words.emplace_back(command->name);
        CLI::App app;
        command->declare(app);
        for (const CLI::Option* const option : app.get_options()) {
            for (const std::string& name : option->get_lnames())
                words.push_back("--" + name);
        }
    }
    return words;
}

const warpline::ReportEdits& edits()
{
    static const warpline::ReportEdits edits;
    return edits;
}

} // namespace

// See fuzz_main.cpp.
extern "C" const char* __lsan_default_suppressions() // NOLINT(bugprone-reserved-identifier)
{
    return "leak:fuzzer::";
}

/// Half of the time a known word is inserted as an argument, or replaces one; otherwise, half of the time a
/// report among the arguments is changed.
extern "C" std::size_t LLVMFuzzerCustomMutator(
    unsigned char* bytes, std::size_t count, std::size_t most, unsigned int seed)
{
    static const std::vector<std::string> words = knownWords();
    std::minstd_rand random(seed);
    const auto choice = random() % 4;
    if (choice == 0)
        return LLVMFuzzerMutate(bytes, count, most);
    std::vector<std::string> lines = linesOf({reinterpret_cast<const char*>(bytes), count});
    if (choice == 1) {
        const auto argument = std::ranges::find_if(lines, [](const std::string& line) {
            return !warpline::ReportEdits::isEdit(line) && line.ends_with(".sqlite");
        });
        const std::string edit
            = edits().someEdit(argument != lines.end() ? *argument : std::string(), random);
        if (argument != lines.end())
            *argument = edits().reportOf(edit);
        else
            lines.push_back(edits().reportOf(edit));
        lines.insert(lines.begin(), edit);
    } else {
        const std::string& word = words[random() % words.size()];
        const std::size_t place = random() % (lines.size() + 1);
        if (place < lines.size() && random() % 2 == 0)
            lines[place] = word;
        else
            lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place), word);
    }
    std::string made;
    for (const std::string& line : lines)
        made += line + '\n';
    made.resize(std::min(made.size(), most));
    std::memcpy(bytes, made.data(), made.size());
    return made.size();
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t count)
{
    static Folder folder;
    std::vector<std::string> arguments = linesOf({reinterpret_cast<const char*>(bytes), count});
    const auto firstEdit
        = std::ranges::stable_partition(arguments, std::not_fn(warpline::ReportEdits::isEdit)).begin();
    const std::vector<std::string> changes(firstEdit, arguments.end());
    arguments.erase(firstEdit, arguments.end());
    constexpr std::size_t most = 30;
    constexpr std::size_t mostChanges = 8;
    if (arguments.size() > most || changes.size() > mostChanges
        || std::ranges::any_of(arguments, isElsewhere))
        return -1; // not stored
    for (const std::string& change : changes)
        edits().apply(change, folder.reportFolder());
    folder.enter();
    const int code = runAsProgram(arguments);
    // --force replaces the file that --output names, also a report that the command does not read.
    folder.leave(std::ranges::find(arguments, "--force") != arguments.end());
    const std::string output = takeOutput();
    if (code == 0 && output.starts_with('{') && std::ranges::find(arguments, "json") != arguments.end())
        require(nlohmann::json::accept(output));
    require(std::ranges::any_of(warpline::cli::exitCodes(),
        [&](const warpline::cli::ExitCodeWords& known) { return static_cast<int>(known.code) == code; }));
    return 0;
}
