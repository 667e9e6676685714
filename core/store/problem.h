#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpline {

/// Problems that reading skips or repairs, in the order of listing.
enum class ProblemKind : std::uint8_t {
    PayloadUnreadable,
    CorrelationIdShared,
    CorrelationIdTooWide,
    CounterWithoutNumber,
    EventRecordNotPlaced,
    EventsTooMany,
    EventKindNotShown,
    EventEndsBeforeStart,
    EventTooLong,
    BytesTooMany,
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
    RowDefinesAgain,
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
    WorkBeforeLaunch,
    OutputTooLong,
    WorkInTwoEvents,
    CaptureUnreadable,
};

enum class ProblemSeverity : std::uint8_t {
    Info, ///< it is shown otherwise than it is recorded, or without a name
    DataLoss, ///< single events are left out
    Error, ///< a table or the rest of the file is
};
std::string_view keyOf(ProblemSeverity severity); ///< "info", "data_loss", "error"

/// A stranger's file names its tables: it may have a million, or a name of a megabyte. Lists have so many
/// tables, with names of so many letters.
inline constexpr std::size_t mostTables = 200;
inline constexpr std::size_t mostTableLetters = 200;
/// The table that stands for those beyond.
inline constexpr std::string_view otherTables = "other tables";

/// A skipped or repaired problem, with its count.
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
/// A sentence on what happened to all of them.
Message messageOf(const Problem& problem);

} // namespace warpline
