#pragma once

#include "views/style/rich_text.h"

#include <QLabel>

#include <algorithm>

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
        updateGeometry();
        elide();
    }
    QSize sizeHint() const override
    {
        return {fontMetrics().horizontalAdvance(m_whole) + around(), QLabel::sizeHint().height()};
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
