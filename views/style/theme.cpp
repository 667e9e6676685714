#include "views/style/theme.h"

#include <array>
#include <cmath>

namespace warpline {

namespace {

/// Light and dark colour of each EventTint, in its order.
struct Pair {
    QRgb light;
    QRgb dark;
};

constexpr std::array<Pair, 23> eventColors{{
    {0xff2f74c0, 0xff4a90d9}, // Kernel: blue
    {0xffa3287a, 0xffe07cc4}, // Collective: plum, apart from the compute that should hide it
    {0xff2a9d62, 0xff3fbf7f}, // CopyHtoD: green
    {0xff2aa9c9, 0xff5fd0ea}, // CopyDtoH: cyan; red would read as an error
    {0xff8a5cc2, 0xffa67fe0}, // CopyDtoD: violet
    {0xff5d6bd6, 0xff8f9cf5}, // CopyPtoP: indigo
    {0xff7d7466, 0xffa09582}, // CopyOther
    {0xffb98a12, 0xffd9ab3a}, // Memset: ochre
    {0xffd98324, 0xfff0a04b}, // Synchronization: orange
    {0xff1b8a94, 0xff35b0ba}, // Graph: teal
    {0xff4f83b8, 0xff6fa3d8}, // ApiLaunch: pale blue
    {0xff4fa583, 0xff6cc4a1}, // ApiCopy: pale green
    {0xffe08a3c, 0xfff2ab68}, // ApiSync: pale orange
    {0xffc9a52c, 0xffe3c45a}, // ApiMemory: yellow
    {0xff8b95a1, 0xff98a3b0}, // ApiOther: grey
    {0xff7d9a57, 0xff86a35f}, // Nvtx: olive, quieter than the work it explains
    {0xffa08f87, 0xff8d7f78}, // OsRuntime: brown grey
    {0xff5f7fae, 0xff86a6d4}, // Library
    {0xff3f9e4d, 0xff56b866}, // Running
    {0xffc4c9cf, 0xff4d545d}, // Waiting
    {0xff6b7480, 0xffa4adb8}, // Sample
    {0xffa3907c, 0xff7a6a5a}, // Overhead: the profiler's own doing steps back
    {0xff7a6cc0, 0xff9a8ce0}, // Memory
}};

/// Parts of a chart: Okabe and Ito's colours and four more, each darker or paler than its neighbours.
constexpr std::array<Pair, 12> chartColors{{
    {0xff2f74c0, 0xff4a90d9}, // blue
    {0xffe08a00, 0xfff0a83a}, // orange
    {0xff1f9d74, 0xff35c295}, // green
    {0xffb0448f, 0xffd678b8}, // purple
    {0xff5bb8e8, 0xff8ad2f5}, // sky
    {0xffc8452f, 0xffe2604a}, // vermilion
    {0xffa79b12, 0xffe6db55}, // yellow
    {0xff5b4ba8, 0xff8b7be0}, // indigo
    {0xff8a5a33, 0xffb98455}, // brown
    {0xff7fb23c, 0xffa5d563}, // lime
    {0xffe98fb5, 0xfff5b6d0}, // pink
    {0xff33565e, 0xff4f8791}, // slate
}};

double luminance(QColor color)
{
    const auto linear
        = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

Theme::Theme(bool dark)
    : background(dark ? QColor(0x1b1e23) : QColor(0xffffff)),
      alternate(dark ? QColor(0x1f2329) : QColor(0xf7f8fa)),
      panel(dark ? QColor(0x25292f) : QColor(0xf0f2f5)),
      text(dark ? QColor(0xe4e7eb) : QColor(0x1d2329)),
      dimText(dark ? QColor(0x9aa3ad) : QColor(0x5c6670)),
      grid(dark ? QColor(0x31363d) : QColor(0xdfe3e8)),
      selection(dark ? QColor(120, 170, 255, 42) : QColor(40, 110, 220, 34)),
      selectionEdge(dark ? QColor(0x8fb8ff) : QColor(0x2b62b8)),
      accent(dark ? QColor(0xffd54a) : QColor(0xd4006a)),
      highlight(dark ? QColor(0xffd54a) : QColor(0xd4006a)),
      good(dark ? QColor(0x3fbf7f) : QColor(0x1f8a53)),
      bad(dark ? QColor(0xe2604a) : QColor(0xc8452f)),
      rest(dark ? QColor(0x474e57) : QColor(0xc3c9d0)),
      m_dark(dark)
{
}

const Theme& Theme::light()
{
    static const Theme theme(false);
    return theme;
}

const Theme& Theme::dark()
{
    static const Theme theme(true);
    return theme;
}

QPalette Theme::palette() const
{
    QPalette palette;
    const QColor disabled = m_dark ? QColor(0x8a929c) : QColor(0x6f7780);
    palette.setColor(QPalette::Window, panel);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, background);
    palette.setColor(QPalette::AlternateBase, alternate);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, dimText);
    palette.setColor(QPalette::Button, m_dark ? QColor(0x2d3239) : QColor(0xe7eaee));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::ToolTipBase, m_dark ? QColor(0x2f343b) : QColor(0xffffff));
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, m_dark ? QColor(0x2f5f9e) : QColor(0x2b6cc4));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, m_dark ? QColor(0x8fb8ff) : QColor(0x1b5fc1));
    palette.setColor(QPalette::Light, m_dark ? QColor(0x3a4048) : QColor(0xffffff));
    palette.setColor(QPalette::Midlight, m_dark ? QColor(0x343a41) : QColor(0xe9ecf0));
    palette.setColor(QPalette::Mid, m_dark ? QColor(0x23272c) : QColor(0xc3c9d0));
    palette.setColor(QPalette::Dark, m_dark ? QColor(0x15181b) : QColor(0xa3aab2));
    palette.setColor(QPalette::Shadow, m_dark ? QColor(0x0c0e10) : QColor(0x6c747d));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
    return palette;
}

QColor Theme::color(EventTint tint) const
{
    const Pair& pair = eventColors.at(static_cast<std::size_t>(tint));
    return QColor::fromRgb(m_dark ? pair.dark : pair.light);
}

QColor Theme::shade(EventTint tint, std::uint32_t nameHash) const
{
    static constexpr std::array<int, 4> factors{100, 108, 92, 115};
    return color(tint).lighter(factors[nameHash % factors.size()]);
}

QColor Theme::nameColor(std::uint32_t nameHash) const
{
    constexpr std::uint32_t hues = 24; // more could not be told apart
    constexpr int degrees = 15;
    constexpr int saturation = 120;
    return QColor::fromHsl(static_cast<int>(nameHash % hues) * degrees, saturation, m_dark ? 140 : 115);
}

QColor Theme::chartColor(std::size_t index) const
{
    const Pair& pair = chartColors.at(index % chartColors.size());
    return QColor::fromRgb(m_dark ? pair.dark : pair.light);
}

QColor Theme::rowColor(Tint tint) const
{
    switch (tint) {
    case Tint::Kernel:
        return color(EventTint::Kernel);
    case Tint::Memory:
        return color(EventTint::CopyHtoD);
    case Tint::Api:
        return color(EventTint::ApiLaunch);
    case Tint::Nvtx:
        return color(EventTint::Nvtx);
    case Tint::OsRuntime:
        return color(EventTint::OsRuntime);
    case Tint::Library:
        return color(EventTint::Library);
    case Tint::ThreadState:
        return color(EventTint::Running);
    case Tint::Sample:
        return color(EventTint::Sample);
    case Tint::Overhead:
        return color(EventTint::Overhead);
    case Tint::Graph:
        return color(EventTint::Graph);
    case Tint::Counter:
        return color(EventTint::Memory);
    case Tint::Neutral:
        break;
    }
    return dimText;
}

QColor Theme::textOn(QColor background)
{
    // Contrast with black is (L + 0.05) / 0.05, with white 1.05 / (L + 0.05): equal at L = 0.179.
    return luminance(background) > 0.179 ? QColor(Qt::black) : QColor(Qt::white);
}

} // namespace warpline
