#pragma once

#include "core/store/trace.h"
#include "views/style/theme.h"

#include <QRgb>

#include <array>
#include <memory>
#include <vector>

namespace warpline {

/// The colour of each event, remembered by name: deciding an API call's family looks at its text, and a frame
/// asks thousands of times.
class EventColors {
public:
    EventColors(std::shared_ptr<const Trace> trace, const Theme& theme);

    QRgb operator()(EventRef event);

private:
    QRgb decide(EventRef event) const;

    std::shared_ptr<const Trace> m_trace;
    const Theme* m_theme;
    std::array<std::vector<QRgb>, eventKindCount> m_byName; ///< 0: not decided yet
};

} // namespace warpline
