#include "views/timeline/legend_entries.h"

#include "core/kernels/kernel_classes.h"
#include "core/kernels/kernel_label.h"
#include "core/kernels/short_name.h"
#include "core/render/render.h"
#include "core/steps/steps.h"
#include "core/store/place_names.h"
#include "core/store/range_words.h"
#include "core/store/trace.h"
#include "views/session/rank_judge.h"
#include "views/style/event_colors.h"
#include "views/style/idle_look.h"
#include "views/style/rich_text.h"
#include "views/timeline/slice_names.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

namespace warpline {

namespace {

constexpr std::size_t maxNames = 24;
constexpr std::size_t maxPlaces = 24;
constexpr std::size_t kernelsFirst = 4; ///< before the kinds, which are short
constexpr std::size_t rangesFirst = 2;

QString legendText(const char* text)
{
    return QCoreApplication::translate("Legend", text);
}

/// Kinds with a colour, in the order of EventTint.
constexpr std::array<const char*, 23> kinds{QT_TRANSLATE_NOOP("Legend", "Kernels"),
    QT_TRANSLATE_NOOP("Legend", "Communication"), QT_TRANSLATE_NOOP("Legend", "Host to device"),
    QT_TRANSLATE_NOOP("Legend", "Device to host"), QT_TRANSLATE_NOOP("Legend", "Device to device"),
    QT_TRANSLATE_NOOP("Legend", "Peer to peer"), QT_TRANSLATE_NOOP("Legend", "Other copies"),
    QT_TRANSLATE_NOOP("Legend", "Memset"), QT_TRANSLATE_NOOP("Legend", "Synchronization"),
    QT_TRANSLATE_NOOP("Legend", "CUDA graphs"), QT_TRANSLATE_NOOP("Legend", "Launch calls"),
    QT_TRANSLATE_NOOP("Legend", "Copy calls"), QT_TRANSLATE_NOOP("Legend", "Waiting calls"),
    QT_TRANSLATE_NOOP("Legend", "Allocating calls"), QT_TRANSLATE_NOOP("Legend", "Other calls"),
    QT_TRANSLATE_NOOP("Legend", "NVTX ranges"), QT_TRANSLATE_NOOP("Legend", "OS runtime"),
    QT_TRANSLATE_NOOP("Legend", "Libraries"), QT_TRANSLATE_NOOP("Legend", "Running"),
    QT_TRANSLATE_NOOP("Legend", "Not running"), QT_TRANSLATE_NOOP("Legend", "CPU samples"),
    QT_TRANSLATE_NOOP("Legend", "Profiler overhead"), QT_TRANSLATE_NOOP("Legend", "Memory and pages")};

bool isRange(const SeenName& seen)
{
    return seen.tint == EventTint::Nvtx || seen.tint == EventTint::Library;
}

/// Whether its colour is its own, and not its kind's.
bool hasOwnColor(const SeenName& seen, ColorBy by)
{
    if (by == ColorBy::Name)
        return seen.tint == EventTint::Kernel || isRange(seen);
    return by == ColorBy::KernelClass && seen.tint == EventTint::Kernel;
}

/// "NVTX ranges", or the recorder's name for ranges.
QString textOfRanges(const Trace& trace)
{
    QString text = plainTextOf(rangesTextOf(trace));
    text.front() = text.front().toUpper();
    return text;
}

/// The visible kinds, without names that have colours of their own.
std::vector<LegendEntry> entriesOfKinds(
    const Session& session, std::span<const SeenName> seen, const Theme& theme, ColorBy by)
{
    std::set<EventTint> tints;
    for (const SeenName& each : seen) {
        if (!hasOwnColor(each, by))
            tints.insert(each.tint);
    }
    std::vector<LegendEntry> entries;
    for (const EventTint tint : tints) {
        const QString text = tint == EventTint::Nvtx ? textOfRanges(session.trace())
                                                     : legendText(kinds.at(static_cast<std::size_t>(tint)));
        entries.push_back({theme.color(tint), text, {}, EventKind::Kernel, {}, false});
        if (tint == EventTint::Collective && session.judgement().ranks().across())
            entries.push_back({theme.color(tint), legendText("Waits for other ranks"),
                legendText("Hatched: waits for the last rank. Plain: transfer."), EventKind::Kernel, {},
                true});
    }
    return entries;
}

LegendEntry entryOfName(const Trace& trace, const SeenName& seen, EventColors& colors)
{
    const std::string_view name = trace.name(seen.sample);
    const QString label = seen.tint == EventTint::Kernel ? textOf(kernelLabel(name, shortNameOf(name)))
                                                         : textOf(trace.displayName(seen.sample));
    return {QColor::fromRgb(colors(seen.sample)), label, textOf(name), seen.sample.kind, std::string(name),
        false};
}

/// The part of `name` that is not also at the same end of `other`, with a little around it.
QString differenceOf(const QString& name, const QString& other)
{
    constexpr qsizetype around = 6;
    constexpr qsizetype longest = 28;
    const qsizetype shorter = std::min(name.size(), other.size());
    qsizetype first = 0;
    while (first < shorter && name[first] == other[first])
        ++first;
    qsizetype last = 0;
    while (last < shorter - first && name[name.size() - 1 - last] == other[other.size() - 1 - last])
        ++last;
    const qsizetype begin = std::max<qsizetype>(0, first - around);
    return name.mid(begin, std::min(longest, name.size() - last - begin + around));
}

/// Kernels that one template made have one label and several colours.
void tellApart(std::vector<LegendEntry>& entries)
{
    std::map<QString, std::vector<LegendEntry*>> alike;
    for (LegendEntry& entry : entries)
        alike[entry.text].push_back(&entry);
    for (auto& [text, those] : alike) {
        if (those.size() < 2)
            continue;
        for (std::size_t i = 0; i < those.size(); ++i)
            those[i]->text = QString("%1 \u2026%2\u2026")
                                 .arg(text, differenceOf(those[i]->tip, those[i == 0 ? 1 : 0]->tip));
    }
}

/// Mentions in the entry of the first of a family that there are others.
void joinFamily(LegendEntry& entry, const std::string& family)
{
    entry.family = family;
    entry.text = textOf(withoutNumbers(entry.text.toStdString()));
    entry.tip = textOf(family);
}

/// The names that are seen: the first kernels and ranges, then `between`, then the rest.
std::vector<LegendEntry> entriesOfNames(const Session& session, std::span<const SeenName> seen,
    EventColors& colors, std::vector<LegendEntry> between)
{
    std::vector<LegendEntry> kernels;
    std::vector<LegendEntry> ranges;
    std::set<std::pair<bool, std::string>> known; // on the host and on the GPU a range has one name
    std::map<std::pair<std::string, QRgb>, std::size_t>
        families; // of ranges; annotations may have own colours
    for (const SeenName& each : seen) {
        if (!hasOwnColor(each, ColorBy::Name))
            continue;
        std::vector<LegendEntry>& place = isRange(each) ? ranges : kernels;
        LegendEntry entry = entryOfName(session.trace(), each, colors);
        if (!known.emplace(isRange(each), entry.name).second)
            continue;
        if (isRange(each)) {
            const auto [of, added]
                = families.try_emplace({withoutNumbers(entry.name), entry.color.rgb()}, place.size());
            if (!added) {
                if (of->second < place.size())
                    joinFamily(place[of->second], of->first.first);
                continue;
            }
        }
        if (place.size() < maxNames)
            place.push_back(std::move(entry));
    }
    tellApart(kernels);
    std::vector<LegendEntry> all;
    const auto take = [&all](std::vector<LegendEntry>& from, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < std::min(last, from.size()); ++i)
            all.push_back(std::move(from[i]));
    };
    take(kernels, 0, kernelsFirst);
    take(ranges, 0, rangesFirst);
    take(between, 0, between.size());
    take(kernels, kernelsFirst, maxNames);
    take(ranges, rangesFirst, maxNames);
    return all;
}

std::vector<LegendEntry> entriesOfClasses(
    const Trace& trace, std::span<const SeenName> seen, const Theme& theme)
{
    const KernelClassRules& rules = kernelClassRules();
    std::vector<std::size_t> classes; // the largest first
    for (const SeenName& each : seen) {
        const std::size_t of = each.tint == EventTint::Kernel ? rules.classOf(trace.name(each.sample))
                                                              : rules.classes().size();
        if (of < rules.classes().size() && std::ranges::find(classes, of) == classes.end())
            classes.push_back(of);
    }
    std::vector<LegendEntry> entries;
    for (const std::size_t each : classes)
        entries.push_back({theme.classColor(each), plainTextOf(titleOf(rules.classes()[each])), {},
            EventKind::Kernel, {}, false});
    return entries;
}

std::vector<LegendEntry> entriesOfPlaces(
    const Trace& trace, std::span<const SeenName> seen, EventColors& colors)
{
    std::vector<LegendEntry> entries;
    std::set<QString> known;
    for (const SeenName& each : seen) {
        const Track& track = trace.track(trace.trackOf(each.sample));
        const QString text = track.stream >= 0 ? plainTextOf(streamLabel(trace, track))
            : track.owner != 0                 ? plainTextOf(threadLabel(trace, track.owner))
                                               : QString();
        if (entries.size() < maxPlaces && !text.isEmpty() && known.insert(text).second)
            entries.push_back({QColor::fromRgb(colors(each.sample)), text, {}, each.sample.kind, {}, false});
    }
    return entries;
}

std::vector<LegendEntry> entriesOfDurations(const Theme& theme)
{
    std::vector<LegendEntry> entries;
    for (Ns duration = 1'000; duration <= 1'000'000'000; duration *= 10) {
        static const QRegularExpression noDecimals("\\.0+(?= )"); // "1.000 ms" is "1 ms"
        const QString text = durationText(duration).remove(noDecimals);
        entries.push_back({theme.durationColor(duration), text, {}, EventKind::Kernel, {}, false});
    }
    return entries;
}

} // namespace

std::vector<LegendEntry> legendEntries(
    const Session& session, std::span<const SeenName> seen, const Theme& theme)
{
    const ColorChoice& choice = ColorChoice::shared();
    EventColors colors(session.sharedTrace(), theme, choice.by(), choice.usesOwnNvtxColors());
    std::vector<LegendEntry> others = entriesOfKinds(session, seen, theme, choice.by());
    switch (choice.by()) {
    case ColorBy::Name:
        return entriesOfNames(session, seen, colors, std::move(others));
    case ColorBy::Stream:
        return entriesOfPlaces(session.trace(), seen, colors);
    case ColorBy::Duration:
        return entriesOfDurations(theme);
    case ColorBy::KernelClass: {
        std::vector<LegendEntry> entries = entriesOfClasses(session.trace(), seen, theme);
        std::ranges::move(others, std::back_inserter(entries));
        return entries;
    }
    case ColorBy::Kind:
        break;
    }
    return others;
}

std::vector<LegendEntry> idleEntries(
    const IdleTimes& times, std::span<const std::uint16_t> seen, const Theme& theme)
{
    std::vector<LegendEntry> entries;
    std::map<QString, int> parts; // of each short text: a range may idle for several causes
    const auto shortText
        = [&](std::uint16_t number) { return plainTextOf(idleText(times.partOf(number), times.api())); };
    for (const std::uint16_t number : seen)
        ++parts[shortText(number)];
    for (const std::uint16_t number : seen) {
        const BudgetPart& part = times.partOf(number);
        const IdleLook look = idleLook(part.cause, theme);
        const QString text = shortText(number);
        LegendEntry entry{
            look.color, parts[text] > 1 ? plainTextOf(part.title) : text, {}, EventKind::Kernel, {}};
        const QString phrase = textOf(plain(phraseOf(part.cause, times.api())));
        entry.tip = part.range.empty()
            ? legendText("The GPU is idle: %1").arg(phrase)
            : legendText("The GPU is idle: %1 in %2").arg(phrase, textOf(part.range));
        entry.pattern = look.falls ? Qt::FDiagPattern : Qt::BDiagPattern;
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<QString> fittingTexts(
    std::span<const LegendEntry> entries, const QFontMetrics& metrics, int width)
{
    std::vector<QString> texts;
    for (const LegendEntry& entry : entries)
        texts.push_back(metrics.elidedText(entry.text,
            entry.pattern != Qt::SolidPattern || isWord(entry.text) ? Qt::ElideRight : Qt::ElideMiddle,
            width));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        // For texts that are equal now: from the first difference on.
        std::vector<std::size_t> alike{i};
        for (std::size_t j = i + 1; j < texts.size(); ++j) {
            if (texts[j] == texts[i] && entries[j].text != entries[i].text)
                alike.push_back(j);
        }
        if (alike.size() < 2)
            continue;
        const QString& a = entries[alike[0]].text;
        const QString& b = entries[alike[1]].text;
        qsizetype differs = 0;
        while (differs < std::min(a.size(), b.size()) && a[differs] == b[differs])
            ++differs;
        // Wide letters leave the difference no room next to the beginning.
        for (const auto& [head, before] : {std::pair<qsizetype, qsizetype>{5, 3}, {2, 1}, {0, 0}}) {
            for (const std::size_t each : alike) {
                const QString& text = entries[each].text;
                texts[each] = metrics.elidedText(
                    text.left(head) + QChar(0x2026) + text.mid(std::max(head, differs - before)),
                    Qt::ElideRight, width);
            }
            if (texts[alike[0]] != texts[alike[1]])
                break;
        }
    }
    return texts;
}

} // namespace warpline
