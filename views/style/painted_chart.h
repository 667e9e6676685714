#pragma once

#include "views/style/painted_items.h"
#include "views/style/theme.h"

#include <QWidget>

namespace warpline {

/// A widget that paints a chart itself, in the colours of a theme.
class PaintedChart : public QWidget, public PaintedItems {
public:
    /// `theme` outlives the chart, as does that of setTheme().
    PaintedChart(const Theme& theme, QWidget* parent)
        : QWidget(parent),
          m_theme(&theme)
    {
    }

    virtual void setTheme(const Theme& theme)
    {
        m_theme = &theme;
        update();
    }

protected:
    const Theme* m_theme;
};

} // namespace warpline
