#include "views/style/theme.h"

#include "core/kernels/kernel_classes.h"
#include "views/style/oklab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

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
    {0xff1297b6, 0xff5fd0ea}, // CopyDtoH: cyan; red would read as an error
    {0xff8a5cc2, 0xffa67fe0}, // CopyDtoD: violet
    {0xff5d6bd6, 0xff8f9cf5}, // CopyPtoP: indigo
    {0xff7d7466, 0xffa09582}, // CopyOther
    {0xffb0830e, 0xffd9ab3a}, // Memset: ochre
    {0xffca7508, 0xfff0a04b}, // Synchronization: orange
    {0xff1b8a94, 0xff35b0ba}, // Graph: teal
    {0xff4f83b8, 0xff6fa3d8}, // ApiLaunch: pale blue
    {0xff439a78, 0xff6cc4a1}, // ApiCopy: pale green
    {0xffca7623, 0xfff2ab68}, // ApiSync: pale orange
    {0xffa78603, 0xffe3c45a}, // ApiMemory: yellow
    {0xff818b97, 0xff98a3b0}, // ApiOther: grey
    {0xff769350, 0xff86a35f}, // Nvtx: olive, quieter than the work it explains
    {0xff97877f, 0xff8d7f78}, // OsRuntime: brown grey
    {0xff5f7fae, 0xff86a6d4}, // Library
    {0xff3e9d4c, 0xff56b866}, // Running
    {0xff868b90, 0xff6c747d}, // Waiting
    {0xff6b7480, 0xffa4adb8}, // Sample
    {0xff998673, 0xff807060}, // Overhead: the profiler's own doing steps back
    {0xff7a6cc0, 0xff9a8ce0}, // Memory
}};

/// Parts of a chart: Okabe and Ito's colours and four more, each darker or paler than its neighbours.
constexpr std::array<Pair, 12> chartColors{{
    {0xff2f74c0, 0xff4a90d9}, // blue
    {0xffc47a0f, 0xfff0a83a}, // orange
    {0xff1f9d74, 0xff35c295}, // green
    {0xffb0448f, 0xffd678b8}, // purple
    {0xff0a95c2, 0xff8ad2f5}, // sky
    {0xffc8452f, 0xffe2604a}, // vermilion
    {0xff978c09, 0xffe6db55}, // yellow
    {0xff5b4ba8, 0xff8b7be0}, // indigo
    {0xff8a5a33, 0xffb98455}, // brown
    {0xff469e1b, 0xffa5d563}, // lime
    {0xffc66f95, 0xfff5b6d0}, // pink
    {0xff33565e, 0xff4f8791}, // slate
}};

/// Colours of the kinds up to ApiMemory for red-green colour-blind readers: found by search for large
/// distances for all kinds of vision (see leastDistanceOf()). Further kinds are grey, or in rows of their
/// own.
constexpr std::array<Pair, 14> safeEventColors{{
    {0xff2c71b7, 0xff5296df}, // Kernel: blue
    {0xffad5001, 0xfffcbda7}, // Collective: rust
    {0xff086569, 0xff54855e}, // CopyHtoD: deep teal
    {0xff144c6e, 0xffc5ebff}, // CopyDtoH: navy; on dark sky
    {0xff7288cf, 0xff85aff4}, // CopyDtoD: lavender
    {0xff4b48a8, 0xff1e7fb6}, // CopyPtoP: indigo
    {0xff5d3902, 0xff799f70}, // CopyOther: umber; on dark sage
    {0xffc8741d, 0xffebed6d}, // Memset: orange; on dark yellow
    {0xff8c3c3f, 0xffaa870a}, // Synchronization: wine; on dark ochre
    {0xffa86e5a, 0xff6b8c96}, // Graph
    {0xff2c71b7, 0xff5296df}, // ApiLaunch: as the kernel
    {0xff086569, 0xff54855e}, // ApiCopy: as the copy
    {0xff8c3c3f, 0xffaa870a}, // ApiSync
    {0xffc8741d, 0xffebed6d}, // ApiMemory
}};

constexpr std::array<Pair, 12> safeChartColors{{
    {0xff2c71b7, 0xff5296df},
    {0xff93796a, 0xffebed6d},
    {0xffad5001, 0xfffcbda7},
    {0xff4393a0, 0xff43c7fd},
    {0xff5d3902, 0xff799f70},
    {0xff6b86e1, 0xffc5ebff},
    {0xff086569, 0xff419499},
    {0xff602e47, 0xff63acc3},
    {0xffb77f39, 0xffaa870a},
    {0xff064476, 0xff1e7fb6},
    {0xff9f353d, 0xffbebf3a},
    {0xff4b48a8, 0xff54855e},
}};

/// Viridis (S. van der Walt and N. Smith) and cividis (J. Nunez et al.): equal steps look equal, and the
/// order stays without colour.
constexpr std::array<QRgb, 7> viridis{
    0xff440154, 0xff443983, 0xff31688e, 0xff21918c, 0xff35b779, 0xff90d743, 0xfffde725};
constexpr std::array<QRgb, 7> cividis{
    0xff00224e, 0xff2b446e, 0xff575c6d, 0xff7d7c78, 0xffa59c74, 0xffd3c164, 0xfffee838};

/// The indexes of kernel classes in the colours of a chart; other colours follow.
constexpr std::array<std::pair<std::string_view, std::size_t>, 12> placesOfClasses{{
    {"gemm", 0},
    {"elementwise", 1},
    {"normalization", 2},
    {"convolution", 4},
    {"optimizer", 5},
    {"reduction", 6},
    {"attention", 7},
    {"sort_scan", 8},
    {"memory", 9},
    {"softmax", 10},
    {"embedding", 11},
    {"activation", 12},
}};

/// Colours of classes without a chart colour, chosen for large distances to those and to each other.
constexpr std::array<std::pair<std::string_view, Pair>, 13> classColors{{
    {"activation", {0xffda51a0, 0xffb0175f}},
    {"random", {0xff477900, 0xff1da12b}},
    {"gemv", {0xff04299e, 0xff0064b5}},
    {"solver", {0xff610030, 0xff826e04}},
    {"fft", {0xff003402, 0xff388161}},
    {"moe", {0xff935edf, 0xff726f96}},
    {"quantization", {0xff5b007f, 0xffa26484}},
    {"kv_cache", {0xff7b916b, 0xffe4f0db}},
    {"loss", {0xff9d051c, 0xff8d3d00}},
    {"rotary", {0xff807fe5, 0xff763ebd}},
    {"sampling", {0xff212546, 0xff35ffe2}},
    {"pooling", {0xff00580d, 0xff057918}},
    {"graph", {0xff553503, 0xffa8a405}},
}};

} // namespace

Theme::Theme(bool dark, bool safe, bool contrast)
    : background(dark ? QColor(0x1b1e23) : QColor(0xffffff)),
      alternate(dark ? QColor(0x1f2329) : QColor(0xf7f8fa)),
      panel(dark ? QColor(0x25292f) : QColor(0xf0f2f5)),
      text(dark ? QColor(0xe4e7eb) : QColor(0x1d2329)),
      dimText(dark ? QColor(0x9aa3ad) : QColor(0x5c6670)),
      grid(dark ? QColor(0x31363d) : QColor(0xdfe3e8)),
      selection(dark ? QColor(120, 170, 255, 42) : QColor(40, 110, 220, 34)),
      selectionEdge(dark ? QColor(0x8fb8ff) : QColor(0x2b62b8)),
      accent(dark ? QColor(0xffd54a) : QColor(0xd4006a)),
      highlight(dark ? QColor(0xff8f5c) : QColor(0xb45000)),
      good(
          safe ? (dark ? QColor(0x63b3ff) : QColor(0x0b62a8)) : (dark ? QColor(0x3fbf7f) : QColor(0x177245))),
      bad(safe ? (dark ? QColor(0xff9a5c) : QColor(0xa84300)) : (dark ? QColor(0xef7a66) : QColor(0xb53a26))),
      rest(dark ? QColor(0x474e57) : QColor(0xc3c9d0)),
      m_dark(dark),
      m_safe(safe),
      m_contrast(contrast)
{
    if (!contrast)
        return;
    constexpr double minStrongContrast = 7;
    background = alternate = panel = dark ? Qt::black : Qt::white;
    text = dark ? Qt::white : Qt::black;
    grid = dark ? QColor(0x7a7a7a) : QColor(0x808080);
    selection.setAlpha(90);
    for (QColor* const ink : {&dimText, &selectionEdge, &accent, &highlight, &good, &bad})
        *ink = standingOut(*ink, background, minStrongContrast);
    rest = visible(rest);
}

QColor Theme::visible(const QColor& color) const
{
    return standingOut(color, panel, m_contrast ? minTextContrast : minDrawnContrast);
}

const Theme& Theme::light()
{
    return of(false, false);
}

const Theme& Theme::dark()
{
    return of(true, false);
}

const Theme& Theme::of(bool dark, bool safe, bool contrast)
{
    static const std::array<Theme, 8> themes{Theme(false, false, false), Theme(false, true, false),
        Theme(true, false, false), Theme(true, true, false), Theme(false, false, true),
        Theme(false, true, true), Theme(true, false, true), Theme(true, true, true)};
    return themes[(contrast ? 4U : 0U) + (dark ? 2U : 0U) + (safe ? 1U : 0U)];
}

QPalette Theme::palette() const
{
    QPalette palette;
    const QColor disabled = m_contrast ? dimText : m_dark ? QColor(0x8a929c) : QColor(0x6f7780);
    palette.setColor(QPalette::Window, panel);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, background);
    palette.setColor(QPalette::AlternateBase, alternate);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, dimText);
    palette.setColor(QPalette::Button, m_dark ? QColor(0x2d3239) : QColor(0xe7eaee));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, bad);
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
    if (m_contrast) {
        for (const auto role : {QPalette::Button, QPalette::ToolTipBase, QPalette::Midlight, QPalette::Light})
            palette.setColor(role, background);
        for (const auto role : {QPalette::Mid, QPalette::Dark, QPalette::Shadow})
            palette.setColor(role, text); // edges of clickable parts
        palette.setColor(QPalette::Link, standingOut(palette.color(QPalette::Link), background, 7));
        palette.setColor(QPalette::Highlight, m_dark ? QColor(0xffd54a) : QColor(0x003b8e));
        palette.setColor(QPalette::HighlightedText, background);
    }
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
    return palette;
}

QColor Theme::color(EventTint tint) const
{
    const auto index = static_cast<std::size_t>(tint);
    const bool isSafe = m_safe && index < safeEventColors.size();
    const Pair& pair = isSafe ? safeEventColors.at(index) : eventColors.at(index);
    return visible(QColor::fromRgb(m_dark ? pair.dark : pair.light));
}

QColor Theme::shade(EventTint tint, std::uint32_t nameHash) const
{
    static constexpr std::array<int, 4> onDark{100, 108, 92, 115};
    static constexpr std::array<int, 4> onLight{100, 105, 95, 110};
    return visible(color(tint).lighter((m_dark ? onDark : onLight)[nameHash % onDark.size()]));
}

QColor Theme::chartColor(std::size_t index) const
{
    const auto& colors = m_safe ? safeChartColors : chartColors;
    const Pair& pair = colors.at(index % colors.size());
    return visible(QColor::fromRgb(m_dark ? pair.dark : pair.light));
}

QColor Theme::spreadColor(std::size_t index) const
{
    constexpr double goldenAngle = 137.508;
    constexpr std::array<double, 3> onLight{0.42, 0.53, 0.63};
    constexpr std::array<double, 3> onDark{0.88, 0.74, 0.60};
    constexpr double chroma = 0.1;
    if (index < chartColors.size())
        return chartColor(index);
    const auto& levels = m_dark ? onDark : onLight;
    return visible(
        fromOklch(levels[index % levels.size()], chroma, static_cast<double>(index) * goldenAngle));
}

QColor Theme::classColor(std::size_t kernelClass) const
{
    const KernelClassRules& rules = kernelClassRules();
    if (kernelClass == rules.indexOf("communication"))
        return color(EventTint::Collective);
    if (kernelClass >= rules.unclassified())
        return visible(m_dark ? QColor(0x8f9bb0) : QColor(0x7c879b));
    const std::string_view id = rules.classes()[kernelClass].id;
    const auto* const own = std::ranges::find(classColors, id, &std::pair<std::string_view, Pair>::first);
    if (!m_safe && own != classColors.end())
        return visible(QColor::fromRgb(m_dark ? own->second.dark : own->second.light));
    const auto* const known
        = std::ranges::find(placesOfClasses, id, &std::pair<std::string_view, std::size_t>::first);
    return spreadColor(
        known != placesOfClasses.end() ? known->second : placesOfClasses.size() + 1 + kernelClass);
}

QColor Theme::durationColor(Ns duration) const
{
    constexpr double least = 3; // powers of ten of nanoseconds
    constexpr double most = 9;
    const auto& ramp = m_safe ? cividis : viridis;
    const double power = std::log10(static_cast<double>(std::max<Ns>(1, duration)));
    const double share = std::clamp((power - least) / (most - least), 0.0, 1.0);
    // Contrast to the background by lightness, with a minimum: the ends of the ramps are nearly black or, on
    // white, nearly invisible.
    constexpr double minShadeOnDark = 0.27;
    constexpr double maxShadeOnLight = 0.9;
    const double part
        = m_dark ? minShadeOnDark + share * (1 - minShadeOnDark) : (1 - share) * maxShadeOnLight;
    const double place = part * static_cast<double>(ramp.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
    const double onward = place - static_cast<double>(below);
    return visible(mixedColor(QColor::fromRgb(ramp[below]), QColor::fromRgb(ramp[below + 1]), onward));
}

QColor Theme::rowColor(Tint tint) const
{
    constexpr std::pair<Tint, EventTint> tints[]{{Tint::Kernel, EventTint::Kernel},
        {Tint::Memory, EventTint::CopyHtoD}, {Tint::Api, EventTint::ApiLaunch}, {Tint::Nvtx, EventTint::Nvtx},
        {Tint::OsRuntime, EventTint::OsRuntime}, {Tint::Library, EventTint::Library},
        {Tint::ThreadState, EventTint::Running}, {Tint::Sample, EventTint::Sample},
        {Tint::Overhead, EventTint::Overhead}, {Tint::Graph, EventTint::Graph},
        {Tint::Counter, EventTint::Memory}};
    const auto* const found = std::ranges::find(tints, tint, &std::pair<Tint, EventTint>::first);
    return found == std::end(tints) ? dimText : color(found->second);
}

QColor Theme::textOn(QColor background)
{
    // White wherever it is readable: colours of one hue that contrast just enough with white or black, see
    // visible(), would else have either.
    return contrastOf(background, Qt::white) < minTextContrast ? QColor(Qt::black) : QColor(Qt::white);
}

QColor mixedColor(const QColor& from, const QColor& to, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

} // namespace warpline
