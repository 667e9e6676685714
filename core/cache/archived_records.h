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

template <typename T, typename Record>
concept ReadOrWritten = std::is_same_v<std::remove_const_t<T>, Record>;

template <typename Archive, ReadOrWritten<Device> T> void describe(Archive& archive, T& device)
{
    archive(device.id, device.name, device.chip, device.busLocation, device.uuid, device.memoryBytes,
        device.memoryBandwidth, device.clockRate);
    archive(device.l2CacheBytes);
    archive(device.multiprocessors, device.maxWarpsPerSm, device.maxBlocksPerSm, device.maxRegistersPerSm,
        device.maxSharedPerSm, device.threadsPerWarp, device.computeMajor, device.computeMinor);
}

template <typename Archive, ReadOrWritten<std::pair<std::string, std::string>> T>
void describe(Archive& archive, T& pair)
{
    archive(pair.first, pair.second);
}

template <typename Archive, ReadOrWritten<SourceTable> T> void describe(Archive& archive, T& table)
{
    archive(table.name, table.rows, table.known);
}

template <typename Archive, ReadOrWritten<DiagnosticLine> T> void describe(Archive& archive, T& line)
{
    archive(line.time, line.severity, line.text);
}

template <typename Archive, ReadOrWritten<ProgramOutput> T> void describe(Archive& archive, T& output)
{
    archive(output.process, output.name, output.text);
}

template <typename Archive, ReadOrWritten<Problem> T> void describe(Archive& archive, T& problem)
{
    archive(problem.table, problem.kind, problem.example, problem.count);
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
    archive(info.path, info.fileBytes, info.fileSample, info.schemaVersion, info.exporterVersion,
        info.captureVersion, info.hostName, info.operatingSystem, info.commandLine, info.startedUtcNs,
        info.startedUtc);
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
    archive(trace.session, trace.processes, trace.threads);
    describeList(archive, trace.devices);
    archive(trace.ordinals, trace.streams, trace.mpiRanks, trace.communicators, trace.networkWaits);
    describeInfo(archive, trace.info);
}

} // namespace warpline
