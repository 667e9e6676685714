#include "core/sql/ready_questions.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace warpline {

namespace {

constexpr std::array<ReadyQuestion, 15> questions{{
    {"top-kernels", "Which kernels take the most GPU time?",
        R"(SELECT name, count(*) AS calls, sum(duration) AS total_ns, CAST(round(avg(duration)) AS INTEGER) AS mean_ns,
       min(duration) AS min_ns, max(duration) AS max_ns
FROM kernels GROUP BY name ORDER BY total_ns DESC LIMIT 50)",
        "kernels"},
    {"launch-shapes", "With which grids and blocks does each kernel run?",
        R"(SELECT short_name, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers, count(*) AS calls,
       sum(duration) AS total_ns
FROM kernels GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY total_ns DESC LIMIT 100)",
        "kernels"},
    {"copy-bandwidth", "How fast are copies, by direction and kind of memory?",
        R"(SELECT direction, source, destination, count(*) AS copies, sum(bytes) AS bytes,
       sum(duration) AS total_ns, round(1.0 * sum(bytes) / sum(duration), 3) AS gb_per_s
FROM copies GROUP BY 1, 2, 3 ORDER BY total_ns DESC)",
        "copies"},
    {"gpu-gaps", "Where does each GPU wait longest between two kernels?",
        R"(WITH ordered AS (
  SELECT pid, device, start, name, max("end") OVER (PARTITION BY pid, device ORDER BY start
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS busy_until FROM kernels)
SELECT pid, device, busy_until AS start, start AS "end", start - busy_until AS gap_ns, name AS next_kernel
FROM ordered WHERE gap_ns > 0 ORDER BY gap_ns DESC LIMIT 100)",
        "kernels"},
    {"nvtx-total", "Which NVTX ranges take the most time on the host?",
        R"(SELECT name, domain, count(*) AS ranges, sum(duration) AS total_ns, CAST(round(avg(duration)) AS INTEGER) AS mean_ns,
       min(duration) AS min_ns, max(duration) AS max_ns
FROM nvtx_ranges WHERE "end" IS NOT NULL GROUP BY 1, 2 ORDER BY total_ns DESC LIMIT 100)",
        "nvtx_ranges"},
    {"launches-by-thread", "Which threads launch kernels?",
        R"(SELECT l.pid, l.tid, (SELECT name FROM threads t WHERE t.pid = l.pid AND t.tid = l.tid) AS thread,
       count(*) AS kernels, sum(l.duration) AS gpu_ns
FROM launches l GROUP BY 1, 2 ORDER BY kernels DESC)",
        "launches threads"},
    {"launch-latency", "Which kernels wait longest between their launch and their start?",
        R"(SELECT short_name, latency AS latency_ns, call, call_start, start, "end", stream
FROM launches ORDER BY latency DESC LIMIT 100)",
        "launches"},
    {"api-total", "Which CUDA calls take the most time?",
        R"(SELECT name, count(*) AS calls, sum(duration) AS total_ns, CAST(round(avg(duration)) AS INTEGER) AS mean_ns,
       max(duration) AS max_ns FROM api_calls GROUP BY name ORDER BY total_ns DESC)",
        "api_calls"},
    {"syncs", "Where does the host wait for the GPU?",
        R"(SELECT start, "end", duration AS wait_ns, name, pid, tid FROM api_calls
WHERE name LIKE '%Synchronize%' ORDER BY duration DESC LIMIT 100)",
        "api_calls"},
    {"failed-calls", "Which CUDA calls returned an error?",
        R"(SELECT name, returned, count(*) AS calls, min(start) AS first_start FROM api_calls
WHERE returned <> 0 GROUP BY 1, 2 ORDER BY calls DESC)",
        "api_calls"},
    {"allocations", "Which calls allocate and free memory, and how long do they take?",
        R"(SELECT name, count(*) AS calls, sum(duration) AS total_ns, max(duration) AS max_ns FROM api_calls
WHERE name LIKE '%Alloc%' OR name LIKE '%Free%' GROUP BY name ORDER BY total_ns DESC)",
        "api_calls"},
    {"streams", "How is the work spread over streams?",
        R"(SELECT pid, device, context, stream, count(*) AS kernels, sum(duration) AS total_ns, min(start) AS first_start,
       max("end") AS last_end FROM kernels GROUP BY 1, 2, 3, 4 ORDER BY total_ns DESC)",
        "kernels"},
    {"os-calls", "In which system calls do threads spend their time?",
        R"(SELECT name, count(*) AS calls, sum(duration) AS total_ns, max(duration) AS max_ns
FROM os_calls GROUP BY name ORDER BY total_ns DESC)",
        "os_calls"},
    {"hot-functions", "Which functions have the most CPU samples?",
        R"(SELECT function, module, count(*) AS samples FROM samples
WHERE function IS NOT NULL GROUP BY 1, 2 ORDER BY samples DESC LIMIT 50)",
        "samples"},
    {"recording", "How was this report recorded?", R"(SELECT name, value FROM META_DATA_CAPTURE)",
        "META_DATA_CAPTURE"},
}};

} // namespace

std::span<const ReadyQuestion> readyQuestions()
{
    return questions;
}

const ReadyQuestion* findReadyQuestion(std::string_view id)
{
    const auto* const found = std::ranges::find(questions, id, &ReadyQuestion::id);
    return found == questions.end() ? nullptr : found;
}

std::string missingFor(const ReadyQuestion& question, std::span<const SqlTable> tables)
{
    std::istringstream names{std::string(question.needs)};
    for (std::string name; names >> name;) {
        const auto found = std::ranges::find(tables, name, &SqlTable::name);
        if (found == tables.end() || !found->isRecorded)
            return name;
    }
    return {};
}

} // namespace warpline
