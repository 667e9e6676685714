#include "views/timeline/row_label_texts.h"

#include "core/query/range_stats.h"
#include "views/session/rank_judge.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QTextOption>

#include <algorithm>

namespace warpline {

namespace {

constexpr int figureGap = 8;

/// The label of a row that is separated from its parents: "CUDA HW \u00b7 Stream 13", and when another row of
/// the same top has its name, "CUDA HW \u00b7 Stream 13 \u00b7 Kernels".
QString pinnedLabel(const RowTree& rows, const Row& row)
{
    RowId top = row.id;
    while (rows.row(top).parent != RowTree::root)
        top = rows.row(top).parent;
    if (top == row.id)
        return plainTextOf(row.label);
    // The tip of the top has the name of the GPU.
    const Message& label = rows.row(top).label;
    const bool hasName = label.key() == "row.gpu";
    QStringList parts{plainTextOf(hasName ? label.values().front().value.messages.front() : label)};
    const bool isOneOfSeveral = std::ranges::any_of(
        rows.subtree(top), [&](RowId id) { return id != row.id && rows.row(id).label == row.label; });
    if (isOneOfSeveral && row.parent != top)
        parts << plainTextOf(rows.row(row.parent).label);
    parts << plainTextOf(row.label);
    return parts.join(" \u00b7 ");
}

QString ranksOf(const AcrossReport& across, const Row& row)
{
    QStringList ranks;
    for (const AcrossRank& rank : across.ranks) {
        if (rank.report == row.report)
            ranks << textOf(rank.label);
    }
    constexpr qsizetype most = 2;
    return ranks.size() <= most
        ? ranks.join(QCoreApplication::translate("Lists", ", "))
        : QCoreApplication::translate("RowLabels", "%1 and %2 more").arg(ranks.front()).arg(ranks.size() - 1);
}

QStaticText laidOut(
    const QString& text, const QFont& font, Qt::Alignment alignment, QTextOption::WrapMode wrap, double width)
{
    QStaticText laid;
    laid.setTextFormat(Qt::PlainText);
    QTextOption option(alignment);
    option.setWrapMode(wrap);
    laid.setTextOption(option);
    laid.setTextWidth(width);
    laid.setText(text);
    laid.prepare({}, font);
    return laid;
}

} // namespace

bool isHeadingOfReport(const Workspace& workspace, const Row& row)
{
    return workspace.reports().size() > 1 && row.parent == RowTree::root && !workspace.isOfAll(row.id);
}

RowLabelTexts::RowLabelTexts(const Session& session, const QWidget& widget)
    : m_session(session),
      m_widget(widget)
{
}

QString RowLabelTexts::figureOf(const Row& row) const
{
    const AcrossReport* const across = m_session.judgement().ranks().across();
    if (across && isHeadingOfReport(m_session.workspace(), row))
        return ranksOf(*across, row);
    if (!row.showsBusy)
        return plainTextOf(row.figure);
    const OpenReport& report = m_session.workspace().report(row.report);
    const TimeRange shown = report.clock.toReport(m_session.time().shown());
    const double busy = static_cast<double>(busyOf(*report.trace, row, shown));
    return shareText(busy / static_cast<double>(std::max<Ns>(1, shown.duration())));
}

QFont RowLabelTexts::fontOf(const PlacedRow& placed) const
{
    QFont font = m_widget.font();
    font.setBold(placed.depth == 0);
    return font;
}

const RowLabelTexts::Text& RowLabelTexts::of(const PlacedRow& placed, int room)
{
    Known& known = m_texts[raw(placed.row)];
    const TimeRange shown = m_session.time().shown();
    const bool isLaidOut
        = known.room == room && known.height == placed.height && known.isPinned == placed.pinned;
    if (isLaidOut && known.shown == shown)
        return known.text;
    QString figure = figureOf(m_session.rows().row(placed.row));
    if (isLaidOut && figure == known.figure)
        known.shown = shown;
    else
        known = {layOut(placed, figure, room), room, placed.height, placed.pinned, std::move(figure), shown};
    return known.text;
}

RowLabelTexts::Text RowLabelTexts::layOut(const PlacedRow& placed, const QString& figure, int room) const
{
    const Row& row = m_session.rows().row(placed.row);
    Text text;
    const QFont font = fontOf(placed);
    const QFontMetrics metrics(font);
    const QString label = placed.pinned ? pinnedLabel(m_session.rows(), row) : plainTextOf(row.label);
    const int figureWidth = m_widget.fontMetrics().horizontalAdvance(figure) + figureGap;
    // A long value leaves the label at least a third of a narrow column; the tooltip has both.
    if (!figure.isEmpty() && room - figureWidth >= std::min(metrics.horizontalAdvance(label), room / 3)) {
        text.figure = laidOut(figure, m_widget.font(), Qt::AlignLeft, QTextOption::NoWrap, -1);
        text.figureWidth = figureWidth;
    }
    const int left = std::max(0, room - text.figureWidth);
    // High rows have room for several lines: names of metrics differ at their end.
    constexpr int wrapped = Qt::AlignLeft | Qt::TextWordWrap;
    const QRect box(0, 0, left, placed.height + 2);
    text.isWrapped
        = metrics.horizontalAdvance(label) > left && box.contains(metrics.boundingRect(box, wrapped, label));
    text.label = text.isWrapped
        ? laidOut(label, font, Qt::AlignLeft, QTextOption::WordWrap, left)
        : laidOut(metrics.elidedText(label, placed.pinned ? Qt::ElideMiddle : Qt::ElideRight, left), font,
            Qt::AlignLeft, QTextOption::NoWrap, -1);
    return text;
}

} // namespace warpline
