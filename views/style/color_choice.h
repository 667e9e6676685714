#pragma once

#include <QObject>
#include <QString>

#include <array>
#include <cstdint>

namespace warpline {

/// What the colour of an event shows.
enum class ColorBy : std::uint8_t {
    Name, ///< kernels, NVTX ranges and library calls by their name; all else by kind
    Kind, ///< kernel, copy by direction, launch, wait ...
    KernelClass, ///< a kernel's class, in the colours of the Budget panel; others by kind
    Stream, ///< where it ran: the stream, or the thread
    Duration, ///< how long it took, from 1 us to 1 s
};
inline constexpr std::array allColorings{
    ColorBy::Name, ColorBy::Kind, ColorBy::KernelClass, ColorBy::Stream, ColorBy::Duration};

/// "name", "kind", "class", "stream", "duration": in settings and in ids of actions.
QString keyOf(ColorBy by);

/// The colouring of timelines and charts: one choice for all windows, see DrawingSettings.
class ColorChoice : public QObject {
    Q_OBJECT
public:
    static ColorChoice& shared();

    ColorBy by() const { return m_by; }
    void setBy(ColorBy by);
    /// Whether NVTX ranges keep the colour that the program gave them.
    bool usesOwnNvtxColors() const { return m_ownNvtx; }
    void setUsesOwnNvtxColors(bool own);
    /// Whether the bar below the rows explains the colours.
    bool showsLegend() const { return m_legend; }
    void setShowsLegend(bool shown);
    /// Reloads the settings.
    void reload();

signals:
    void changed(); ///< the colours, or the choice
    void legendShown(bool shown);

private:
    ColorChoice();

    ColorBy m_by = ColorBy::Name;
    bool m_ownNvtx = true;
    bool m_legend = true;
};

} // namespace warpline
