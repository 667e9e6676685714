#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace warpline {

/// What is skipped or repaired while a report is read. Problems are listed in this order.
enum class ProblemKind : std::uint8_t {
    PayloadUnreadable,
    CorrelationIdTooWide,
    CounterWithoutNumber,
    EventRecordNotPlaced,
    EventsTooMany,
    EventKindNotShown,
    EventEndsBeforeStart,
    EventTooLong,
    DurationsTooLong,
    EventTimeImpossible,
    EventWithoutDuration,
    EventWithoutTime,
    FrameMissing,
    EventMalformed,
    GpuMetricNamesUnreadable,
    FileNamesUnreadable,
    NetworkAdapterNamesUnreadable,
    NetworkDeviceNamesUnreadable,
    NetworkMetricNamesUnreadable,
    PayloadNamesUnreadable,
    NameMissing,
    PacketWithoutEnd,
    PayloadsUnreadable,
    RangeEndWithoutStart,
    RangeOpenInSession,
    RangeOpenInThread,
    RowEndsBeforeStart,
    RowTimeImpossible,
    RowWithoutStart,
    RowWithoutEnd,
    PackedFileIncomplete,
    FileIncomplete,
    PayloadLayoutUnreadable,
    PartUnreadable,
    SessionStartUnreadable,
    TableUnreadable,
    StringsMissing,
    EventUnreadable,
    CaptureUnreadable,
};

enum class ProblemSeverity : std::uint8_t {
    Info, ///< it is shown otherwise than it is recorded, or without a name
    DataLoss, ///< single events are left out
    Error, ///< a table or the rest of the file is
};
std::string_view keyOf(ProblemSeverity severity); ///< "info", "data_loss", "error"

/// What was skipped or repaired while reading, and how often.
struct Problem {
    std::string table; ///< empty: the file as a whole
    ProblemKind kind = ProblemKind::CaptureUnreadable;
    std::string example = {}; ///< where to look for one, "rowid 17"; may be empty
    std::uint64_t count = 1;
    Message reason = {}; ///< CaptureUnreadable: why, in place of an example; in no cache
};

/// "row_without_start": the same in all versions.
std::string_view keyOf(ProblemKind kind);
ProblemSeverity severityOf(ProblemKind kind);
/// What happened to all of them, a sentence.
Message messageOf(const Problem& problem);

} // namespace warpline
