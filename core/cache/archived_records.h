#pragma once

#include "core/cache/archive.h"
#include "core/store/trace.h"

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpline {

// Describes the fields of a trace's records once for both directions: ArchiveWriter and ArchiveReader.
// Records with members that are not plain have their own describe(). A list is its number, then its items.

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, Device>
void describe(Archive& archive, T& device)
{
    archive(device.id);
    archive(device.name);
    archive(device.chip);
    archive(device.busLocation);
    archive(device.uuid);
    archive(device.memoryBytes);
    archive(device.memoryBandwidth);
    archive(device.clockRate);
    archive(device.l2CacheBytes);
    archive(device.multiprocessors);
    archive(device.maxWarpsPerSm);
    archive(device.maxBlocksPerSm);
    archive(device.maxRegistersPerSm);
    archive(device.maxSharedPerSm);
    archive(device.threadsPerWarp);
    archive(device.computeMajor);
    archive(device.computeMinor);
}

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, std::pair<std::string, std::string>>
void describe(Archive& archive, T& pair)
{
    archive(pair.first);
    archive(pair.second);
}

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, SourceTable>
void describe(Archive& archive, T& table)
{
    archive(table.name);
    archive(table.rows);
    archive(table.known);
}

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, DiagnosticLine>
void describe(Archive& archive, T& line)
{
    archive(line.time);
    archive(line.severity);
    archive(line.text);
}

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, ProgramOutput>
void describe(Archive& archive, T& output)
{
    archive(output.process);
    archive(output.name);
    archive(output.text);
}

template <typename Archive, typename T>
requires std::is_same_v<std::remove_const_t<T>, Problem>
void describe(Archive& archive, T& problem)
{
    archive(problem.table);
    archive(problem.kind);
    archive(problem.example);
    archive(problem.count);
    if constexpr (std::is_same_v<Archive, ArchiveReader>)
        archive.check(problem.kind <= ProblemKind::CaptureUnreadable);
}

template <typename T> void describeList(ArchiveWriter& archive, const std::vector<T>& list)
{
    archive(list.size());
    for (const T& each : list)
        describe(archive, each);
}

template <typename T> void describeList(ArchiveReader& archive, std::vector<T>& list)
{
    std::size_t count = 0;
    archive(count);
    for (std::size_t i = 0; i < count && archive.ok(); ++i)
        describe(archive, list.emplace_back());
}

template <typename Archive, typename Info> void describeInfo(Archive& archive, Info& info)
{
    archive(info.path);
    archive(info.fileBytes);
    archive(info.schemaVersion);
    archive(info.exporterVersion);
    archive(info.captureVersion);
    archive(info.hostName);
    archive(info.operatingSystem);
    archive(info.commandLine);
    archive(info.startedUtcNs);
    archive(info.startedUtc);
    describeList(archive, info.capture);
    describeList(archive, info.exported);
    describeList(archive, info.system);
    describeList(archive, info.tables);
    describeList(archive, info.readBySqlite);
    archive(info.gpuMetricSamples);
    describeList(archive, info.diagnostics);
    describeList(archive, info.output);
    describeList(archive, info.problems);
    archive(info.isCut);
}

template <typename Archive, typename T> void describeFacts(Archive& archive, T& trace)
{
    archive(trace.session);
    archive(trace.processes);
    archive(trace.threads);
    describeList(archive, trace.devices);
    archive(trace.ordinals);
    archive(trace.streams);
    archive(trace.mpiRanks);
    archive(trace.communicators);
    archive(trace.networkWaits);
    describeInfo(archive, trace.info);
}

} // namespace warpline
