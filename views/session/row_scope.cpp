#include "views/session/row_scope.h"

#include "core/store/gpu_names.h"
#include "core/store/trace.h"
#include "views/session/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace warpline {

bool RowScope::covers(GlobalId process, std::int32_t gpu) const
{
    if (isAll() || (process == 0 && gpu < 0))
        return true;
    if (gpu >= 0 && !gpus.empty())
        return gpus.contains(gpu);
    return process == 0 || processes.contains(process);
}

bool RowScope::coversOrdinal(const Trace& trace, GlobalId process, std::int32_t device) const
{
    return covers(process, device < 0 ? -1 : gpuNumber(trace, process, device));
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

TrackFilter RowScope::tracks(std::shared_ptr<const Trace> trace) const
{
    if (isAll())
        return {};
    return [scope = *this, trace = std::move(trace)](const Track& track) {
        return scope.coversOrdinal(*trace, processOf(track.owner), track.device);
    };
}

std::vector<GlobalId> threadsOfSelection(const Session& session)
{
    return threadsOfRows(session, session.selection().selectedRows());
}

std::vector<GlobalId> threadsOfRows(const Session& session, const std::vector<RowId>& rows)
{
    std::set<GlobalId> threads;
    const OpenReport& report = session.report();
    for (const RowId row : rows) {
        if (session.workspace().isOfAll(row) || session.rows().row(row).report != report.id)
            continue;
        for (const TrackRef& ref : report.rows->tracksBelow(session.workspace().ownRow(row))) {
            const Track& track = report.trace->table(ref.kind).tracks[ref.track];
            if (track.owner != 0 && track.device < 0)
                threads.insert(track.owner);
        }
    }
    return {threads.begin(), threads.end()};
}

RowScope rowScopeOf(const Session& session)
{
    return rowScopeOf(session, session.report());
}

RowScope rowScopeOf(const Session& session, const OpenReport& report)
{
    RowScope scope;
    bool onlyGpus = true;
    for (const RowId row : session.selection().ownSelectedRows(report.id)) {
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

bool leavesOut(const Session& session, const OpenReport& report)
{
    const auto isOfReport = [&](RowId row) {
        return session.workspace().isOfAll(row) || session.rows().row(row).report == report.id;
    };
    return !session.selection().selectedRows().empty()
        && std::ranges::none_of(session.selection().selectedRows(), isOfReport);
}

} // namespace warpline
