#pragma once

#include "core/replay/replay.h"
#include "views/style/painted_chart.h"

#include <optional>

namespace warpline {

/// The step as recorded and with the change, as two bars on one scale with their texts above, so that bars
/// have all of the width. Texts without room on one line have two. A line below the second bar is the
/// interval of the estimate.
class WhatIfBars : public PaintedChart {
    Q_OBJECT
public:
    explicit WhatIfBars(const Theme& theme, QWidget* parent = nullptr);

    void setExpected(std::optional<Expectation> expected, bool hasChange);
    QSize sizeHint() const override;
    int heightForWidth(int width) const override;
    /// The text above bar `row`, 0 or 1: "Recorded: 240 us". In little room title and time have a line each.
    QStringList rowLines(int row) const;
    std::vector<PaintedItem> paintedItems() override; ///< the two bars

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList titles() const;
    QString timeText(int row) const;
    int linesIn(int width) const; ///< of text above each bar
    int textHeight(int width) const;
    int rowHeight(int width) const; ///< of a text and its bar
    QRectF barOf(int row, Ns time) const;

    std::optional<Expectation> m_expected;
    bool m_hasChange = false;
};

} // namespace warpline
