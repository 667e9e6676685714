#pragma once

#include "core/store/trace.h"
#include "views/style/theme.h"

#include <QRgb>

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

namespace warpline {

/// The colour of each event, remembered by what decides it, mostly its name: an API call's family follows
/// from its text, and a frame asks thousands of times.
class EventColors {
public:
    /// With `kernelsByName` each kernel has the hue of its name, else all are of one hue in a few shades.
    EventColors(std::shared_ptr<const Trace> trace, const Theme& theme, bool kernelsByName = false);

    QRgb operator()(EventRef event);
    /// Asks for the memory that the colour of `event` is looked up by before it is needed.
    void prefetch(EventRef event) const;

private:
    QRgb colorOfNvtx(EventIndex event);
    /// The colour of `event` in `known`, which holds one for each `id` of at most `ids`.
    QRgb remembered(std::vector<QRgb>& known, std::size_t id, std::size_t ids, EventRef event);
    QRgb colorByName(EventRef event);
    QRgb decide(EventRef event) const;

    std::shared_ptr<const Trace> m_trace;
    const Theme* m_theme;
    bool m_kernelsByName;
    std::array<std::vector<QRgb>, eventKindCount> m_byName; ///< 0: not decided yet
    std::vector<QRgb> m_ofCopies; ///< by the row of MemcpyTable::copies; 0: not decided yet
    std::unordered_map<QRgb, QRgb> m_tamed; ///< colours that NVTX ranges bring along, as they are shown
};

} // namespace warpline
