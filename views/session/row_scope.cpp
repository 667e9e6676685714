#include "views/session/row_scope.h"

#include "core/store/gpu_names.h"
#include "views/session/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpline {

bool RowScope::covers(GlobalId process, std::int32_t gpu) const
{
    if (isAll() || (process == 0 && gpu < 0))
        return true;
    if (gpu >= 0 && !gpus.empty())
        return gpus.contains(gpu);
    return process == 0 || processes.contains(process);
}

std::string RowScope::filter() const
{
    if (isAll())
        return {};
    std::vector<std::uint32_t> numbers;
    for (const std::int32_t gpu : gpus)
        numbers.push_back(static_cast<std::uint32_t>(gpu));
    for (const GlobalId process : gpus.empty() ? processes : std::set<GlobalId>())
        numbers.push_back(pidOf(process));
    return fmt::format("{}={}", gpus.empty() ? "process" : "device", fmt::join(numbers, ","));
}

std::vector<GlobalId> threadsOfSelection(const Session& session)
{
    std::set<GlobalId> threads;
    const OpenReport& report = session.report();
    for (const RowId row : session.ownSelectedRows()) {
        for (const TrackRef& ref : report.rows->tracksBelow(row)) {
            const Track& track = report.trace->table(ref.kind).tracks[ref.track];
            if (track.owner != 0 && track.device < 0)
                threads.insert(track.owner);
        }
    }
    return {threads.begin(), threads.end()};
}

RowScope rowScopeOf(const Session& session)
{
    RowScope scope;
    bool onlyGpus = true;
    const OpenReport& report = session.report();
    for (const RowId row : session.ownSelectedRows()) {
        for (const TrackRef& ref : report.rows->tracksBelow(row)) {
            const Track& track = report.trace->table(ref.kind).tracks[ref.track];
            if (track.owner == 0)
                continue;
            scope.processes.insert(processOf(track.owner));
            if (track.device >= 0)
                scope.gpus.insert(gpuNumber(*report.trace, track.owner, track.device));
            else
                onlyGpus = false;
        }
    }
    if (!onlyGpus)
        scope.gpus.clear();
    return scope;
}

} // namespace warpline
