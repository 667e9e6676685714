// CUDA runtime and driver calls.

#include "core/import/event_parts.h"

namespace warpline::cuda_api {

namespace {

constexpr std::array<std::string_view, 2> tables{"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"};
constexpr std::array<std::string_view, 7> columns{
    "start", "end", "globalTid", "nameId", "correlationId", "returnValue", "callchainId"};
enum Column : int { AtCorrelation = thread_column::next, AtReturnValue, AtCallchain };

class ApiPart : public ThreadPart {
public:
    ApiPart(const StringTable& strings, StringId source, bool hasCallchains)
        : ThreadPart(EventKind::ApiCall, strings, source),
          m_hasCallchains(hasCallchains)
    {
    }

    void read(const sqlite::Row& row)
    {
        if (!addEvent(row))
            return;
        builder.addCorrelation(checks.correlation(row, AtCorrelation));
        builder.addAttribute(static_cast<std::uint32_t>(row.integer(AtReturnValue)));
        if (m_hasCallchains)
            builder.addCallchain(callchainOf(row, AtCallchain));
    }

private:
    bool m_hasCallchains;
};

Result<void> importApiCalls(ImportJob& job)
{
    const bool hasCallchains = job.schema.has("CUDA_CALLCHAINS");
    return importCalls<ApiPart>(job, EventKind::ApiCall, tables, columns,
        [&](StringId source) { return std::make_unique<ApiPart>(job.strings, source, hasCallchains); });
}

} // namespace

extern constinit const Importer cudaApi{
    .id = "cuda-api", .progressText = "Reading CUDA API calls", .needs = tables, .run = importApiCalls};

} // namespace warpline::cuda_api
