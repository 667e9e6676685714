// warpline-fuzz: the parsers of foreign texts and bytes, for libFuzzer
// (https://llvm.org/docs/LibFuzzer.html). One program for fast builds; WARPLINE_TARGET selects the parser.

#include "core/base/config_file.h"
#include "core/base/duration_text.h"
#include "core/base/glob.h"
#include "core/base/regular_expression.h"
#include "core/base/secrets.h"
#include "core/base/shell_words.h"
#include "core/base/words.h"
#include "core/files/text_source.h"
#include "core/filter/filter_expression.h"
#include "core/handover/view_file.h"
#include "core/kineto/event_splitter.h"
#include "core/kineto/json_value.h"
#include "core/load/report_format.h"
#include "core/sqlite/database.h"
#include "core/sqlite/guarded_connection.h"
#include "core/workspace/report_set.h"
#include "tests/fuzz/kept_trace.h"
#include "tests/fuzz/mcp_target.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace warpline;

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

/// A file in memory, with the name that it has while this lives.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view content)
        : m_file(::memfd_create("fuzz", 0))
    {
        require(::write(m_file, content.data(), content.size()) == static_cast<ssize_t>(content.size()));
    }
    ~MemoryFile() { ::close(m_file); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(m_file); }

private:
    int m_file;
};

void readValue(std::string_view text, int depth)
{
    constexpr int deepest = 20;
    for (const JsonField& field : fieldsOf(text)) {
        require(field.value.text.data() >= text.data()
            && field.value.text.data() + field.value.text.size() <= text.data() + text.size());
        integerOf(field.value);
        realOf(field.value);
        nanosecondsOf(field.value);
        integersOf(field.value, deepest);
        textOf(field.value);
        if (field.value.kind == JsonValue::Kind::Object && depth < deepest)
            readValue(field.value.text, depth + 1);
    }
}

/// The text of a trace, plain or packed: cut into blocks, whose events are read.
void readTrace(std::string_view bytes)
{
    const MemoryFile file(bytes);
    auto source = TextSource::open(file.path());
    if (!source.ok())
        return;
    EventSplitter splitter(source.value(), 4096);
    EventBlock block;
    while (splitter.next(block)) {
        for (const auto& [begin, end] : block.events) {
            require(begin <= end && end <= block.text.size());
            readValue(std::string_view(block.text).substr(begin, end - begin), 0);
        }
        require(block.run.first <= block.run.second && block.run.second <= block.text.size());
        readValue(
            std::string_view(block.text).substr(block.run.first, block.run.second - block.run.first), 0);
    }
}

/// Unpacks; the first byte selects the packing, so that checksums of headers do not stop the fuzzer.
void inflate(std::string_view bytes)
{
    const MemoryFile file(bytes);
    auto source = TextSource::open(file.path());
    std::array<char, 1000> text{};
    constexpr std::size_t most = 1U << 24U; // of a bomb
    for (std::size_t all = 0; source.ok() && all < most;) {
        const std::size_t count = source.value().read(text.data(), text.size());
        all += count;
        if (count < text.size())
            break;
    }
}

void readFilter(std::string_view text)
{
    const FilterExpression filter(text);
    if (const auto& mistake = filter.mistake())
        require(mistake->place <= text.size() && mistake->place + mistake->length <= text.size());
}

/// The first line is the expression, the rest the text that is searched.
void searchText(std::string_view text)
{
    const std::size_t line = std::min(text.find('\n'), text.size());
    RegularExpression expression(text.substr(0, line));
    expression.isIn(text.substr(std::min(line + 1, text.size())));
    matchesGlob(text.substr(0, line), text.substr(line));
}

void readView(std::string_view text)
{
    const auto view = parseView(text, "view");
    if (!view.ok())
        return;
    // The output parses to the same.
    const std::string written = viewJson(view.value());
    const auto again = parseView(written, "view");
    require(again.ok() && viewJson(again.value()) == written);
}

void readSet(std::string_view text)
{
    const auto set = parseReportSet(text, "/folder", "set");
    if (!set.ok())
        return;
    const std::string written = reportSetJson(set.value(), "/folder");
    const auto again = parseReportSet(written, "/folder", "set");
    require(again.ok() && again.value() == set.value());
}

/// Everything else that people type.
void readWords(std::string_view text)
{
    parseTime(text);
    parseSize(text);
    shellQuoted(text);
    readConfigLines(text, "config", [](std::string_view line, std::size_t) -> Result<void> {
        takeWord(line);
        return {};
    });
    namesOfVariables(text);
    looksSecret(text);
    const std::vector<std::string_view> credentials = credentialsIn(text);
    const char* after = text.data();
    for (const std::string_view credential : credentials) {
        require(credential.data() >= after
            && credential.size() <= std::size_t(text.data() + text.size() - credential.data()));
        after = credential.data() + credential.size();
    }
    if (const auto shown = withoutCredentials(text)) {
        require(*shown != text);
        require(credentialsIn(*shown).empty());
    }
    std::string first(text.substr(0, text.find('\n')));
    std::string second(text.substr(first.size()));
    std::vector<std::string*> arguments{&first, &second};
    hideCredentials(arguments);
}

struct Target {
    std::string_view name;
    void (*run)(std::string_view bytes);
};

/// A small database to ask, with a name that can be opened.
std::string databaseToAsk()
{
    const std::string path = "/tmp/warpline-fuzz-" + std::to_string(::getpid()) + ".sqlite";
    sqlite3* made = nullptr;
    sqlite3_open(path.c_str(), &made);
    sqlite3_exec(made,
        "CREATE TABLE kernels (id INTEGER PRIMARY KEY, start, name TEXT); CREATE INDEX i ON kernels (name);"
        "INSERT INTO kernels VALUES (1, 5, 'gemm'), (2, 1e9, x'00ff'), (3, NULL, '')",
        nullptr, nullptr, nullptr);
    sqlite3_close(made);
    return path;
}

/// Any statement: it ends, and the file stays as it is.
void ask(std::string_view sql)
{
    static const std::string path = databaseToAsk();
    static const auto file = sqlite::ReportFile::open(path);
    static const auto before = std::filesystem::last_write_time(path);
    static auto connection = sqlite::GuardedConnection::open(file.value(), {});
    const sqlite::QueryLimits limits{std::chrono::milliseconds(200), 100, 1U << 20U};
    const std::clock_t begin = std::clock(); // of the processor: others may use it, too
    connection.value().run(
        sql, limits, {}, [](const auto&) {}, [](const auto&) {});
    constexpr std::clock_t most = 20 * CLOCKS_PER_SEC;
    require(std::clock() - begin < most);
    require(std::filesystem::last_write_time(path) == before);
}

constexpr std::array targets{Target{"trace", readTrace}, Target{"inflate", inflate},
    Target{"filter", readFilter}, Target{"regex", searchText}, Target{"view", readView},
    Target{"set", readSet}, Target{"sql", ask}, Target{"words", readWords}, Target{"kept", readKept},
    Target{"mcp", serveMcp}};

const Target& wanted()
{
    const char* const name = std::getenv("WARPLINE_TARGET");
    const auto found = std::ranges::find(targets, std::string_view(name ? name : ""), &Target::name);
    if (found != targets.end())
        return *found;
    for (const Target& target : targets)
        std::fprintf(stderr, "WARPLINE_TARGET=%s\n", target.name.data());
    std::exit(2);
}

} // namespace

namespace warpline {

// Opening a report set's files is not reached: all formats would need the whole of core.
std::span<const ReportFormat* const> allReportFormats()
{
    return {};
}

} // namespace warpline

// libFuzzer's own allocations at its end; visible with many inputs, as for "words".
extern "C" const char* __lsan_default_suppressions() // NOLINT(bugprone-reserved-identifier)
{
    return "leak:fuzzer::";
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t count)
{
    static const Target& target = wanted();
    target.run({reinterpret_cast<const char*>(bytes), count});
    return 0;
}
