#include "views/panels/overview_headline.h"

#include "core/base/share.h"
#include "core/render/render.h"
#include "views/panels/overview_bar.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

QString headlineText(const char* text)
{
    return QCoreApplication::translate("OverviewHeadline", text);
}

constexpr auto nothingRecorded = QT_TRANSLATE_NOOP("OverviewHeadline", "No GPU work recorded");

bool isCopying(OverviewKind kind)
{
    return kind == OverviewKind::CopiesIn || kind == OverviewKind::CopiesOut
        || kind == OverviewKind::OtherCopies;
}

/// The time of `part`, or of all copies when it is one: directions are joined.
Ns timeToHead(const OverviewPart& part, const std::vector<OverviewPart>& parts)
{
    Ns time = 0;
    for (const OverviewPart& other : parts) {
        if (&other == &part || (isCopying(part.kind) && isCopying(other.kind)))
            time += other.time;
    }
    return time;
}

} // namespace

QString overviewHeadline(const std::vector<OverviewPart>& parts, bool several)
{
    const auto time = [&](const OverviewPart& part) { return timeToHead(part, parts); };
    const auto largest = std::ranges::max_element(parts, {}, time);
    if (largest == parts.end())
        return headlineText(nothingRecorded);
    const QString share = shareHtml(shareOf(time(*largest), timeOfAll(parts)));
    switch (largest->kind) {
    case OverviewKind::Idle:
        return headlineText(several ? QT_TRANSLATE_NOOP("OverviewHeadline", "All GPUs idle %1")
                                    : QT_TRANSLATE_NOOP("OverviewHeadline", "GPU idle %1"))
            .arg(share);
    case OverviewKind::Kernels:
        return headlineText(several ? QT_TRANSLATE_NOOP("OverviewHeadline", "At least one GPU computing %1")
                                    : QT_TRANSLATE_NOOP("OverviewHeadline", "GPU computing %1"))
            .arg(share);
    case OverviewKind::Communication:
        return headlineText(QT_TRANSLATE_NOOP("OverviewHeadline", "GPU only communicating %1")).arg(share);
    case OverviewKind::CopiesIn:
    case OverviewKind::CopiesOut:
    case OverviewKind::OtherCopies:
        return headlineText(QT_TRANSLATE_NOOP("OverviewHeadline", "GPU only copying %1")).arg(share);
    case OverviewKind::HostOnly:
        return headlineText(nothingRecorded);
    default:
        return QString("%1 %2").arg(htmlOf(plain(titleOf(*largest))), share);
    }
}

QString overviewLegend(const std::vector<OverviewPart>& parts, const Theme& theme)
{
    const Ns all = timeOfAll(parts);
    QStringList entries;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        constexpr double minEntryShare = 0.002;
        if (shareOf(parts[i].time, all) < minEntryShare) // the bar's tooltip mentions it
            continue;
        const QString title = joinedHtml(plainTextOf(titleOf(parts[i])));
        entries << QString("<span style='color:%1'>\u25a0</span>&nbsp;<a href='part:%2'>%3</a>&nbsp;%4")
                       .arg(colorOf(parts[i].kind, theme).name())
                       .arg(i)
                       .arg(title, shareHtml(shareOf(parts[i].time, all)));
    }
    QString causes;
    for (const OverviewPart& part : parts) {
        QStringList named;
        for (const OverviewPhase& phase : part.phases) {
            if (part.kind == OverviewKind::Idle)
                named << htmlOf(plain(phase.label.empty() ? phase.name : phase.label)) + "&nbsp;"
                        + shareHtml(shareOf(phase.time, all));
        }
        const double other = shareOf(otherTime(part), all);
        if (!named.isEmpty())
            causes = "<p style='margin-top:4px; margin-bottom:0px'>"
                + hostActivityHtml(named, other >= minOtherShare ? shareHtml(other) : QString()) + "</p>";
    }
    return spacedHtml(entries) + causes;
}

QString hostActivityHtml(QStringList named, const QString& other)
{
    if (!other.isEmpty())
        named << headlineText(QT_TRANSLATE_NOOP("OverviewHeadline", "other %1"))
                     .replace(' ', "&nbsp;")
                     .arg(other);
    return headlineText(QT_TRANSLATE_NOOP("OverviewHeadline", "Idle time by host activity: %1"))
        .arg(named.join(QCoreApplication::translate("Lists", ", ")));
}

QString shareBar(double share, const QColor& color)
{
    constexpr int most = 40; // number of blocks for the whole
    const int blanks = std::clamp(static_cast<int>(std::lround(share * most)), 1, most);
    return QString("<span style='font-size:5pt; background-color:%1'>%2</span>")
        .arg(color.name(), QString("&nbsp;").repeated(blanks));
}

} // namespace warpline
