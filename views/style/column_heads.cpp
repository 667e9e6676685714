#include "views/style/column_heads.h"

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

/// Titles are those of nsys where a table is nsys' own: whoever comes from there knows them, others do not.
constexpr Head heads[]{
    {"Name", QT_TRANSLATE_NOOP("Column", "What the event is called in the report")},
    {"Kind", QT_TRANSLATE_NOOP("Column", "What sort of event it is: kernel, copy, API call, NVTX range")},
    {"FLOPs",
        QT_TRANSLATE_NOOP("Column",
            "Arithmetic of the operator that launched it, as much of it as the kernel has of the operator's "
            "time; without what a causal mask hides")},
    {"TFLOP/s", QT_TRANSLATE_NOOP("Column", "The operator's FLOPs divided by its GPU time")},
    {"TB/s", QT_TRANSLATE_NOOP("Column", "The operator's compulsory traffic divided by its GPU time")},
    {"Roofline",
        QT_TRANSLATE_NOOP("Column",
            "Time at the limits of the GPU, of the time that it takes; above 100% data comes from a cache")},
    {"Bound", QT_TRANSLATE_NOOP("Column", "Which limit is the nearest: compute, memory or launch")},
    {"Count", QT_TRANSLATE_NOOP("Column", "How many there are")},
    {"Events", QT_TRANSLATE_NOOP("Column", "How many there are")},
    {"Instances", QT_TRANSLATE_NOOP("Column", "How many there are")},
    {"Kern Inst", QT_TRANSLATE_NOOP("Column", "How many kernels")},
    {"NVTX Inst", QT_TRANSLATE_NOOP("Column", "How many NVTX ranges")},
    {"Range Instances", QT_TRANSLATE_NOOP("Column", "How many NVTX ranges")},
    {"Num Calls", QT_TRANSLATE_NOOP("Column", "How many calls")},
    {"Calls", QT_TRANSLATE_NOOP("Column", "How many calls")},
    {"Total", QT_TRANSLATE_NOOP("Column", "All durations added: what runs at once counts more than once")},
    {"Total Time",
        QT_TRANSLATE_NOOP("Column", "All durations added: what runs at once counts more than once")},
    {"Time", QT_TRANSLATE_NOOP("Column", "Its share of the total time of all lines")},
    {"Share", QT_TRANSLATE_NOOP("Column", "Its share of the whole")},
    {"Mean", QT_TRANSLATE_NOOP("Column", "The total divided by the count")},
    {"Avg", QT_TRANSLATE_NOOP("Column", "The mean: the total divided by the count")},
    {"Median", QT_TRANSLATE_NOOP("Column", "Half of them are shorter, half are longer")},
    {"Med", QT_TRANSLATE_NOOP("Column", "The median: half of them are shorter, half are longer")},
    {"Min", QT_TRANSLATE_NOOP("Column", "The smallest one")},
    {"Minimum", QT_TRANSLATE_NOOP("Column", "The smallest value")},
    {"Max", QT_TRANSLATE_NOOP("Column", "The largest one")},
    {"Maximum", QT_TRANSLATE_NOOP("Column", "The largest value")},
    {"StdDev", QT_TRANSLATE_NOOP("Column", "The standard deviation: how far they lie from the mean")},
    {"P90", QT_TRANSLATE_NOOP("Column", "Nine of ten are shorter")},
    {"P95", QT_TRANSLATE_NOOP("Column", "95 of a hundred are shorter")},
    {"P99", QT_TRANSLATE_NOOP("Column", "99 of a hundred are shorter")},
    {"Start", QT_TRANSLATE_NOOP("Column", "When it begins, on the report's clock")},
    {"End", QT_TRANSLATE_NOOP("Column", "When it ends, on the report's clock")},
    {"Duration", QT_TRANSLATE_NOOP("Column", "How long it takes")},
    {"Bytes", QT_TRANSLATE_NOOP("Column", "How much is moved or allocated")},
    {"Size", QT_TRANSLATE_NOOP("Column", "How much is moved or allocated")},
    {"Thread", QT_TRANSLATE_NOOP("Column", "The thread or process that it belongs to")},
    {"Where", QT_TRANSLATE_NOOP("Column", "The thread, or the GPU and stream, that it is on")},
    {"Report", QT_TRANSLATE_NOOP("Column", "The report that it is of")},
    {"Row", QT_TRANSLATE_NOOP("Column", "A row of the timeline; a click shows it")},
    {"Gaps", QT_TRANSLATE_NOOP("Column", "Stretches between events in which the row is idle")},
    {"Longest gap", QT_TRANSLATE_NOOP("Column", "The longest stretch in which the row is idle")},
    {"Counter", QT_TRANSLATE_NOOP("Column", "The metric or counter")},
    {"Of", QT_TRANSLATE_NOOP("Column", "What the counter is about")},
    {"Samples", QT_TRANSLATE_NOOP("Column", "How many values were recorded")},
    {"Direction", QT_TRANSLATE_NOOP("Column", "From where to where: H is the host, D a device")},
    {"Operation", QT_TRANSLATE_NOOP("Column", "What is done, and from where to where")},
    {"Throughput", QT_TRANSLATE_NOOP("Column", "Bytes divided by the time that they took")},
    {"Bytes of whole copies",
        QT_TRANSLATE_NOOP("Column", "Of copies that lie partly in the range, all bytes")},
    {"Time of whole copies",
        QT_TRANSLATE_NOOP("Column", "Of copies that lie partly in the range, all of the time")},
    {"Type",
        QT_TRANSLATE_NOOP("Column",
            "The type of the elements, by the name of NCCL's kernel. Where it computes nothing with them "
            "(all-gather, broadcast, send and receive) it moves bytes, whatever they are; MPI does not say")},
    {"Algorithm GB/s",
        QT_TRANSLATE_NOOP("Column",
            "All that is exchanged, by the median time without the waits, as nccl-tests counts it")},
    {"Bus GB/s",
        QT_TRANSLATE_NOOP("Column",
            "What a link carries, by the median time without the waits, as nccl-tests counts it: compares "
            "to what the link can do, however many ranks there are")},
    {"PID", QT_TRANSLATE_NOOP("Column", "The number of the process")},
    {"TID", QT_TRANSLATE_NOOP("Column", "The number of the thread")},
    {"Ctx", QT_TRANSLATE_NOOP("Column", "The number of the CUDA context")},
    {"Strm", QT_TRANSLATE_NOOP("Column", "The number of the CUDA stream")},
    {"CorrId", QT_TRANSLATE_NOOP("Column", "The number that a call and the GPU work it starts share")},
    {"Lvl", QT_TRANSLATE_NOOP("Column", "How deep the range is nested; 0 is outermost")},
    {"Style", QT_TRANSLATE_NOOP("Column", "Whether ranges are pushed and popped, or begin and end freely")},
    {"RangeId", QT_TRANSLATE_NOOP("Column", "The number of the range within this table")},
    {"ParentId", QT_TRANSLATE_NOOP("Column", "The number of the range around it")},
    {"RangeStack", QT_TRANSLATE_NOOP("Column", "The numbers of the ranges around it, outermost first")},
    {"NumChild", QT_TRANSLATE_NOOP("Column", "How many ranges lie directly within it")},
    {"NumGPUOps", QT_TRANSLATE_NOOP("Column", "How many kernels, copies and memsets were started within it")},
    {"Total GPU Ops",
        QT_TRANSLATE_NOOP("Column", "How many kernels, copies and memsets were started within it")},
    {"DurChild", QT_TRANSLATE_NOOP("Column", "The time of the ranges within it")},
    {"DurNonChild", QT_TRANSLATE_NOOP("Column", "The time that no range within it covers")},
    {"QCount", QT_TRANSLATE_NOOP("Column", "How many kernels waited after their launch")},
    {"GrdX", QT_TRANSLATE_NOOP("Column", "Blocks of the grid along x")},
    {"GrdY", QT_TRANSLATE_NOOP("Column", "Blocks of the grid along y")},
    {"GrdZ", QT_TRANSLATE_NOOP("Column", "Blocks of the grid along z")},
    {"BlkX", QT_TRANSLATE_NOOP("Column", "Threads of the block along x")},
    {"BlkY", QT_TRANSLATE_NOOP("Column", "Threads of the block along y")},
    {"BlkZ", QT_TRANSLATE_NOOP("Column", "Threads of the block along z")},
    {"Reg/Trd", QT_TRANSLATE_NOOP("Column", "Registers of each thread")},
    {"StcSMem", QT_TRANSLATE_NOOP("Column", "Shared memory of each block that the kernel declares")},
    {"DymSMem", QT_TRANSLATE_NOOP("Column", "Shared memory of each block that the launch asks for")},
    {"SrcMemKd", QT_TRANSLATE_NOOP("Column", "The kind of memory that is read")},
    {"DstMemKd", QT_TRANSLATE_NOOP("Column", "The kind of memory that is written")},
    {"Finding",
        QT_TRANSLATE_NOOP("Column", "What deserves attention; what has the same cause stands below it")},
    {"Could save",
        QT_TRANSLATE_NOOP("Column",
            "\u2248: the time that fixing it is expected to save, by a replay of the steps. \u2264: the most that it can save")},
    {"Rank", QT_TRANSLATE_NOOP("Column", "The number of the process in the run")},
    {"Steps", QT_TRANSLATE_NOOP("Column", "How many steps are analyzed")},
    {"Step", QT_TRANSLATE_NOOP("Column", "The number of the step, from 1 on")},
};

/// "Total Time (ns)" is told of as "Total Time" is.
QString withoutUnit(const QString& title)
{
    return title.endsWith(')') && title.contains(" (") ? title.left(title.lastIndexOf(" (")) : title;
}

} // namespace

QString columnTip(const QString& title)
{
    static const QHash<QString, const char*> meanings = [] {
        QHash<QString, const char*> all;
        for (const Head& head : heads)
            all.insert(QString(head.title).toLower(), head.means);
        return all;
    }();
    const auto tr = [](const char* text) { return QCoreApplication::translate("Column", text); };
    if (const char* const means = meanings.value(withoutUnit(title).toLower()))
        return QString("<qt><b>%1</b>: %2</qt>").arg(title.toHtmlEscaped(), tr(means).toHtmlEscaped());
    const QString explained = explanationIn(title);
    return explained.isEmpty() ? tr("A click sorts by it, another one the other way round.") : explained;
}

} // namespace warpline
