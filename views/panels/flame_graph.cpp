#include "views/panels/flame_graph.h"

#include "core/base/saturate.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/store/trace.h"
#include "views/style/name_colors.h"
#include "views/style/rich_text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double minWidth = 0.7; // pixels: narrower boxes are left out with their callees

/// `part` of `to`, the rest `from`.
QColor mixed(const QColor& from, const QColor& to, double part)
{
    const auto between = [part](float a, float b) { return a + static_cast<float>(part) * (b - a); };
    return QColor::fromRgbF(between(from.redF(), to.redF()), between(from.greenF(), to.greenF()),
        between(from.blueF(), to.blueF()));
}

} // namespace

QString boxText(const QString& name, const QFontMetrics& metrics, int width)
{
    constexpr qsizetype minLetters = 6; // with the dots
    const QString text = metrics.elidedText(name, Qt::ElideMiddle, width);
    return text == name || text.size() >= minLetters ? text : QString();
}

QString amountText(TimeTreeUnit unit, std::int64_t amount)
{
    if (unit == TimeTreeUnit::Nanoseconds)
        return durationText(amount);
    const std::uint64_t count = naturalOf(amount);
    return count == 1 ? QObject::tr("1 sample") : QObject::tr("%1 samples").arg(numberText(count));
}

std::shared_ptr<FlameContent> flameContent(
    std::shared_ptr<const Trace> trace, TimeTree tree, TimeTreeUnit unit, const std::stop_token& stop)
{
    auto content = std::make_shared<FlameContent>();
    content->children = tree.children();
    content->names.reserve(tree.nodes().size());
    const std::span<const TimeNode> nodes = tree.nodes();
    for (const TimeNode& node : stoppableItems(nodes, stop))
        content->names.push_back(
            node.parent == noIndex ? QObject::tr("All") : plainTextOf(textOf(*trace, node.frame)));
    content->trace = std::move(trace);
    content->tree = std::move(tree);
    content->unit = unit;
    return content;
}

FlameGraph::FlameGraph(const Theme& theme, QWidget* parent)
    : PaintedChart(theme, parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Flame graph"));
}

void FlameGraph::setContent(std::shared_ptr<const FlameContent> content)
{
    m_content = std::move(content);
    m_zoomed = 0;
    m_hovered = noIndex;
    m_matches.clear();
    layOut();
    emit zoomChanged();
}

std::int64_t FlameGraph::search(const QString& wanted)
{
    m_matches.clear();
    std::int64_t sum = 0;
    if (m_content && !wanted.isEmpty()) {
        const std::span<const TimeNode> nodes = m_content->tree.nodes();
        std::vector<bool> inside(nodes.size());
        m_matches.resize(nodes.size());
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            m_matches[i] = m_content->names[i].contains(wanted, Qt::CaseInsensitive);
            inside[i] = m_matches[i] || inside[nodes[i].parent];
            sum += m_matches[i] && !inside[nodes[i].parent] ? nodes[i].total : 0;
        }
    }
    update();
    return sum;
}

void FlameGraph::zoomTo(std::uint32_t node)
{
    if (!m_content || node >= m_content->names.size())
        return;
    m_zoomed = node;
    layOut();
    emit zoomChanged();
}

void FlameGraph::layOut()
{
    m_boxes.clear();
    int lines = 1;
    if (m_content && m_content->tree.total() > 0) {
        // The boxes around the zoomed one fill the width, too: a click on one leads back to it.
        std::vector<std::uint32_t> above;
        for (std::uint32_t node = m_zoomed; node != noIndex; node = m_content->tree.nodes()[node].parent)
            above.push_back(node);
        std::ranges::reverse(above);
        double top = 0;
        for (const std::uint32_t node : above) {
            m_boxes.push_back({node, QRectF(0, top, width(), lineHeight())});
            top += lineHeight();
        }
        layOutBelow(m_zoomed, m_boxes.back().place);
        for (const Box& box : m_boxes)
            lines = std::max(lines, static_cast<int>(box.place.bottom() / lineHeight() + 0.5));
    }
    setMinimumHeight(lines * lineHeight() + 1);
    updateGeometry();
    update();
}

void FlameGraph::layOutBelow(std::uint32_t first, QRectF firstPlace)
{
    std::vector<Box> open{{first, firstPlace}}; // stacks may be deep: no recursion
    const std::span<const TimeNode> nodes = m_content->tree.nodes();
    while (!open.empty()) {
        const Box box = open.back();
        open.pop_back();
        double left = box.place.left();
        const double perUnit = box.place.width() / static_cast<double>(nodes[box.node].total);
        const std::vector<std::uint32_t>& children = m_content->children[box.node];
        for (std::size_t i = 0; i < children.size(); ++i) {
            const std::uint32_t child = children[i];
            const double wide = static_cast<double>(nodes[child].total) * perUnit;
            if (wide < minWidth) { // the rest is narrower still, and together wide: it is no time of the box
                Box rest{noIndex, {}, children.size() - i, 0};
                for (; i < children.size(); ++i)
                    rest.total += nodes[children[i]].total;
                const double all = static_cast<double>(rest.total) * perUnit;
                rest.place = QRectF(left, box.place.bottom(), all, lineHeight());
                if (all >= minWidth)
                    m_boxes.push_back(rest);
                break;
            }
            const Box below{child, QRectF(left, box.place.bottom(), wide, lineHeight())};
            left += wide;
            m_boxes.push_back(below);
            open.push_back(below);
        }
    }
}

std::optional<double> FlameGraph::changeAt(std::uint32_t node) const
{
    if (!m_content || node >= m_content->compared.size())
        return std::nullopt;
    return changeOf(m_content->compared[node], m_content->tree.total(), m_content->otherTotal);
}

QColor FlameGraph::colorOf(std::uint32_t node) const
{
    if (m_content->tree.nodes()[node].frame.thread != 0 || node == 0)
        return m_theme->panel;
    if (const auto change = changeAt(node); change && (m_matches.empty() || m_matches[node]))
        return mixed(m_theme->rest, *change > 0 ? m_theme->bad : m_theme->good, std::abs(*change));
    const QColor color
        = NameColors::shared().of(ColorGroup::Host, m_content->names[node].toStdString(), *m_theme);
    if (m_matches.empty() || m_matches[node])
        return color;
    return m_theme->rest;
}

void FlameGraph::paintOthers(QPainter& painter, const Box& box) const
{
    const QRectF area = box.place.adjusted(0, 0, 0, -1);
    painter.fillRect(area, QBrush(m_theme->dimText, Qt::BDiagPattern));
    const QString words = tr("%1 others").arg(box.others);
    const int wide = fontMetrics().horizontalAdvance(words);
    if (box.others < 2 || wide + 8 > area.width())
        return;
    const QRectF room(area.left() + 4, area.top(), wide + 4, area.height());
    painter.fillRect(room, m_theme->background);
    painter.setPen(m_theme->dimText);
    painter.drawText(room, Qt::AlignCenter, words);
}

void FlameGraph::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.fillRect(event->rect(), m_theme->background);
    if (!m_content)
        return;
    constexpr double minTextWidth = 24;
    constexpr double padding = 4;
    for (const Box& box : m_boxes) {
        if (!box.place.intersects(event->rect()))
            continue;
        if (box.others > 0) {
            paintOthers(painter, box);
            continue;
        }
        const QColor fill = box.node == m_hovered ? m_theme->highlight : colorOf(box.node);
        // A hair between neighbours, but never instead of a narrow box.
        const double gap = box.place.width() > 3 ? 1 : 0;
        painter.fillRect(box.place.adjusted(0, 0, -gap, -1), fill);
        if (box.place.width() < minTextWidth)
            continue;
        painter.setPen(Theme::textOn(fill));
        const QRectF room = box.place.adjusted(padding, 0, -padding, -1);
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
            boxText(m_content->names[box.node], fontMetrics(), static_cast<int>(room.width())));
    }
    if (hasFocus() && !m_boxes.empty()) {
        painter.setPen(m_theme->accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

std::vector<PaintedItem> FlameGraph::paintedItems()
{
    std::vector<PaintedItem> items;
    for (const Box& box : m_boxes) {
        const bool isNode = box.node != noIndex;
        PaintedItem item{isNode ? m_content->names[box.node] : tr("%1 more").arg(box.others), tipOf(box),
            box.place.toAlignedRect()};
        item.isCurrent = isNode && box.node == m_zoomed;
        if (isNode)
            item.press = [this, node = box.node] { zoomTo(node); };
        items.push_back(std::move(item));
    }
    return items;
}

const FlameGraph::Box* FlameGraph::boxAt(QPoint position) const
{
    const auto found = std::ranges::find_if(
        m_boxes, [&](const Box& box) { return box.place.contains(QPointF(position)); });
    return found == m_boxes.end() ? nullptr : &*found;
}

std::uint32_t FlameGraph::nodeAt(QPoint position) const
{
    const Box* const box = boxAt(position);
    return box ? box->node : noIndex;
}

QString FlameGraph::tipOf(const Box& box) const
{
    if (box.others == 0)
        return tipOf(box.node);
    const double all = static_cast<double>(std::max<std::int64_t>(1, m_content->tree.total()));
    const QString share = shareText(static_cast<double>(box.total) / all);
    return box.others == 1 ? tr("1 more, too narrow to draw: %1 of all").arg(share)
                           : tr("%1 more, too narrow to draw: together %2 of all, %3")
                                 .arg(numberText(box.others), share, amountText(m_content->unit, box.total));
}

QPoint FlameGraph::middleOf(std::uint32_t node) const
{
    const auto found = node == noIndex ? m_boxes.end() : std::ranges::find(m_boxes, node, &Box::node);
    return found == m_boxes.end() ? QPoint() : found->place.center().toPoint();
}

QString FlameGraph::tipOf(std::uint32_t node) const
{
    if (!m_content || node == noIndex)
        return {};
    const TimeNode& at = m_content->tree.nodes()[node];
    const double all = static_cast<double>(std::max<std::int64_t>(1, m_content->tree.total()));
    QString tip = tr("%1: %2 of all, %3; self %4")
                      .arg(m_content->names[node], shareText(static_cast<double>(at.total) / all),
                          amountText(m_content->unit, at.total), amountText(m_content->unit, at.self));
    if (node < m_content->compared.size() && at.frame.thread == 0) {
        const ComparedNode& both = m_content->compared[node];
        const double other = static_cast<double>(std::max<std::int64_t>(1, m_content->otherTotal));
        tip += tr("; A %1, B %2 of all")
                   .arg(shareText(static_cast<double>(both.a) / all),
                       shareText(static_cast<double>(both.b) / other));
    }
    if (at.frame.module != StringId{})
        tip += "\n" + textOf(toUtf8(m_content->trace->text(at.frame.module)));
    return tip;
}

SourcePlace FlameGraph::sourceOf(std::uint32_t node) const
{
    if (!m_content || node == noIndex)
        return {};
    const Trace& trace = *m_content->trace;
    const TimeFrame& frame = m_content->tree.nodes()[node].frame;
    if (frame == deeperFrames)
        return {};
    if (SourcePlace place = placeInName(textOf(trace.text(frame.name)), textOf(trace.info.path));
        place.line != 0)
        return place;
    if (!trace.pythonChains || frame.module == StringId{})
        return {};
    const auto found = std::ranges::find_if(trace.pythonChains->frames, [&](const StackFrame& each) {
        return each.line != 0 && each.symbol == frame.name && each.module == frame.module;
    });
    return found == trace.pythonChains->frames.end()
        ? SourcePlace()
        : SourcePlace{textOf(toUtf8(trace.text(frame.module))), found->line};
}

void FlameGraph::mouseMoveEvent(QMouseEvent* event)
{
    const Box* const box = boxAt(event->pos());
    const std::uint32_t node = box ? box->node : noIndex;
    const QString text = box ? tipOf(*box) : QString();
    const QString tip = plainTip(text);
    if (node == m_hovered && tip == toolTip())
        return;
    m_hovered = node;
    emit pointedAt(text);
    emit hovered(node);
    setToolTip(tip);
    update();
}

void FlameGraph::leaveEvent(QEvent*)
{
    m_hovered = noIndex;
    emit pointedAt({});
    emit hovered(noIndex);
    update();
}

void FlameGraph::mousePressEvent(QMouseEvent* event)
{
    const std::uint32_t node = nodeAt(event->pos());
    if (event->button() == Qt::LeftButton && node != noIndex)
        zoomTo(node);
}

void FlameGraph::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_zoomed != 0)
        zoomTo(0);
    else if (event->key() == Qt::Key_Backspace && m_zoomed != 0)
        zoomTo(m_content->tree.nodes()[m_zoomed].parent);
    else
        QWidget::keyPressEvent(event);
}

QString FlameGraph::stackText(std::uint32_t node) const
{
    QStringList names;
    for (; node != 0 && node != noIndex; node = m_content->tree.nodes()[node].parent)
        names.prepend(m_content->names[node]);
    return names.join('\n');
}

void FlameGraph::contextMenuEvent(QContextMenuEvent* event)
{
    const std::uint32_t node = nodeAt(event->pos());
    if (node == noIndex) {
        event->ignore(); // the panel's menu
        return;
    }
    QMenu menu(this);
    const QString name = m_content->names[node];
    const QString stack = stackText(node);
    menu.addAction(tr("Copy name"), this, [name] { QApplication::clipboard()->setText(name); });
    menu.addAction(tr("Copy stack"), this, [stack] { QApplication::clipboard()->setText(stack); });
    if (const SourcePlace place = sourceOf(node); place.line != 0 && !editorCommand().isEmpty())
        menu.addAction(tr("Open %1:%2").arg(QFileInfo(place.file).fileName(), QString::number(place.line)),
            this, [this, place] {
                if (const QString why = openInEditor(place.file, place.line); !why.isEmpty())
                    emit problem(why);
            });
    menu.addAction(tr("Show everything"), this, [this] { zoomTo(0); })->setEnabled(m_zoomed != 0);
    menu.exec(event->globalPos());
}

void FlameGraph::resizeEvent(QResizeEvent*)
{
    layOut();
}

} // namespace warpline
