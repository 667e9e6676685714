#include "core/history/recording.h"

#include "core/base/platform/platform.h"
#include "core/cache/message_archive.h"
#include "core/compare/facts.h"
#include "core/compare/side_measure.h"
#include "core/findings/lost_work.h"
#include "core/store/part_of_recording.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

namespace warpline {

namespace {

/// Modification time of the file in ns since 1970; 0: unknown.
Ns changeOfFile(const std::string& path)
{
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(platform::pathOf(path), error);
    if (error)
        return 0;
    const auto time = std::chrono::file_clock::to_sys(changed).time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

std::string gpusText(const SideMeasure& measure)
{
    const std::size_t count = usedGpus(measure);
    const std::string models = modelsOf(measure);
    return fmt::format("{} x {}", count, models.empty() ? "GPU" : models);
}

template <typename Archive, typename Of> void describeRecording(Archive& archive, Of& recording)
{
    archive(recording.started, recording.startedBy, recording.session, recording.isPart, recording.program,
        recording.gpus, recording.pattern, recording.steps, recording.median, recording.mean,
        recording.spread, recording.hasRanges);
}

template <typename Archive, typename Of> void describePart(Archive& archive, Of& part)
{
    archive(part.id, part.api, part.group, part.time, part.cause);
}

} // namespace

std::string_view keyOf(RecordedBy by)
{
    return by == RecordedBy::Report ? "report" : "file";
}

std::string RecordedPart::idWithoutRanges() const
{
    return group == BudgetGroup::Idle ? std::string(keyOf(causeWithoutRanges(cause))) : id;
}

Ns Recording::timeIn(BudgetGroup group) const
{
    Ns time = 0;
    for (const RecordedPart& part : parts)
        time += part.group == group ? part.time : 0;
    return time;
}

Ns Recording::timeOfPages() const
{
    const auto pages = std::ranges::find(parts, pagesPart, &RecordedPart::id);
    return pages != parts.end() ? pages->time : 0;
}

Ns Recording::idleForHost() const
{
    Ns time = 0;
    for (const RecordedPart& part : parts)
        time += isOfHost(part.group, part.id) ? part.time : 0;
    return time;
}

Recording recordingOf(const SideReport& report, const std::string& stepGlob, const std::stop_token& stop)
{
    SideRequest request;
    request.reports.push_back(report);
    request.stepGlob = stepGlob;
    SideMeasure measure = measureSide(request, kernelClassRules(), stop);
    if (measure.unit != CompareUnit::Step)
        measureLastStep(measure, request);
    Recording recording;
    recording.file = report.file;
    recording.started = report.trace->info.startedUtcNs;
    recording.startedBy = recording.started > 0 ? RecordedBy::Report : RecordedBy::File;
    if (recording.startedBy == RecordedBy::File)
        recording.started = changeOfFile(report.file);
    recording.session = recordedSession(*report.trace);
    recording.isPart = measure.side.isPart;
    recording.lacksWork = lacksWork(*report.trace);
    recording.notes = incompleteNotes(*report.trace);
    recording.program = programsOf(measure);
    recording.gpus = gpusText(measure);
    if (measure.unit == CompareUnit::Step)
        recording.pattern = measure.side.pattern;
    if (measure.side.gpus.empty())
        return recording;
    recording.steps = measure.side.judged;
    recording.median = measure.side.median;
    recording.mean = std::llround(measure.side.mean);
    recording.spread = measure.spread;
    recording.hasRanges = !report.trace->table(EventKind::Nvtx).empty();
    for (const auto& [id, part] : meanBudget(measure)) {
        if (part.time > 0)
            recording.parts.push_back(
                {id, gpuApiOf(*report.trace), part.part->group, part.time, part.part->cause});
    }
    return recording;
}

void writeRecording(ArchiveWriter& archive, const Recording& recording)
{
    describeRecording(archive, recording);
    archive(recording.parts.size());
    for (const RecordedPart& part : recording.parts)
        describePart(archive, part);
    archive(recording.notes.size());
    for (const Message& note : recording.notes)
        writeMessage(archive, note);
}

void readRecording(ArchiveReader& archive, Recording& recording)
{
    describeRecording(archive, recording);
    std::size_t parts = 0;
    archive(parts);
    for (std::size_t i = 0; i < parts && archive.ok(); ++i)
        describePart(archive, recording.parts.emplace_back());
    std::size_t notes = 0;
    archive(notes);
    for (std::size_t i = 0; i < notes && archive.ok(); ++i)
        recording.notes.push_back(readMessage(archive));
}

} // namespace warpline
