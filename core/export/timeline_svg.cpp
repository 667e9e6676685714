// A range of the timeline as SVG: a ruler, then a label and a strip per row. Level of detail and busy shares
// come from the window's functions.

#include "core/export/timeline_svg.h"

#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/base/utf8.h"
#include "core/export/html_text.h"
#include "core/export/wrapped_text.h"
#include "core/query/event_text.h"
#include "core/query/lod.h"
#include "core/query/range_stats.h"
#include "core/render/render.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double rowLabelWidth = 220;
constexpr double rulerHeight = 22;
constexpr double laneHeight = 16;
constexpr double rowGap = 3;
constexpr double characterWidth = 6.2; // of the page's small font, roughly
constexpr std::uint32_t maxLanes = 4;
constexpr double minNamedWidth = 28; // pixels: narrower slices have no name

/// The class that colours an event.
std::string_view classOf(EventTint tint)
{
    switch (tint) {
    case EventTint::Kernel:
    case EventTint::Graph:
        return "k";
    case EventTint::Collective:
        return "c";
    case EventTint::CopyHtoD:
        return "m";
    case EventTint::CopyDtoH:
        return "d";
    case EventTint::CopyDtoD:
    case EventTint::CopyPtoP:
    case EventTint::CopyOther:
    case EventTint::Memory:
        return "v";
    case EventTint::Memset:
    case EventTint::Synchronization:
        return "s";
    case EventTint::ApiLaunch:
    case EventTint::ApiCopy:
    case EventTint::ApiSync:
    case EventTint::ApiMemory:
    case EventTint::ApiOther:
        return "a";
    case EventTint::Nvtx:
        return "n";
    case EventTint::OsRuntime:
    case EventTint::Waiting:
        return "o";
    case EventTint::Library:
        return "l";
    default:
        return "x";
    }
}

std::string_view classOf(Tint tint)
{
    switch (tint) {
    case Tint::Kernel:
    case Tint::Graph:
        return "k";
    case Tint::Memory:
        return "m";
    case Tint::Api:
        return "a";
    case Tint::Nvtx:
        return "n";
    case Tint::OsRuntime:
        return "o";
    case Tint::Library:
        return "l";
    default:
        return "x";
    }
}

/// As much of `text` as fits into `width` pixels.
std::string fitted(const std::string& text, double width)
{
    const auto most = static_cast<std::size_t>(std::max(0.0, width / characterWidth));
    if (columnsOf(text) <= most)
        return text;
    std::string_view rest = text;
    for (std::size_t used = 1; !rest.empty(); rest.remove_prefix(firstLetterOf(rest).bytes.size())) {
        used += firstLetterOf(rest).columns;
        if (used > most)
            break;
    }
    const std::size_t end = text.size() - rest.size();
    return end == 0 ? std::string() : text.substr(0, end) + "\u2026";
}

class TimelineDrawing {
public:
    explicit TimelineDrawing(const TimelinePicture& picture)
        : m_picture(picture),
          m_pixels(static_cast<int>(picture.width))
    {
    }

    std::string drawn()
    {
        m_y = rulerHeight;
        for (const RowId row : m_picture.shown)
            drawRow(m_picture.rows.row(row));
        const double height = m_y + 4;
        const std::string title = plain(Message("report.timeline", "The timeline from {start} to {end}",
            {{"start", Name{formatInstant(m_picture.range.start)}},
                {"end", Name{formatInstant(m_picture.range.end)}}}));
        std::string svg = svgHead(rowLabelWidth + m_picture.width, height, title, "timeline");
        svg += ruler(height) + m_body + marks(height);
        return svg + "</svg>\n";
    }

private:
    double xOf(Ns time) const
    {
        return rowLabelWidth
            + static_cast<double>(time - m_picture.range.start)
            / static_cast<double>(std::max<Ns>(1, m_picture.range.duration())) * m_picture.width;
    }

    /// Multiples of 1, 2 or 5 times a power of ten.
    std::string ruler(double height) const
    {
        constexpr double minPixels = 130;
        const double least = static_cast<double>(m_picture.range.duration()) / m_picture.width * minPixels;
        Ns step = 1;
        for (int turn = 0; static_cast<double>(step) < least; ++turn)
            step = turn % 3 == 1 ? step / 2 * 5 : step * 2; // 1, 2, 5, 10
        std::string svg;
        Ns first = m_picture.range.start / step * step;
        first += first < m_picture.range.start ? step : 0;
        for (Ns tick = first; tick < m_picture.range.end; tick += step)
            svg += fmt::format(
                       "<path class=\"g\" d=\"M{0:.1f} {1}V{2:.0f}\"/>", xOf(tick), rulerHeight - 4, height)
                + svgText(xOf(tick) + 3, rulerHeight - 8, "start", formatInstant(tick, step));
        return svg + "\n";
    }

    std::string marks(double height) const
    {
        std::string svg;
        for (const Mark& mark : m_picture.marks) {
            if (!m_picture.range.touches(mark.range.start, mark.range.end))
                continue;
            const TimeRange inside = mark.range.clippedTo(m_picture.range);
            const double x = xOf(inside.start);
            const double width = mark.isMoment() ? 1 : std::max(1.0, xOf(inside.end) - x);
            svg += fmt::format(
                "<rect class=\"mark {}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{:.0f}\"><title>{}</title></rect>",
                markColorOf(mark.color).id, x, rulerHeight, width, height - rulerHeight,
                render(titleOf(mark), Markup::Html));
        }
        return svg;
    }

    void drawRow(const Row& row)
    {
        const bool nested = row.drawing == Drawing::Slices && row.tracks.size() == 1;
        const double top = m_y;
        m_body += fmt::format("<g class=\"{}\">", classOf(row.tint));
        if (nested) {
            const EventTable& table = m_picture.trace.table(row.tracks.front().kind);
            const auto lanes = table.lanesOf(table.tracks[row.tracks.front().track]);
            const std::size_t drawn = std::min<std::size_t>(lanes.size(), maxLanes);
            for (std::size_t i = 0; i < drawn; ++i) {
                drawLane(row.tracks.front().kind, table, lanes[i]);
                m_y += laneHeight;
            }
            m_y += drawn == 0 ? laneHeight : 0;
        } else if (row.counter != noIndex) {
            drawCounter(m_picture.trace.counters[row.counter]);
            m_y += 2 * laneHeight;
        } else {
            drawShares(row);
            m_y += laneHeight;
        }
        m_y += rowGap;
        const std::string label = labelOf(row);
        m_body += fmt::format(
            "</g><g class=\"label\">{}<title>{}</title></g><path class=\"g\" d=\"M0 {:.1f}H{:.0f}\"/>\n",
            svgText(rowLabelWidth - 8, top + laneHeight - 4, "end", fitted(label, rowLabelWidth - 8)),
            htmlText(label), m_y - 1, rowLabelWidth + m_picture.width);
    }

    /// Rows of a thread get the thread's name as prefix, because many rows are named "CUDA API".
    std::string labelOf(const Row& row) const
    {
        const Row& parent = m_picture.rows.row(row.parent);
        const bool isOfThread = row.tint == Tint::Api || row.tint == Tint::OsRuntime
            || row.tint == Tint::Library || row.tint == Tint::Nvtx;
        const std::string label = plain(row.label);
        return isOfThread && row.parent != RowTree::root ? plain(parent.label) + ": " + label : label;
    }

    void rect(
        double x, double y, double width, double height, std::string_view kind, const std::string& title)
    {
        m_body += fmt::format("<rect{}{}{} x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"",
            kind.empty() ? "" : " class=\"", kind, kind.empty() ? "" : "\"", x, y, width, height);
        m_body += title.empty() ? std::string("/>") : "><title>" + htmlText(title) + "</title></rect>";
    }

    void drawLane(EventKind kind, const EventTable& table, const Lane& lane)
    {
        constexpr double minPointedWidth = 3;
        levelOfDetail(table, lane, m_picture.range, m_pixels, m_slices);
        for (const LodSlice& slice : m_slices) {
            const double left = rowLabelWidth + std::max(0.0F, slice.x0);
            const double right = rowLabelWidth + std::min<double>(m_picture.width, slice.x1);
            if (right <= left)
                continue;
            const EventIndex event = slice.longest == noIndex ? slice.first : slice.longest;
            const std::string_view tint = classOf(tintOf(m_picture.trace, {kind, event}));
            const bool isOne = slice.count == 1 && slice.share >= 1;
            const double height = isOne ? laneHeight - 2 : std::max(1.0, (laneHeight - 2) * slice.share);
            const std::string name = toUtf8(m_picture.trace.displayName({kind, event}));
            rect(left, m_y + laneHeight - 1 - height,
                std::max(0.4, right - left - (right - left > 3 ? 0.5 : 0)), height, tint,
                isOne && right - left >= minPointedWidth
                    ? name + ", " + formatDuration(table.range(event).duration())
                    : std::string());
            if (isOne && right - left >= minNamedWidth)
                m_body += svgText(
                    left + 3, m_y + laneHeight - 4, "start", fitted(name, right - left - 6), "name");
        }
    }

    /// One bar a run of pixels that are alike.
    void drawShares(const Row& row)
    {
        constexpr float levels = 12;
        rowBusyShare(m_picture.trace, row, m_picture.range, m_pixels, m_shares);
        const auto levelAt = [&](std::size_t i) {
            return m_shares[i] <= 0 ? 0.0F : std::max(1.0F, std::round(m_shares[i] * levels));
        };
        for (std::size_t from = 0; from < m_shares.size();) {
            std::size_t to = from + 1;
            while (to < m_shares.size() && levelAt(to) == levelAt(from))
                ++to;
            const double height = (laneHeight - 2) * static_cast<double>(levelAt(from) / levels);
            if (height > 0)
                rect(rowLabelWidth + static_cast<double>(from), m_y + laneHeight - 1 - height,
                    static_cast<double>(to - from), height, {}, {});
            from = to;
        }
    }

    void drawCounter(const CounterSeries& series)
    {
        std::vector<CounterColumn> columns;
        counterColumns(series, m_picture.range, m_pixels, columns);
        float most = 0;
        for (const CounterColumn& column : columns)
            most = column.valid ? std::max(most, column.high) : most;
        if (most <= 0)
            return;
        std::string path;
        const double height = 2 * laneHeight - 2;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (columns[i].valid)
                path += fmt::format("{}{} {:.1f}", path.empty() ? "M" : "L",
                    rowLabelWidth + static_cast<double>(i),
                    m_y + height - static_cast<double>(columns[i].high / most) * (height - 2));
        }
        m_body += "<path class=\"curve\" d=\"" + path + "\"/>";
    }

    const TimelinePicture& m_picture;
    int m_pixels;
    double m_y = 0;
    std::string m_body;
    std::vector<LodSlice> m_slices;
    std::vector<float> m_shares;
};

} // namespace

std::vector<RowId> rowsWorthSeeing(const Trace& trace, const RowTree& rows, TimeRange range, std::size_t most)
{
    std::vector<std::pair<Ns, RowId>> busy;
    const auto visit = [&](const auto& self, RowId parent) -> void {
        for (const RowId id : rows.children(parent)) {
            const Row& row = rows.row(id);
            if (row.drawing == Drawing::Slices || row.drawing == Drawing::Summary) {
                if (const Ns time = busyOf(trace, row, range); time > 0)
                    busy.emplace_back(time, id);
            }
            if (row.expanded)
                self(self, id);
        }
    };
    visit(visit, RowTree::root);
    std::vector<std::pair<Ns, RowId>> chosen = busy;
    if (chosen.size() > most) {
        std::ranges::stable_sort(chosen, std::greater{}, &std::pair<Ns, RowId>::first);
        chosen.resize(most);
    }
    std::vector<RowId> shown;
    for (const auto& [time, id] : busy) {
        if (std::ranges::find(chosen, id, &std::pair<Ns, RowId>::second) != chosen.end())
            shown.push_back(id);
    }
    return shown;
}

std::string timelineSvg(const TimelinePicture& picture)
{
    return TimelineDrawing(picture).drawn();
}

std::string_view timelineStyle()
{
    // The colours of the window's themes.
    return R"(
:root { --k: #2f74c0; --c: #a3287a; --m: #2a9d62; --d: #2aa9c9; --v: #8a5cc2; --s: #d98324; --a: #4f83b8;
  --n: #7d9a57; --o: #a08f87; --l: #5f7fae; --x: #8b95a1; --grid: #dfe3e8; --on: #fff;
  --orange: #d98200; --red: #b8321f; --green: #2e8540; --blue: #1f5fa8; --purple: #8a3fa0; --grey: #6b6b6b; }
@media (prefers-color-scheme: dark) {
  :root { --k: #4a90d9; --c: #e07cc4; --m: #3fbf7f; --d: #5fd0ea; --v: #a67fe0; --s: #f0a04b; --a: #6fa3d8;
    --n: #86a35f; --o: #8d7f78; --l: #86a6d4; --x: #98a3b0; --grid: #31363d; --on: #101214;
    --orange: #f0a830; --red: #f0705a; --green: #5cc27a; --blue: #6aa9f0; --purple: #c98ae0; --grey: #a8a8a8; }
}
svg.timeline { font-size: 11px; }
svg.timeline .k { fill: var(--k); } svg.timeline .c { fill: var(--c); } svg.timeline .m { fill: var(--m); }
svg.timeline .d { fill: var(--d); } svg.timeline .v { fill: var(--v); } svg.timeline .s { fill: var(--s); }
svg.timeline .a { fill: var(--a); } svg.timeline .n { fill: var(--n); } svg.timeline .o { fill: var(--o); }
svg.timeline .l { fill: var(--l); } svg.timeline .x { fill: var(--x); }
svg.timeline .label { fill: currentColor; } svg.timeline .name { fill: var(--on); pointer-events: none; }
svg.timeline .g { stroke: var(--grid); fill: none; } svg.timeline .curve { stroke: var(--x); fill: none; }
svg.timeline .mark { fill-opacity: .16; stroke-width: 1; }
svg.timeline .mark.orange { fill: var(--orange); stroke: var(--orange); }
svg.timeline .mark.red { fill: var(--red); stroke: var(--red); }
svg.timeline .mark.green { fill: var(--green); stroke: var(--green); }
svg.timeline .mark.blue { fill: var(--blue); stroke: var(--blue); }
svg.timeline .mark.purple { fill: var(--purple); stroke: var(--purple); }
svg.timeline .mark.grey { fill: var(--grey); stroke: var(--grey); }
)";
}

} // namespace warpline
