#include "views/timeline/note_label.h"

#include <QAccessible>
#include <QTimerEvent>
#include <QToolTip>

#include <algorithm>

namespace warpline {

NoteLabel::NoteLabel(QWidget* parent)
    : QLabel(parent)
{
    constexpr int around = 5;
    setObjectName("timeline-note");
    setTextFormat(Qt::PlainText);
    setFrameShape(QFrame::Box);
    setMargin(around);
    setForegroundRole(QPalette::ToolTipText);
    setBackgroundRole(QPalette::ToolTipBase);
    setAutoFillBackground(true);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void NoteLabel::tell(const QString& text)
{
    constexpr int fromBottom = 28;
    setPalette(QToolTip::palette());
    setText(text);
    const QWidget& room = *parentWidget();
    const QSize size(std::min(sizeHint().width(), room.width()), sizeHint().height());
    setGeometry(QRect(
        QPoint((room.width() - size.width()) / 2, std::max(0, room.height() - size.height() - fromBottom)),
        size));
    show();
    raise();
    m_timer.start(shownMs, this);
    QAccessibleEvent said(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&said);
}

void NoteLabel::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_timer.timerId()) {
        QLabel::timerEvent(event);
        return;
    }
    m_timer.stop();
    hide();
}

} // namespace warpline
