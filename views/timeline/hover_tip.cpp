#include "views/timeline/hover_tip.h"

#include "core/base/format.h"
#include "core/query/range_stats.h"
#include "core/query/row_walk.h"
#include "core/render/render.h"
#include "core/store/gpu_names.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QScreen>
#include <QToolTip>

#include <algorithm>

namespace warpline {

namespace {

constexpr int clearance = 8; ///< pixels between the tooltip and its subject
constexpr int beside = 16; ///< right of the mouse

QString hoverText(const char* text)
{
    return QCoreApplication::translate("Hover", text);
}

/// The common name of the events of `place`.
QString pluralOf(const DensePlace& place)
{
    if (!place.kind)
        return hoverText("%1 events");
    switch (*place.kind) {
    case EventKind::Kernel:
        return hoverText("%1 kernels");
    case EventKind::Memcpy:
        return hoverText("%1 copies");
    case EventKind::Memset:
        return hoverText("%1 sets");
    case EventKind::ApiCall:
    case EventKind::OsRuntime:
    case EventKind::Library:
        return hoverText("%1 calls");
    case EventKind::Nvtx:
    case EventKind::NvtxProjected:
        return "%1 " + plainTextOf(place.ranges);
    case EventKind::Sample:
        return hoverText("%1 samples");
    default:
        return hoverText("%1 events");
    }
}

/// Names are counted over the report: its kernels may run on several GPUs.
bool usesSeveralGpus(const Trace& trace)
{
    const std::vector<Track>& tracks = trace.kernels().tracks;
    return std::ranges::any_of(tracks, [&](const Track& track) {
        return machineGpu(trace, track.owner, track.device)
            != machineGpu(trace, tracks.front().owner, tracks.front().device);
    });
}

/// "38% of kernel time".
QString ofKernelTime(const Trace& trace, const QString& share)
{
    return (
        usesSeveralGpus(trace) ? hoverText("%1 of kernel time on all GPUs") : hoverText("%1 of kernel time"))
        .arg(share);
}

} // namespace

QString peersText(const Session& session, const NameBooks& books, EventId event)
{
    const NameSummary* const of = books.summaryOf(event);
    if (!of || of->count < 2)
        return {};
    QString told = hoverText("%1 \u00d7").arg(numberText(of->count));
    if (isGpuWork(event.event.kind)) {
        const QString share = shareText(of->share);
        told += ", ";
        told += event.event.kind == EventKind::Kernel ? ofKernelTime(session.trace(event.report), share)
            : event.event.kind == EventKind::Memcpy   ? hoverText("%1 of copy time").arg(share)
                                                      : hoverText("%1 of its kind").arg(share);
    }
    const Ns duration = session.trace(event.report).range(event.event).duration();
    if (of->median > 0 && duration > 0) {
        const double times = static_cast<double>(duration) / static_cast<double>(of->median);
        // A median close to the event's duration must not look different in the tooltip.
        const QString median = durationText(of->median);
        if (times >= 0.95 && times < 1.05)
            told += durationText(duration) == median ? hoverText("; equals the median")
                                                     : hoverText("; near the median (%1)").arg(median);
        else
            told += hoverText("; %1 times the median (%2)")
                        .arg(textOf(formatNumber(times,
                                 times < 0.1       ? 2
                                     : times < 100 ? 1
                                                   : 0)),
                            median);
    }
    return told;
}

QString idleTip(const Session& session, const IdleBooks& books, const Row& row, Ns time)
{
    const OpenReport& report = session.workspace().report(row.report);
    const Ns own = report.clock.toReport(time);
    const BudgetPart* const part = books.at(row, own);
    if (!part)
        return {};
    const Trace& trace = *report.trace;
    const EventRef before = nearestOutside(trace, row, {own, own + 1}, false);
    const EventRef after = nearestOutside(trace, row, {own, own + 1}, true);
    QString told;
    if (before.valid() && after.valid() && busyOf(trace, row, {own, own + 1}) == 0)
        told = "<div><b>"
            + hoverText("GPU idle for %1")
                  .arg(durationText(trace.range(after).start - trace.range(before).end))
                  .toHtmlEscaped()
            + "</b></div>";
    const std::string phrase = plain(phraseOf(part->cause, books.find(row.report)->api()));
    const QString idle = part->range.empty()
        ? hoverText("Idle: %1").arg(textOf(phrase))
        : hoverText("Idle: %1 in %2").arg(textOf(phrase), textOf(part->range));
    return told + "<div>" + idle.toHtmlEscaped() + "</div>";
}

QString denseText(const DensePlace& place)
{
    QStringList told{
        pluralOf(place).arg(numberText(place.count)), hoverText("%1 busy").arg(shareText(place.busy))};
    if (place.longest > 0)
        told << hoverText("longest %1").arg(durationText(place.longest));
    return told.join(QCoreApplication::translate("Lists", ", "));
}

DensePlace densePlace(const Trace& trace, const Row& row, std::size_t depth, TimeRange place)
{
    constexpr EventIndex maxScanned = 20'000;
    DensePlace found;
    found.ranges = rangesTextOf(trace);
    bool isFirst = true;
    bool isWhole = true;
    Ns covered = 0;
    for (const TrackRef& ref : row.tracks) {
        const EventTable& table = trace.table(ref.kind);
        const auto lanes = table.lanesOf(table.tracks[ref.track]);
        for (std::size_t l = 0; l < lanes.size(); ++l) {
            const auto [first, last] = table.touching(lanes[l], place);
            if ((depth != allLanes && l != depth) || first == last)
                continue;
            found.kind = isFirst || found.kind == ref.kind ? std::optional(ref.kind) : std::nullopt;
            isFirst = false;
            found.count += last - first;
            covered += table.busy(lanes[l], place);
            isWhole = isWhole && found.count <= maxScanned;
            for (EventIndex i = first; i < last && isWhole; ++i)
                found.longest = std::max(found.longest, table.duration[i]);
        }
    }
    if (depth == allLanes) // streams overlap
        covered = busyOf(trace, row, place);
    found.busy = static_cast<double>(covered) / static_cast<double>(std::max<Ns>(1, place.duration()));
    found.longest = isWhole ? found.longest : 0;
    return found;
}

HoverTip::HoverTip(QWidget* parent)
    : QLabel(parent, Qt::ToolTip)
{
    setObjectName("hover-tip");
    setForegroundRole(QPalette::ToolTipText);
    setBackgroundRole(QPalette::ToolTipBase);
    setPalette(QToolTip::palette());
    setFont(QToolTip::font());
    setTextFormat(Qt::RichText);
    setFrameShape(QFrame::Box);
    setMargin(3);
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

QRect HoverTip::placeFor(QSize size, QPoint point, const QRect& subject, const QRect& available)
{
    QRect place(QPoint(point.x() + beside, subject.bottom() + clearance), size);
    if (place.bottom() > available.bottom())
        place.moveBottom(subject.top() - clearance);
    if (place.top() < available.top()) {
        // Neither above nor below fits: next to the mouse.
        place.moveTop(
            std::max(available.top(), std::min(point.y() + beside, available.bottom() - size.height())));
    }
    if (place.right() > available.right())
        place.moveRight(
            std::max(available.left() + size.width(), std::min(available.right(), point.x() - beside)));
    return place;
}

void HoverTip::tell(const QString& html, QPoint point, const QRect& subject)
{
    setPalette(QToolTip::palette());
    setText(html);
    const QScreen* const at = QGuiApplication::screenAt(point);
    const QRect available = at ? at->availableGeometry() : QRect(0, 0, 4096, 4096);
    const QSize size = sizeHint();
    setGeometry(placeFor(size, point, subject, available));
    show();
}

} // namespace warpline
