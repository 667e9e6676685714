#include "views/timeline/color_legend.h"

#include "views/actions/action.h"
#include "views/style/rich_text.h"

#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>

namespace warpline {

namespace {

constexpr int swatch = 10;
constexpr int gap = 5;
constexpr int between = 14;
constexpr int widestText = 210; ///< names of kernels differ at their ends: the middle is left out

} // namespace

ColorLegend::ColorLegend(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_books(NameBooks::of(session)),
      m_theme(&theme),
      m_button(new QToolButton(this))
{
    setMouseTracking(true);
    setObjectName("color-legend");
    setAccessibleName(tr("What the colours mean"));
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setAutoRaise(true);
    m_button->setFocusPolicy(Qt::TabFocus);
    m_button->setToolTip(tr("Choose what the colours of events tell"));
    m_button->setMenu(new QMenu(m_button));
    connect(m_button->menu(), &QMenu::aboutToShow, this, &ColorLegend::fillMenu);
    connect(&m_books, &NameBooks::changed, this, &ColorLegend::fill);
    connect(&ColorChoice::shared(), &ColorChoice::changed, this, &ColorLegend::fill);
    connect(&m_session, &Session::traceChanged, this, &ColorLegend::fill);
    connect(&m_session, &Session::reportChosen, this, &ColorLegend::fill);
    fill();
}

void ColorLegend::setTheme(const Theme& theme)
{
    m_theme = &theme;
    fill();
}

QSize ColorLegend::sizeHint() const
{
    return {200, std::max(22, fontMetrics().height() + 6)};
}

void ColorLegend::fillMenu()
{
    QMenu& menu = *m_button->menu();
    menu.clear();
    const ActionContext context{m_session, window(), {}, RowTree::root};
    for (const Action& action : colorActions()) {
        if (action.section)
            menu.addSeparator();
        QAction* const made
            = menu.addAction(menuText(action), this, [&action, context] { perform(action, context); });
        made->setCheckable(action.checked != nullptr);
        made->setChecked(isChecked(action, context));
        made->setToolTip(helpText(action));
    }
    menu.setToolTipsVisible(true);
}

void ColorLegend::fill()
{
    for (const Action& action : colorActions()) {
        if (QString(action.id) == "colors." + keyOf(ColorChoice::shared().by()))
            m_button->setText(tr("Colour by %1").arg(plainText(action).section(": ", -1).toLower()));
    }
    m_entries
        = m_session.isEmpty() ? std::vector<LegendEntry>() : legendEntries(m_session, m_books, *m_theme);
    arrange();
}

void ColorLegend::arrange()
{
    const QSize button = m_button->sizeHint();
    m_button->setGeometry(0, 0, button.width(), height());
    m_places.clear();
    int left = button.width() + between;
    for (const LegendEntry& entry : m_entries) {
        const int text = std::min(widestText, fontMetrics().horizontalAdvance(entry.text));
        const QRect place(left, 0, swatch + gap + text, height());
        if (place.right() > width() - between)
            break;
        m_places.push_back(place);
        left = place.right() + between;
    }
    update();
}

QRect ColorLegend::placeOf(std::size_t index) const
{
    return index < m_places.size() ? m_places[index] : QRect();
}

const LegendEntry* ColorLegend::entryAt(QPoint position) const
{
    const auto found
        = std::ranges::find_if(m_places, [&](const QRect& place) { return place.contains(position); });
    return found == m_places.end() ? nullptr : &m_entries[static_cast<std::size_t>(found - m_places.begin())];
}

void ColorLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->panel);
    painter.fillRect(0, 0, width(), 1, m_theme->grid);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const QRect& place = m_places[i];
        painter.fillRect(
            QRect(place.left(), place.center().y() - swatch / 2, swatch, swatch), m_entries[i].color);
        painter.setPen(m_theme->text);
        const QRect text = place.adjusted(swatch + gap, 0, 2, 0);
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
            fontMetrics().elidedText(m_entries[i].text, Qt::ElideMiddle, text.width()));
    }
}

bool ColorLegend::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    const LegendEntry* const entry = entryAt(help->pos());
    if (!entry)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(),
            plainTip(entry->name.empty() ? entry->text : entry->tip + "\n" + tr("Click to mark its events")),
            this);
    return true;
}

void ColorLegend::resizeEvent(QResizeEvent*)
{
    arrange();
}

void ColorLegend::mouseMoveEvent(QMouseEvent* event)
{
    const LegendEntry* const entry = entryAt(event->pos());
    setCursor(entry && !entry->name.empty() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ColorLegend::mouseReleaseEvent(QMouseEvent* event)
{
    const LegendEntry* const entry = entryAt(event->pos());
    if (entry && !entry->name.empty() && event->button() == Qt::LeftButton)
        m_session.highlightName(entry->kind, entry->name);
}

} // namespace warpline
