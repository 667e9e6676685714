#pragma once

#include "views/style/color_choice.h"
#include "views/style/theme.h"

#include <QRgb>

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace warpline {

class Trace;

/// The colour of each event, cached by the property that decides it, mostly its name, because a frame needs
/// thousands.
class EventColors {
public:
    /// `by`: what colours show; with `ownNvtx` NVTX ranges keep the program's colours.
    EventColors(std::shared_ptr<const Trace> trace, const Theme& theme, ColorBy by = ColorBy::Kind,
        bool ownNvtx = true);

    QRgb operator()(EventRef event);
    /// Asks for the memory that the colour of `event` is looked up by before it is needed.
    void prefetch(EventRef event) const;

private:
    QRgb colorOfNvtx(EventIndex event);
    QRgb colorOfPlace(EventRef event);
    QRgb colorOfDuration(EventRef event);
    std::optional<QColor> colorOfWork(EventRef event) const; ///< by name or class; nothing: by kind
    void colorPlaces();
    /// The colour of `event` in `known`, which holds one for each `id` of at most `ids`.
    QRgb remembered(std::vector<QRgb>& known, std::size_t id, std::size_t ids, EventRef event);
    QRgb colorByName(EventRef event);
    QRgb decide(EventRef event) const;

    std::shared_ptr<const Trace> m_trace;
    const Theme* m_theme;
    ColorBy m_by;
    bool m_ownNvtx;
    std::array<std::vector<QRgb>, eventKindCount> m_byName; ///< 0: not decided yet
    std::vector<QRgb> m_ofCopies; ///< by the row of MemcpyTable::copies; 0: not decided yet
    std::unordered_map<QRgb, QRgb> m_tamed; ///< colours that NVTX ranges bring along, as they are shown
    std::array<std::vector<QRgb>, eventKindCount> m_ofTracks; ///< of their stream or thread
    std::array<QRgb, 80> m_ofDurations{}; ///< by halves of powers of two; 0: not decided yet
};

} // namespace warpline
