#pragma once

#include <QEvent>
#include <QLabel>

namespace warpline {

/// A label of rich text whose links follow the palette: Qt keeps the colour that they were made with.
class LinkedLabel : public QLabel {
public:
    explicit LinkedLabel(QWidget* parent)
        : QLabel(parent)
    {
        setTextFormat(Qt::RichText);
    }

protected:
    void changeEvent(QEvent* event) override
    {
        QLabel::changeEvent(event);
        if (event->type() != QEvent::PaletteChange)
            return;
        const QString same = text();
        setText({}); // else the label would keep what it made
        setText(same);
    }
};

} // namespace warpline
