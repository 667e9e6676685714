#include "core/base/utf8.h"
#include "core/export/event_export.h"
#include "core/export/event_tracks.h"
#include "core/export/text_pieces.h"

#include <fmt/format.h>

namespace warpline {

namespace {

template <typename Number> std::string orEmpty(bool has, Number number)
{
    return has ? std::to_string(number) : std::string();
}

void appendLine(std::string& out, const Trace& trace, EventRef event, const Track& track)
{
    const EventTable& table = trace.table(event.kind);
    const EventIndex i = event.index;
    const std::uint32_t correlation = table.correlation.empty() ? 0 : table.correlation[i];
    out += keyOf(event.kind);
    out += ',';
    appendQuoted(out, toUtf8(trace.text(table.name[i])));
    out += fmt::format(",{},{},{},{},{},{},{},{}\n", table.start[i], table.duration[i],
        orEmpty(track.owner != 0, pidOf(track.owner)), orEmpty(tidOf(track.owner) != 0, tidOf(track.owner)),
        orEmpty(track.device >= 0, track.device), orEmpty(track.stream >= 0, track.stream),
        orEmpty(correlation != 0, correlation),
        table.bytes.empty() ? std::string() : std::to_string(table.bytes[i]));
}

} // namespace

bool writeEventsCsv(const Trace& trace, const EventExport& asked, const TextSink& sink)
{
    TextPieces out(sink);
    out.text = "kind,name,start_ns,duration_ns,pid,tid,device,stream,correlation,bytes\n";
    for (const EventKind kind : kindsOf(asked)) {
        const EventTable& table = trace.table(kind);
        for (std::uint32_t t = 0; t < table.tracks.size(); ++t) {
            const auto write = [&](EventIndex i) {
                appendLine(out.text, trace, {kind, i}, table.tracks[t]);
                return out.goOn();
            };
            if (!visitTrack(trace, {kind, t}, asked, write))
                return false;
        }
    }
    return out.flush();
}

} // namespace warpline
