#include "core/import/vulkan_ranges.h"

#include "core/import/scan.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace warpline {

namespace {

constexpr std::string_view vulkanCallTable = "VULKAN_API";
constexpr std::string_view pipelineTable = "VULKAN_PIPELINE_CREATION_EVENTS";
constexpr std::string_view stageTable = "VULKAN_PIPELINE_STAGE_EVENTS";

struct VulkanCall {
    Ns start = 0;
    GlobalId thread = 0;
};

/// A call that begins or ends a command buffer.
struct BufferCall {
    GlobalId thread = 0;
    std::int64_t buffer = -1;
    TimeRange time;
    bool begins = false;
    std::uint32_t row = 0;
};

class VulkanRanges {
public:
    VulkanRanges(ImportJob& job, TableBuilder& all, const std::function<void()>& finish)
        : m_job(job),
          m_all(all),
          m_finish(finish)
    {
    }

    Result<void> read()
    {
        for (const auto step :
            {&VulkanRanges::readCalls, &VulkanRanges::readPipelines, &VulkanRanges::readStages}) {
            if (auto done = (this->*step)(); !done.ok())
                return done;
        }
        return {};
    }

private:
    Result<void> readCalls()
    {
        const std::array<std::string_view, 6> columns{
            "id", "start", "end", "globalTid", "nameId", "contextId"};
        enum At : int { AtId = 1, AtStart, AtEnd, AtThread, AtName, AtContext };
        const bool hasPipelines = m_job.schema.has(pipelineTable);
        RowChecks checks;
        const auto rows = scanTable(m_job, vulkanCallTable, columns, {}, [&](const sqlite::Row& row) {
            Ns start = 0;
            Ns end = 0;
            if (!checks.times(row, AtStart, AtEnd, start, end))
                return;
            const auto thread = static_cast<GlobalId>(row.integer(AtThread));
            const std::string_view name = m_job.trace.pool()[checks.name(m_job.strings, row, AtName)];
            const std::int64_t buffer = row.integer(AtContext, -1);
            if (hasPipelines && name.starts_with("vkCreate"))
                m_calls[row.integer(AtId)] = {start, thread};
            const bool begins = name.starts_with("vkBeginCommandBuffer");
            if (begins || name.starts_with("vkEndCommandBuffer"))
                m_bufferCalls.push_back({thread, buffer, {start, end}, begins, sourceRowOf(row)});
        });
        addCommandBuffers();
        return rows.ok() ? Result<void>() : Result<void>(rows.error());
    }

    /// From the end of the call that begins one to the start of the next that ends it: rows have any order.
    void addCommandBuffers()
    {
        std::ranges::stable_sort(m_bufferCalls, {},
            [](const BufferCall& call) { return std::tuple(call.thread, call.buffer, call.time.start); });
        const BufferCall* begun = nullptr;
        for (const BufferCall& call : m_bufferCalls) {
            if (!call.begins && begun && begun->thread == call.thread && begun->buffer == call.buffer)
                add(call.thread, "Vulkan command buffers", commandBufferSource, begun->time.end,
                    std::max(begun->time.end, call.time.start),
                    "command buffer " + std::to_string(call.buffer), call.row);
            begun = call.begins ? &call : nullptr;
        }
    }

    Result<void> readPipelines()
    {
        const std::array<std::string_view, 3> columns{"id", "duration", "traceEventId"};
        const auto rows = scanTable(m_job, pipelineTable, columns, {}, [&](const sqlite::Row& row) {
            const auto call = m_calls.find(row.integer(3));
            if (call == m_calls.end())
                return;
            m_pipelines[row.integer(1)] = call->second;
            addLong(call->second, row.integer(2), "Vulkan pipelines", pipelineTable, "pipeline creation",
                sourceRowOf(row));
        });
        return counted(rows);
    }

    Result<void> readStages()
    {
        const std::array<std::string_view, 2> columns{"duration", "creationEventId"};
        const auto rows = scanTable(m_job, stageTable, columns, {}, [&](const sqlite::Row& row) {
            if (const auto pipeline = m_pipelines.find(row.integer(2)); pipeline != m_pipelines.end())
                addLong(pipeline->second, row.integer(1), "Vulkan pipeline stages", stageTable,
                    "pipeline stage", sourceRowOf(row));
        });
        return counted(rows);
    }

    Result<void> counted(const Result<std::uint64_t>& rows)
    {
        if (!rows.ok())
            return rows.error();
        m_all.countSourceRows(rows.value());
        return {};
    }

    void addLong(const VulkanCall& call, std::int64_t duration, std::string_view family,
        std::string_view source, const std::string& name, std::uint32_t row)
    {
        add(call.thread, family, source, call.start,
            call.start + std::clamp<std::int64_t>(duration, 0, timeLimit), name, row);
    }

    void add(GlobalId thread, std::string_view family, std::string_view source, Ns start, Ns end,
        const std::string& name, std::uint32_t row)
    {
        TrackKey key{.owner = thread,
            .family = m_job.trace.pool().intern(family),
            .source = m_job.trace.pool().intern(source)};
        m_all.add(m_all.track(key), start, end, m_job.trace.pool().intern(name), row);
        m_finish();
    }

    ImportJob& m_job;
    TableBuilder& m_all;
    const std::function<void()>& m_finish;
    std::vector<BufferCall> m_bufferCalls;
    std::map<std::int64_t, VulkanCall> m_calls;
    std::map<std::int64_t, VulkanCall> m_pipelines;
};

} // namespace

Result<void> appendVulkanRanges(ImportJob& job, TableBuilder& all, const std::function<void()>& finish)
{
    return VulkanRanges(job, all, finish).read();
}

} // namespace warpline
