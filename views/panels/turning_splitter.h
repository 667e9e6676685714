#pragma once

#include <QResizeEvent>
#include <QSplitter>

namespace warpline {

/// Two parts next to each other where it is wide, as in the drawer, and one above the other where it is
/// narrow, as in the inspector.
class TurningSplitter : public QSplitter {
public:
    using QSplitter::QSplitter;

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        constexpr int narrow = 620;
        setOrientation(event->size().width() < narrow ? Qt::Vertical : Qt::Horizontal);
        QSplitter::resizeEvent(event);
    }
};

} // namespace warpline
