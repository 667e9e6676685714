#pragma once

#include "views/style/rich_text.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QLabel>

#include <algorithm>
#include <cmath>

namespace warpline {

/// A label of one line that elides its text where the text has no room; a tip then has all of it.
class ElidedLabel : public QLabel {
public:
    ElidedLabel(Qt::TextElideMode mode, QWidget* parent)
        : QLabel(parent),
          m_mode(mode)
    {
        setTextFormat(Qt::PlainText);
    }

    const QString& whole() const { return m_whole; }
    void setWhole(const QString& text)
    {
        m_whole = text;
        setAccessibleName(text);
        updateGeometry();
        elide();
    }
    QSize sizeHint() const override
    {
        const auto width = static_cast<int>(std::ceil(QFontMetricsF(font()).horizontalAdvance(m_whole)));
        return {width + around(), QLabel::sizeHint().height()};
    }
    QSize minimumSizeHint() const override
    {
        constexpr int least = 10; // letters that say what it is about
        return {std::min(sizeHint().width(), fontMetrics().averageCharWidth() * least + around()),
            QLabel::minimumSizeHint().height()};
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QLabel::resizeEvent(event);
        elide();
    }
    void changeEvent(QEvent* event) override
    {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::FontChange)
            elide();
    }

private:
    int around() const { return contentsMargins().left() + contentsMargins().right(); }
    void elide()
    {
        const QString shown = fontMetrics().elidedText(m_whole, m_mode, contentsRect().width());
        setText(shown);
        setToolTip(shown == m_whole ? QString() : plainTip(m_whole));
    }

    Qt::TextElideMode m_mode;
    QString m_whole;
};

} // namespace warpline
