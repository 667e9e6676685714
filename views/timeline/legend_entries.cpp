#include "views/timeline/legend_entries.h"

#include "core/base/format.h"
#include "core/kernels/kernel_classes.h"
#include "core/kernels/kernel_label.h"
#include "core/kernels/short_name.h"
#include "core/store/place_names.h"
#include "views/style/event_colors.h"
#include "views/style/name_colors.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <set>

namespace warpline {

namespace {

constexpr std::size_t mostNames = 24;
constexpr std::size_t mostPlaces = 24;

QString words(const char* text)
{
    return QCoreApplication::translate("Legend", text);
}

QString named(std::string_view text)
{
    return textOf(text);
}

void addKind(std::vector<LegendEntry>& entries, const Theme& theme, EventTint tint, const char* text)
{
    entries.push_back({theme.color(tint), words(text), {}, EventKind::Kernel, {}});
}

bool holdsCollectives(const Trace& trace, const NameBook* book)
{
    return book && std::ranges::any_of(book->ofKind(EventKind::Kernel), [&](const NameSummary& each) {
        return trace.text(each.name).find("nccl") != std::string_view::npos;
    });
}

void addCopies(std::vector<LegendEntry>& entries, const Trace& trace, const Theme& theme)
{
    std::set<EventTint> seen;
    const MemcpyTable& copies = trace.memcpys();
    constexpr EventIndex looked = 100'000; // directions come back soon
    for (EventIndex i = 0; i < std::min<std::size_t>(copies.size(), looked) && seen.size() < 5; ++i)
        seen.insert(tintOf(trace, {EventKind::Memcpy, i}));
    constexpr std::pair<EventTint, const char*> directions[]{
        {EventTint::CopyHtoD, QT_TRANSLATE_NOOP("Legend", "Host to device")},
        {EventTint::CopyDtoH, QT_TRANSLATE_NOOP("Legend", "Device to host")},
        {EventTint::CopyDtoD, QT_TRANSLATE_NOOP("Legend", "Device to device")},
        {EventTint::CopyPtoP, QT_TRANSLATE_NOOP("Legend", "Peer to peer")},
        {EventTint::CopyOther, QT_TRANSLATE_NOOP("Legend", "Other copies")},
    };
    for (const auto& [tint, text] : directions) {
        if (seen.contains(tint))
            addKind(entries, theme, tint, text);
    }
    if (!trace.table(EventKind::Memset).empty())
        addKind(entries, theme, EventTint::Memset, QT_TRANSLATE_NOOP("Legend", "Memset"));
}

/// What has a colour by its kind, whatever kernels and ranges are coloured by.
void addOtherKinds(
    std::vector<LegendEntry>& entries, const Trace& trace, const NameBook* book, const Theme& theme)
{
    if (holdsCollectives(trace, book))
        addKind(entries, theme, EventTint::Collective, QT_TRANSLATE_NOOP("Legend", "Communication"));
    addCopies(entries, trace, theme);
    if (!trace.table(EventKind::GraphTrace).empty())
        addKind(entries, theme, EventTint::Graph, QT_TRANSLATE_NOOP("Legend", "CUDA graphs"));
    if (!trace.apiCalls().empty()) {
        addKind(entries, theme, EventTint::ApiLaunch, QT_TRANSLATE_NOOP("Legend", "Launch calls"));
        addKind(entries, theme, EventTint::ApiCopy, QT_TRANSLATE_NOOP("Legend", "Copy calls"));
        addKind(entries, theme, EventTint::ApiSync, QT_TRANSLATE_NOOP("Legend", "Waiting calls"));
        addKind(entries, theme, EventTint::ApiMemory, QT_TRANSLATE_NOOP("Legend", "Allocating calls"));
    }
    if (!trace.table(EventKind::OsRuntime).empty())
        addKind(entries, theme, EventTint::OsRuntime, QT_TRANSLATE_NOOP("Legend", "OS runtime"));
}

void addNames(std::vector<LegendEntry>& entries, const Trace& trace, const NameBook* book, const Theme& theme)
{
    if (!book)
        return;
    const EventKind kind = EventKind::Kernel;
    std::size_t left = mostNames;
    for (const NameSummary& each : book->ofKind(kind)) {
        if (left-- == 0)
            break;
        const std::string_view name = trace.text(each.name);
        if (name.find("nccl") != std::string_view::npos)
            continue; // one entry for all
        const QString label = named(kernelLabel(name, shortNameOf(name)));
        entries.push_back({NameColors::shared().of(ColorGroup::Kernel, name, theme), label, named(name), kind,
            std::string(name)});
    }
}

void addPlaces(std::vector<LegendEntry>& entries, const Trace& trace, EventColors& colors)
{
    std::set<QString> seen;
    for (const EventKind kind : allEventKinds()) {
        for (const Track& track : trace.table(kind).tracks) {
            if (track.eventCount == 0 || entries.size() >= mostPlaces)
                continue;
            const QString text = track.stream >= 0 ? named(streamLabel(trace, track))
                : track.owner != 0                 ? named(threadLabel(trace, track.owner))
                                                   : QString();
            if (!text.isEmpty() && seen.insert(text).second)
                entries.push_back({QColor::fromRgb(colors({kind, track.firstEvent})), text, {}, kind, {}});
        }
    }
}

void addDurations(std::vector<LegendEntry>& entries, const Theme& theme)
{
    for (Ns duration = 1'000; duration <= 1'000'000'000; duration *= 10) {
        static const QRegularExpression noDecimals("\\.0+(?= )"); // "1.000 ms" is "1 ms"
        const QString text = QString::fromStdString(formatDuration(duration)).remove(noDecimals);
        entries.push_back({theme.durationColor(duration), text, {}, EventKind::Kernel, {}});
    }
}

} // namespace

std::vector<LegendEntry> legendEntries(const Session& session, const NameBooks& books, const Theme& theme)
{
    std::vector<LegendEntry> entries;
    const Trace& trace = session.trace();
    const NameBook* const book = books.find(session.report().id);
    const ColorChoice& choice = ColorChoice::shared();
    EventColors colors(session.sharedTrace(), theme, choice.by(), choice.usesOwnNvtxColors());
    switch (choice.by()) {
    case ColorBy::Name:
        addNames(entries, trace, book, theme);
        break;
    case ColorBy::Kind:
        if (!trace.kernels().empty())
            addKind(entries, theme, EventTint::Kernel, QT_TRANSLATE_NOOP("Legend", "Kernels"));
        break;
    case ColorBy::KernelClass:
        for (const std::size_t each : books.kernelClasses(session.report().id))
            entries.push_back({theme.classColor(each),
                QString::fromStdString(kernelClassRules().classes()[each].title), {}, EventKind::Kernel, {}});
        break;
    case ColorBy::Stream:
        addPlaces(entries, trace, colors);
        return entries;
    case ColorBy::Duration:
        addDurations(entries, theme);
        return entries;
    }
    const bool hasClassOfThem = choice.by() == ColorBy::KernelClass;
    std::vector<LegendEntry> others;
    addOtherKinds(others, trace, book, theme);
    for (LegendEntry& each : others) {
        if (!hasClassOfThem || each.color != theme.color(EventTint::Collective))
            entries.push_back(std::move(each));
    }
    return entries;
}

} // namespace warpline
