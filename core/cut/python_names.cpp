#include "core/cut/python_names.h"

#include "core/base/string_pool.h"
#include "core/import/import_log.h"
#include "core/import/importer.h"
#include "core/import/nvtx_payloads.h"
#include "core/import/progress.h"
#include "core/import/python_stacks.h"
#include "core/import/snapshots.h"

#include <charconv>
#include <chrono>
#include <memory>

namespace warpline {

namespace {

/// The ids that `payload` names, as a JSON array.
std::string idsIn(const NvtxPayloads& payloads, std::string_view payload)
{
    std::string decoded;
    if (!payload.starts_with('{')) {
        std::int64_t domain = 0;
        const char* const end = payload.data() + payload.size();
        const auto [colon, problem] = std::from_chars(payload.data(), end, domain);
        if (problem != std::errc() || colon == end || *colon != ':')
            return "[]";
        decoded
            = payloads.decode(domain, payload.substr(static_cast<std::size_t>(colon - payload.data()) + 1));
        payload = decoded;
    }
    std::string list;
    for (const std::int64_t id : pythonNameIds(payload))
        list += (list.empty() ? "" : ",") + std::to_string(id);
    return "[" + list + "]";
}

} // namespace

Result<std::function<std::string(std::string_view payload)>> pythonNamesOf(
    const sqlite::ReportFile& file, sqlite::Database& report, const std::stop_token& stop)
{
    auto schema = Schema::probe(report, file.path());
    if (!schema.ok())
        return schema.error();
    // Inputs that the layouts need: no other tables.
    const StringTable strings;
    TraceBuilder trace(std::make_shared<StringPool>());
    ImportLog log;
    Progress progress(0, {});
    Snapshots snapshots(trace, {}, std::chrono::milliseconds(0), 2, 0);
    ImportJob job{
        file, nullptr, report, schema.value(), strings, trace, log, progress, snapshots, stop, 1, {}};
    return std::function([payloads = std::make_shared<const NvtxPayloads>(NvtxPayloads::read(job))](
                             std::string_view payload) { return idsIn(*payloads, payload); });
}

} // namespace warpline
