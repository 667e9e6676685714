// Calls of OS runtime libraries that took long enough to be recorded.

#include "core/import/event_parts.h"

namespace warpline::os_runtime {

namespace {

constexpr std::string_view table = "OSRT_API";
constexpr std::array<std::string_view, 1> tables{table};
constexpr std::array<std::string_view, 5> columns{"start", "end", "globalTid", "nameId", "callchainId"};

class OsRuntimePart : public ThreadPart {
public:
    using ThreadPart::ThreadPart;

    void read(const sqlite::Row& row)
    {
        if (addEvent(row))
            builder.addCallchain(callchainOf(row, 5));
    }
};

Result<void> importCalls(ImportJob& job)
{
    const StringId source = job.trace.pool().intern(table);
    auto parts = scanInParts<OsRuntimePart>(
        job, table, columns,
        [&] { return std::make_unique<OsRuntimePart>(EventKind::OsRuntime, job.strings, source); },
        [](OsRuntimePart part) { return finish(part.builder); });
    if (!parts.ok())
        return parts.error();
    job.trace.setTable(finish(joinParts(job, table, parts.value())));
    return {};
}

} // namespace

extern constinit const Importer osRuntime{
    .id = "os-runtime", .progressText = "Reading OS runtime calls", .needs = tables, .run = importCalls};

} // namespace warpline::os_runtime
