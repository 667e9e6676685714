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

QByteArray eventTitles(const EventsOfReports& events, char separator)
{
    return QByteArray(events.parts().size() > 1 ? "Report," : "")
        .append("Name,Start (ns),Duration (ns),Where,Process,Stream,Bytes,Kind,Category,Payload\n")
        .replace(',', separator);
}

QByteArray eventLine(
    const EventsOfReports& events, const std::vector<std::string>& labels, std::size_t row, char separator)
{
    const auto [report, event] = events[row];
    const EventsPart& part = *std::ranges::find(events.parts(), report, &EventsPart::report);
    const Trace& trace = *part.trace;
    const EventTable& table = trace.table(event.kind);
    const Track& track = table.trackOf(event.index);
    QByteArray line = events.parts().size() > 1 ? field(toUtf8(labels[raw(report)]), separator) + separator
                                                : QByteArray();
    line += field(toUtf8(trace.name(event)), separator);
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

Result<void> writeEventsCsv(const EventsOfReports& events, const std::vector<std::string>& labels,
    const QString& path, const std::stop_token& stop)
{
    return saveText(path, stop, [&](const TextSink& sink) {
        const auto put = [&](const QByteArray& line) {
            return sink({line.constData(), static_cast<std::size_t>(line.size())});
        };
        bool goesOn = put(eventTitles(events, ','));
        for (std::size_t row = 0; goesOn && row < events.size(); ++row)
            goesOn = put(eventLine(events, labels, row, ','));
        return goesOn;
    });
}

} // namespace warpline
