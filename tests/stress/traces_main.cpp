// stress-traces NUMBER TRACE...: reads NUMBER damaged traces: bytes changed, removed, doubled, impossible
// numbers, truncated files, damaged compressed data. Each must give a valid trace, or an error as a sentence.
// For the address sanitizer; also a quick test without it.

#include "core/derive/backward_passes.h"
#include "core/derive/memory_lifetimes.h"
#include "core/derive/stream_waits.h"
#include "core/files/text_source.h"
#include "core/load/report_format.h"
#include "core/render/render.h"
#include "core/store/trace.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <zlib.h>

namespace warpline {

namespace kineto_json {
extern const ReportFormat kinetoJson;
}

namespace {

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t end)
{
    return end == 0 ? 0 : random() % end;
}

/// The beginning, a part of the middle and the end of a trace: small enough to be damaged thousands of times.
std::string shortened(const std::string& path, Random& random)
{
    constexpr std::size_t part = 60'000;
    auto source = TextSource::open(path);
    if (!source.ok())
        return {};
    std::string text;
    std::string piece(std::size_t{1} << 20U, '\0');
    for (std::size_t read = source.value().read(piece.data(), piece.size()); read > 0;
         read = source.value().read(piece.data(), piece.size()))
        text.append(piece, 0, read);
    if (text.size() <= 3 * part)
        return text;
    const std::size_t middle = text.find("\n  {", part + below(random, text.size() - 3 * part));
    const std::size_t first = text.rfind("\n  {", part);
    if (middle == std::string::npos || first == std::string::npos || middle + part > text.size())
        return text.substr(0, part);
    return text.substr(0, first) + text.substr(middle, part) + text.substr(text.size() - part / 4);
}

void breakText(std::string& text, Random& random)
{
    static constexpr std::array<std::string_view, 22> pieces{"\"", "\\", "{", "}", "[", "]", ",", ":", "\n",
        "\xFF", std::string_view("\0", 1), "-", "nan", "inf", "1e400", "99999999999999999999",
        "-9223372036854775808", "\"ph\": \"B\"", "\"ts\": 9223372036854775807", "\"pid\": \"x\"", "null",
        "{\"ph\""};
    const std::size_t at = below(random, text.size());
    const std::size_t length = below(random, 1 + below(random, 400));
    switch (below(random, 7)) {
    case 0:
        text[at] = static_cast<char>(random());
        break;
    case 1:
        text.erase(at, length);
        break;
    case 2:
        text.insert(at, text.substr(below(random, text.size()), length));
        break;
    case 3:
        text.insert(at, pieces[below(random, pieces.size())]);
        break;
    case 4: { // a number becomes another
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos)
            text.replace(digit, 1, pieces[below(random, pieces.size())]);
        break;
    }
    case 5:
        if (below(random, 10) == 0)
            text.resize(at);
        break;
    default: // a key becomes another
        if (const std::size_t quote = text.find('"', at);
            quote != std::string::npos && quote + 2 < text.size())
            text[quote + 1] = static_cast<char>('a' + below(random, 26));
        break;
    }
    if (text.empty())
        text = "{";
}

void writeTrace(const std::string& path, const std::string& text, Random& random)
{
    if (below(random, 4) != 0) {
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    const gzFile file = gzopen(path.c_str(), "wb1");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    const auto size = std::filesystem::file_size(path);
    if (below(random, 2) == 0) {
        std::filesystem::resize_file(path, below(random, size) + 1);
    } else {
        std::fstream damaged(path, std::ios::binary | std::ios::in | std::ios::out);
        damaged.seekp(static_cast<std::streamoff>(below(random, size)));
        damaged.put(static_cast<char>(random()));
    }
}

/// Whether joined data refers to rows inside its tables.
bool isJoinedInside(const Trace& trace)
{
    for (const MemoryLifetime& lifetime : memoryLifetimes(trace, {})) {
        if (lifetime.allocation >= trace.gpuMemory().size() || lifetime.held.end < lifetime.held.start)
            return false;
    }
    for (const EventIndex forward : forwardOperators(trace)) {
        if (forward != noIndex && forward >= trace.nvtx().size())
            return false;
    }
    for (const StreamWait& wait : findStreamWaits(trace)) {
        if (wait.record >= trace.table(EventKind::CudaEvent).size() || wait.held.end < wait.held.start)
            return false;
    }
    return true;
}

/// Whether the tables satisfy the invariants that other code relies on.
bool isInOrder(const Trace& trace)
{
    for (const EventKind kind : allEventKinds()) {
        const EventTable& table = trace.table(kind);
        for (const Lane& lane : table.lanes) {
            for (std::uint32_t i = lane.first; i < lane.first + lane.count; ++i) {
                if (table.start[i] < 0 || table.duration[i] < 0 || table.end(i) > trace.session.end
                    || (i > lane.first && table.start[i] < table.end(i - 1) && table.duration[i - 1] > 0))
                    return false;
                static_cast<void>(trace.name({kind, i}));
                static_cast<void>(trace.apiCallOf({kind, i}));
            }
        }
    }
    return true;
}

int run(int number, const std::vector<std::string>& paths)
{
    const std::string folder = std::filesystem::temp_directory_path().string();
    const std::string path = folder + "/warpline-stress-" + std::to_string(std::random_device{}()) + ".json";
    int read = 0;
    int wrong = 0;
    std::uint64_t problems = 0;
    for (int i = 0; i < number; ++i) {
        Random random(static_cast<unsigned>(i));
        std::string text = shortened(paths[static_cast<std::size_t>(i) % paths.size()], random);
        const std::size_t faults = 1 + below(random, 8);
        for (std::size_t fault = 0; fault < faults && !text.empty(); ++fault)
            breakText(text, random);
        writeTrace(path, text, random);
        LoadOptions options;
        options.threads = 1 + static_cast<unsigned>(i % 3);
        const auto trace = kineto_json::kinetoJson.read(path, options);
        if (!trace.ok()) {
            wrong += trace.error().message.empty() ? 1 : 0;
            continue;
        }
        ++read;
        problems += trace.value()->info.problems.size();
        if (!isInOrder(*trace.value()) || !isJoinedInside(*trace.value())) {
            std::printf("trace %d is out of order\n", i);
            ++wrong;
        }
    }
    std::filesystem::remove(path);
    std::printf("%d broken traces: %d read, %llu problems told, %d wrong\n", number, read,
        static_cast<unsigned long long>(problems), wrong);
    return wrong == 0 ? 0 : 1;
}

} // namespace
} // namespace warpline

int main(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    return warpline::run(std::stoi(argv[1]), {argv + 2, argv + argc});
}
