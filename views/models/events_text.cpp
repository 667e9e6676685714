#include "views/models/events_text.h"

#include "core/base/utf8.h"
#include "core/query/event_text.h"
#include "core/render/render.h"
#include "core/store/place_names.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"
#include "views/models/written_files.h"

#include <algorithm>
#include <string>

namespace warpline {

namespace {

QByteArray field(std::string text, char separator)
{
    if (separator == '\t')
        return QByteArray::fromStdString(onOneLine(text));
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return QByteArray::fromStdString(text);
    return '"' + QByteArray::fromStdString(text).replace("\"", "\"\"") + '"';
}

} // namespace

QByteArray eventTitles(char separator, bool ofReports)
{
    return QByteArray(ofReports ? "Report," : "")
        .append("Name,Start (ns),Duration (ns),Where,Process,Stream,Bytes,Kind,Category,Payload\n")
        .replace(',', separator);
}

QByteArray eventLine(const EventsPart& part, EventRef event, char separator)
{
    const Trace& trace = *part.trace;
    const EventTable& table = trace.table(event.kind);
    const Track& track = table.trackOf(event.index);
    QByteArray line = field(toUtf8(trace.name(event)), separator);
    const auto add = [&](const QByteArray& cell) { line += separator + cell; };
    add(QByteArray::number(static_cast<qlonglong>(part.clock.toWorkspace(table.start[event.index]))));
    add(QByteArray::number(static_cast<qlonglong>(table.duration[event.index])));
    add(field(plain(placeOf(trace, trace.trackOf(event))), separator));
    add(track.owner ? field(plain(processLabel(trace, track.owner)), separator) : QByteArray());
    add(track.stream >= 0 ? QByteArray::number(track.stream) : QByteArray());
    add(table.bytes.empty() ? QByteArray()
                            : QByteArray::number(static_cast<qulonglong>(table.bytes[event.index])));
    add(field(plain(titleOf(trace, event)), separator));
    const EventRef said = event.kind == EventKind::NvtxProjected ? madeFrom(trace, event) : event;
    const NvtxAttributes* const nvtx
        = said.kind == EventKind::Nvtx ? &trace.nvtx().attributesOf(said.index) : nullptr;
    add(nvtx ? field(categoryText(trace, *nvtx), separator) : QByteArray());
    add(nvtx ? field(toUtf8(trace.text(nvtx->payload)), separator) : QByteArray());
    return line + '\n';
}

QByteArray eventLine(const EventsPart& part, EventRef event, const std::string& label, char separator)
{
    return field(toUtf8(label), separator) + separator + eventLine(part, event, separator);
}

namespace {

/// Writes `lineAt(row)` for each of `rows` rows below `titles`.
template <typename LineAt>
Result<void> writeLines(const QString& path, const QByteArray& titles, std::size_t rows, LineAt lineAt,
    const std::stop_token& stop)
{
    return saveText(path, stop, [&](const TextSink& sink) {
        const auto put = [&](const QByteArray& line) {
            return sink({line.constData(), static_cast<std::size_t>(line.size())});
        };
        bool goesOn = put(titles);
        for (std::size_t row = 0; goesOn && row < rows; ++row)
            goesOn = put(lineAt(row));
        return goesOn;
    });
}

} // namespace

Result<void> writeEventsCsv(const EventsPart& part, const QString& path, const std::stop_token& stop)
{
    const auto events = part.list->events();
    return writeLines(
        path, eventTitles(','), events.size(),
        [&](std::size_t row) { return eventLine(part, events[row], ','); }, stop);
}

Result<void> writeEventsCsv(const EventsOfReports& events, const std::vector<std::string>& labels,
    const QString& path, const std::stop_token& stop)
{
    return writeLines(
        path, eventTitles(',', true), events.size(),
        [&](std::size_t row) {
            const EventId event = events[row];
            const auto part = std::ranges::find(events.parts(), event.report, &EventsPart::report);
            return eventLine(*part, event.event, labels[raw(event.report)], ',');
        },
        stop);
}

} // namespace warpline
