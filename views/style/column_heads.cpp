#include "views/style/column_heads.h"

#include "core/render/language.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QHash>

#include <utility>

namespace warpline {

namespace {

struct Head {
    const char* title; ///< without its unit
    const char* means;
};

/// Tables of nsys keep nsys' titles, which its users know.
constexpr Head heads[]{
    {"Name", QT_TRANSLATE_NOOP("Column", "Name of the event in the report")},
    {"Kind", QT_TRANSLATE_NOOP("Column", "Kind of event: kernel, copy, API call, NVTX range")},
    {"FLOPs",
        QT_TRANSLATE_NOOP("Column",
            "FLOPs of the operator that launched the kernel, in proportion to the kernel's share of the operator's time. Masked elements are not counted.")},
    {"TFLOP/s", QT_TRANSLATE_NOOP("Column", "The operator's FLOPs divided by its GPU time")},
    {"TB/s", QT_TRANSLATE_NOOP("Column", "The operator's compulsory traffic divided by its GPU time")},
    {"Roofline",
        QT_TRANSLATE_NOOP("Column",
            "Time at the GPU's limits, as a share of the actual time. Above 100%, data comes from a cache.")},
    {"Bound", QT_TRANSLATE_NOOP("Column", "Nearest limit: compute, memory or launch")},
    {"Count", QT_TRANSLATE_NOOP("Column", "Number of events")},
    {"Events", QT_TRANSLATE_NOOP("Column", "Number of events")},
    {"Instances", QT_TRANSLATE_NOOP("Column", "Number of events")},
    {"Kern Inst", QT_TRANSLATE_NOOP("Column", "Number of kernels")},
    {"NVTX Inst", QT_TRANSLATE_NOOP("Column", "Number of NVTX ranges")},
    {"Range Instances", QT_TRANSLATE_NOOP("Column", "Number of NVTX ranges")},
    {"Num Calls", QT_TRANSLATE_NOOP("Column", "Number of calls")},
    {"Calls", QT_TRANSLATE_NOOP("Column", "Number of calls")},
    {"In range",
        QT_TRANSLATE_NOOP("Column",
            "Time inside the range. Mean, median, minimum, maximum and bytes are of whole events. Events that overlap count more than once.")},
    {"Total",
        QT_TRANSLATE_NOOP("Column", "Sum over whole events. Events that overlap count more than once.")},
    {"Total Time",
        QT_TRANSLATE_NOOP("Column", "Sum over whole events. Events that overlap count more than once.")},
    {"Time", QT_TRANSLATE_NOOP("Column", "Share of the total time of all rows")},
    {"Share", QT_TRANSLATE_NOOP("Column", "Share of the whole")},
    {"Mean",
        QT_TRANSLATE_NOOP("Column", "Mean. Events that the range cuts count with their whole duration.")},
    {"Avg", QT_TRANSLATE_NOOP("Column", "Mean: total divided by count")},
    {"Median", QT_TRANSLATE_NOOP("Column", "Median: half are shorter, half are longer")},
    {"Med", QT_TRANSLATE_NOOP("Column", "Median: half are shorter, half are longer")},
    {"Min", QT_TRANSLATE_NOOP("Column", "Minimum")},
    {"Minimum", QT_TRANSLATE_NOOP("Column", "Minimum")},
    {"Max", QT_TRANSLATE_NOOP("Column", "Maximum")},
    {"Maximum", QT_TRANSLATE_NOOP("Column", "Maximum")},
    {"StdDev", QT_TRANSLATE_NOOP("Column", "Standard deviation: typical distance from the mean")},
    {"P90", QT_TRANSLATE_NOOP("Column", "90th percentile: 90% are shorter")},
    {"P95", QT_TRANSLATE_NOOP("Column", "95th percentile: 95% are shorter")},
    {"P99", QT_TRANSLATE_NOOP("Column", "99th percentile: 99% are shorter")},
    {"Start",
        QT_TRANSLATE_NOOP("Column", "Start, on the report's clock. In Events on the clock of the timeline.")},
    {"End", QT_TRANSLATE_NOOP("Column", "End, on the report's clock")},
    {"Duration", QT_TRANSLATE_NOOP("Column", "Duration")},
    {"Bytes", QT_TRANSLATE_NOOP("Column", "Bytes moved or allocated")},
    {"Size", QT_TRANSLATE_NOOP("Column", "Bytes moved or allocated")},
    {"Thread", QT_TRANSLATE_NOOP("Column", "Thread or process of the event")},
    {"Where", QT_TRANSLATE_NOOP("Column", "Thread, or GPU and stream, of the event")},
    {"Report", QT_TRANSLATE_NOOP("Column", "Report of the event")},
    {"Row", QT_TRANSLATE_NOOP("Column", "Timeline row. Click to show it.")},
    {"Gaps", QT_TRANSLATE_NOOP("Column", "Number of idle gaps in the row")},
    {"Longest gap", QT_TRANSLATE_NOOP("Column", "Longest idle gap in the row")},
    {"Counter", QT_TRANSLATE_NOOP("Column", "Metric or counter")},
    {"Of", QT_TRANSLATE_NOOP("Column", "Object of the counter")},
    {"Samples", QT_TRANSLATE_NOOP("Column", "Number of recorded values")},
    {"Direction", QT_TRANSLATE_NOOP("Column", "Direction: H is the host, D a device")},
    {"Operation", QT_TRANSLATE_NOOP("Column", "Operation and direction")},
    {"Throughput", QT_TRANSLATE_NOOP("Column", "Bytes divided by time")},
    {"Whole bytes",
        QT_TRANSLATE_NOOP("Column", "All bytes, also of events that are only partly in the range")},
    {"Whole time", QT_TRANSLATE_NOOP("Column", "All time, also of copies that are only partly in the range")},
    {"Type",
        QT_TRANSLATE_NOOP("Column",
            "Type of the elements, from the name of the NCCL kernel. All-gather, broadcast, send and receive move plain bytes. MPI does not record the type.")},
    {"Algorithm GB/s",
        QT_TRANSLATE_NOOP("Column", "Bytes divided by the median time without waits, as nccl-tests counts")},
    {"Bus GB/s",
        QT_TRANSLATE_NOOP("Column",
            "Bandwidth per link, from the median time without waits, as nccl-tests counts. Compare it with the link's peak, whatever the number of ranks.")},
    {"PID", QT_TRANSLATE_NOOP("Column", "Process id")},
    {"TID", QT_TRANSLATE_NOOP("Column", "Thread id")},
    {"Ctx", QT_TRANSLATE_NOOP("Column", "CUDA context id")},
    {"Strm", QT_TRANSLATE_NOOP("Column", "CUDA stream id")},
    {"CorrId", QT_TRANSLATE_NOOP("Column", "Correlation id, shared by a call and the GPU work it launches")},
    {"Lvl", QT_TRANSLATE_NOOP("Column", "Nesting depth; 0 is outermost")},
    {"Style", QT_TRANSLATE_NOOP("Column", "Push/pop or start/end range")},
    {"RangeId", QT_TRANSLATE_NOOP("Column", "Range id in this table")},
    {"ParentId", QT_TRANSLATE_NOOP("Column", "Id of the enclosing range")},
    {"RangeStack", QT_TRANSLATE_NOOP("Column", "Ids of the enclosing ranges, outermost first")},
    {"NumChild", QT_TRANSLATE_NOOP("Column", "Number of direct child ranges")},
    {"NumGPUOps", QT_TRANSLATE_NOOP("Column", "Number of kernels, copies and memsets launched in the range")},
    {"Total GPU Ops",
        QT_TRANSLATE_NOOP("Column", "Number of kernels, copies and memsets launched in the range")},
    {"DurChild", QT_TRANSLATE_NOOP("Column", "Time of the child ranges")},
    {"DurNonChild", QT_TRANSLATE_NOOP("Column", "Time outside child ranges")},
    {"QCount", QT_TRANSLATE_NOOP("Column", "Number of kernels that waited after their launch")},
    {"GrdX", QT_TRANSLATE_NOOP("Column", "Grid size in x, in blocks")},
    {"GrdY", QT_TRANSLATE_NOOP("Column", "Grid size in y, in blocks")},
    {"GrdZ", QT_TRANSLATE_NOOP("Column", "Grid size in z, in blocks")},
    {"BlkX", QT_TRANSLATE_NOOP("Column", "Block size in x, in threads")},
    {"BlkY", QT_TRANSLATE_NOOP("Column", "Block size in y, in threads")},
    {"BlkZ", QT_TRANSLATE_NOOP("Column", "Block size in z, in threads")},
    {"Reg/Trd", QT_TRANSLATE_NOOP("Column", "Registers per thread")},
    {"StcSMem", QT_TRANSLATE_NOOP("Column", "Static shared memory per block")},
    {"DymSMem", QT_TRANSLATE_NOOP("Column", "Dynamic shared memory per block")},
    {"SrcMemKd", QT_TRANSLATE_NOOP("Column", "Memory kind of the source")},
    {"DstMemKd", QT_TRANSLATE_NOOP("Column", "Memory kind of the destination")},
    {"Finding", QT_TRANSLATE_NOOP("Column", "Finding. Findings with the same cause are listed below it.")},
    {"Could save",
        QT_TRANSLATE_NOOP("Column",
            "\u2248: expected saving, from a replay of the steps. \u2264: upper bound of the time saved by fixing only this.")},
    {"Rank", QT_TRANSLATE_NOOP("Column", "Rank of the process")},
    {"Steps", QT_TRANSLATE_NOOP("Column", "Number of analyzed steps")},
    {"Step", QT_TRANSLATE_NOOP("Column", "Step number, from 1")},
};

/// Titles that core has, and other files hand to tr().
[[maybe_unused]] constexpr const char* titlesOfCore[]{QT_TRANSLATE_NOOP("Column", "Bound")};

/// "Total Time (ns)" has the explanation of "Total Time".
QString withoutUnit(const QString& title)
{
    return title.endsWith(')') && title.contains(" (") ? title.left(title.lastIndexOf(" (")) : title;
}

} // namespace

QString columnTip(const QString& title)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("Column", text); };
    // In another language a title is also known by its translation, because nsys' headers stay in English.
    static const Language* of = nullptr;
    static QHash<QString, const char*> meanings;
    if (std::exchange(of, &language()) != &language()) {
        meanings.clear();
        for (const Head& head : heads) {
            meanings.insert(tr(head.title).toLower(), head.means);
            meanings.insert(QString(head.title).toLower(), head.means);
        }
    }
    if (const char* const means = meanings.value(withoutUnit(title).toLower()))
        return "<qt>" + titledText("<b>" + title.toHtmlEscaped() + "</b>", tr(means).toHtmlEscaped())
            + "</qt>";
    const QString explained = explanationIn(title);
    return explained.isEmpty() ? tr("Click to sort, click again to reverse.") : explained;
}

} // namespace warpline
