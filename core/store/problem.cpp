#include "core/store/problem.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view keyPrefix = "problem.";

struct ProblemText {
    Literal key;
    ProblemSeverity severity;
    Literal english;
};

// In the order of ProblemKind.
constexpr std::array texts = std::to_array<ProblemText>({
    {"problem.payload_unreadable", ProblemSeverity::Info,
        "Binary payloads could not be read with the layouts in the report."},
    {"problem.correlation_id_shared", ProblemSeverity::Info,
        "API calls have the correlation id of an earlier call: GPU work of all of them is linked to that one."},
    {"problem.correlation_id_too_wide", ProblemSeverity::Info,
        "Correlation ids beyond 32 bits were ignored: these events have no link."},
    {"problem.counter_without_number", ProblemSeverity::DataLoss, "Counters without a number were left out."},
    {"problem.event_record_not_placed", ProblemSeverity::DataLoss,
        "Event records have neither a time nor an API call, and are not drawn."},
    {"problem.events_too_many", ProblemSeverity::DataLoss,
        "Events beyond what Warpline can number were left out."},
    {"problem.event_kind_not_shown", ProblemSeverity::Info,
        "Events of kinds that Warpline does not show (asynchronous, objects) were left out."},
    {"problem.event_ends_before_start", ProblemSeverity::Info,
        "Events that end before they start are shown as marks at their start."},
    {"problem.event_too_long", ProblemSeverity::Info,
        "Events that last longer than a week are shown as marks."},
    {"problem.bytes_too_many", ProblemSeverity::Info,
        "Events whose sizes add up to an exabyte are shown without a size."},
    {"problem.durations_too_long", ProblemSeverity::Info,
        "Events whose durations add up to years are shown as marks."},
    {"problem.event_time_impossible", ProblemSeverity::DataLoss,
        "Events with impossible times (200 days from the others) were left out."},
    {"problem.event_without_duration", ProblemSeverity::Info,
        "Events without a duration are shown as marks."},
    {"problem.event_without_time", ProblemSeverity::DataLoss, "Events without a time were left out."},
    {"problem.frame_missing", ProblemSeverity::Info,
        "Frames of Python samples refer to functions or files that the report lacks."},
    {"problem.event_malformed", ProblemSeverity::DataLoss, "Malformed JSON events were left out."},
    {"problem.gpu_metric_names_unreadable", ProblemSeverity::Error,
        "Names of GPU metrics could not be read."},
    {"problem.file_names_unreadable", ProblemSeverity::Error, "Names of accessed files could not be read."},
    {"problem.network_adapter_names_unreadable", ProblemSeverity::Error,
        "Names of network adapters could not be read."},
    {"problem.network_device_names_unreadable", ProblemSeverity::Error,
        "Names of network devices could not be read."},
    {"problem.network_metric_names_unreadable", ProblemSeverity::Error,
        "Names of network metrics could not be read."},
    {"problem.payload_names_unreadable", ProblemSeverity::Error,
        "Names of values of binary payloads could not be read."},
    {"problem.name_missing", ProblemSeverity::Info, "Names refer to strings that the report lacks."},
    {"problem.packet_without_end", ProblemSeverity::DataLoss,
        "Packets that did not end in the recording were left out."},
    {"problem.payloads_unreadable", ProblemSeverity::Error, "Payloads could not be read in full."},
    {"problem.range_end_without_start", ProblemSeverity::DataLoss,
        "Range ends without a start were left out."},
    {"problem.range_open_in_session", ProblemSeverity::Info,
        "Ranges without an end are shown to the end of the session."},
    {"problem.range_open_in_thread", ProblemSeverity::Info,
        "Ranges without an end are shown to the last event of their thread."},
    {"problem.row_defines_again", ProblemSeverity::Info,
        "Rows give another value to a name, a GPU or a start that has one: the last one counts."},
    {"problem.row_ends_before_start", ProblemSeverity::Info,
        "Rows that end before they start are shown as marks at their start."},
    {"problem.row_time_impossible", ProblemSeverity::DataLoss,
        "Rows with impossible times (beyond 417 days) were left out."},
    {"problem.row_without_start", ProblemSeverity::DataLoss, "Rows without a start time were left out."},
    {"problem.row_without_end", ProblemSeverity::Info, "Rows without an end time are shown as marks."},
    {"problem.packed_file_incomplete", ProblemSeverity::Error,
        "The compressed file is incomplete or damaged: later events are missing."},
    {"problem.file_incomplete", ProblemSeverity::Error, "The file is incomplete: later events are missing."},
    {"problem.payload_layout_unreadable", ProblemSeverity::Error,
        "The layout of binary payloads could not be read."},
    {"problem.part_unreadable", ProblemSeverity::Error,
        "The origin of this part of a report could not be read."},
    {"problem.session_start_unreadable", ProblemSeverity::Error,
        "The start of the session could not be read."},
    {"problem.table_unreadable", ProblemSeverity::Error, "The table could not be read in full."},
    {"problem.strings_missing", ProblemSeverity::Error,
        "The table is missing: names of kernels, API calls and functions cannot be shown."},
    {"problem.event_unreadable", ProblemSeverity::DataLoss, "Unreadable events were left out."},
    {"problem.work_before_launch", ProblemSeverity::Info,
        "GPU work begins before the API call that launched it: times between the two cannot be trusted."},
    {"problem.output_too_long", ProblemSeverity::DataLoss,
        "Output of the program was left out: it is too long."},
    {"problem.work_in_two_events", ProblemSeverity::DataLoss,
        "GPU work and calls in two events each (phases B and E) are shown as ranges of the host."},
    {"problem.capture_unreadable", ProblemSeverity::Error, "{reason}"},
});
static_assert(texts.size() == static_cast<std::size_t>(ProblemKind::CaptureUnreadable) + 1);

const ProblemText& textOf(ProblemKind kind)
{
    return texts[std::min(static_cast<std::size_t>(kind), texts.size() - 1)]; // a cache may hold any number
}

} // namespace

std::string_view keyOf(ProblemSeverity severity)
{
    static constexpr std::array<std::string_view, 3> keys{"info", "data_loss", "error"};
    return keys[static_cast<std::size_t>(severity)];
}

std::string_view keyOf(ProblemKind kind)
{
    return textOf(kind).key.text().substr(keyPrefix.size());
}

ProblemSeverity severityOf(ProblemKind kind)
{
    return textOf(kind).severity;
}

Message messageOf(const Problem& problem)
{
    const ProblemText& text = textOf(problem.kind);
    return {text.key, text.english, {{"reason", problem.reason}}};
}

} // namespace warpline
