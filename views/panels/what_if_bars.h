#pragma once

#include "core/replay/replay.h"
#include "views/style/painted_chart.h"

#include <optional>

namespace warpline {

/// The step as recorded and with the change, as two bars on one scale; a line across the second one is the
/// interval of the estimate.
class WhatIfBars : public PaintedChart {
    Q_OBJECT
public:
    explicit WhatIfBars(const Theme& theme, QWidget* parent = nullptr);

    void setExpected(std::optional<Expectation> expected, bool hasChange);
    QSize sizeHint() const override;
    std::vector<PaintedItem> paintedItems() override; ///< the two bars

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList titles() const;
    QRectF barOf(int row, Ns time) const;

    std::optional<Expectation> m_expected;
    bool m_hasChange = false;
};

} // namespace warpline
