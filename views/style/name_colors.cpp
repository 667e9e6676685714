// Names get slots: a hue and a lightness each. A name determines its preferred slot; it gets the first in a
// fixed order from there that is far enough from taken ones. The required distance decreases as slots become
// rare.

#include "views/style/name_colors.h"

#include "core/base/stable_hash.h"
#include "views/style/oklab.h"
#include "views/style/theme.h"

#include <algorithm>
#include <limits>

namespace warpline {

namespace {

constexpr std::size_t hues = 24;
constexpr std::size_t lights = 3;
constexpr std::size_t slotCount = hues * lights;
constexpr std::size_t hueStride = 7; ///< shares no factor with `hues`: visits each once
constexpr std::array<double, 5> farEnough{0.13, 0.09, 0.06, 0.04, 0.025};
constexpr double farFromKinds = 0.055;
constexpr double safeFarFromKinds = 0.035; ///< kinds use more of the range that colour-blind readers can
                                           ///< distinguish

QColor slotColor(std::size_t slot, bool dark, bool safe)
{
    constexpr std::array<double, lights> onLight{0.45, 0.54, 0.63};
    constexpr std::array<double, lights> onDark{0.60, 0.72, 0.84};
    // Colour-blind readers need larger differences of lightness: half the hues, twice the levels.
    constexpr std::array<double, lights * 2> safeOnLight{0.28, 0.35, 0.42, 0.49, 0.56, 0.63};
    constexpr std::array<double, lights * 2> safeOnDark{0.56, 0.63, 0.70, 0.77, 0.84, 0.91};
    constexpr double chroma = 0.125;
    const std::size_t levels = safe ? lights * 2 : lights;
    const std::size_t level = slot % levels;
    const double lightness
        = safe ? (dark ? safeOnDark : safeOnLight)[level] : (dark ? onDark : onLight)[level];
    return fromOklch(lightness, chroma, static_cast<double>(slot / levels * levels) * 360.0 / slotCount);
}

/// The distances between slots, and the slots that differ from the kinds in rows of kernels.
struct Slots {
    std::array<std::array<float, slotCount>, slotCount> distance{};
    std::array<bool, slotCount> isFree{};

    explicit Slots(bool safe)
    {
        constexpr std::array kinds{EventTint::Collective, EventTint::CopyHtoD, EventTint::CopyDtoH,
            EventTint::CopyDtoD, EventTint::Memset, EventTint::Graph};
        isFree.fill(true);
        for (auto& row : distance)
            row.fill(std::numeric_limits<float>::max());
        for (const bool dark : {false, true}) {
            std::array<SeenColor, slotCount> colors;
            for (std::size_t i = 0; i < slotCount; ++i)
                colors[i] = seenColorOf(slotColor(i, dark, safe));
            std::array<SeenColor, kinds.size()> others;
            for (std::size_t i = 0; i < kinds.size(); ++i)
                others[i] = seenColorOf(Theme::of(dark, safe).color(kinds[i]));
            const auto apart = [safe](const SeenColor& a, const SeenColor& b) {
                return safe ? leastDistanceOf(a, b) : distanceOf(a.front(), b.front());
            };
            for (std::size_t i = 0; i < slotCount; ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    const auto least
                        = std::min(distance[i][j], static_cast<float>(apart(colors[i], colors[j])));
                    distance[i][j] = least;
                    distance[j][i] = least;
                }
                for (const SeenColor& other : others)
                    isFree[i]
                        = isFree[i] && apart(colors[i], other) >= (safe ? safeFarFromKinds : farFromKinds);
            }
        }
    }

    static const Slots& of(bool safe)
    {
        if (!safe) {
            static const Slots usual(false);
            return usual;
        }
        static const Slots forColorBlind(true);
        return forColorBlind;
    }
};

/// The slots in the order in which `name` would take them.
std::array<std::size_t, slotCount> wishesOf(ColorGroup group, std::string_view name)
{
    const std::uint64_t family = nameHash(name, false);
    // Kernels that differ in a number are different kernels; NVTX ranges that do are the same thing again.
    const std::uint64_t one = group == ColorGroup::Kernel ? nameHash(name, true) : family;
    std::array<std::size_t, slotCount> wishes{};
    std::size_t next = 0;
    for (std::size_t h = 0; h < hues; ++h) {
        const std::size_t hue = (family + h * hueStride) % hues;
        for (std::size_t l = 0; l < lights; ++l)
            wishes[next++] = hue * lights + (one / hues + l) % lights;
    }
    return wishes;
}

std::size_t slotFor(ColorGroup group, std::string_view name, const std::vector<std::size_t>& taken, bool safe)
{
    const Slots& all = Slots::of(safe);
    const auto wishes = wishesOf(group, name);
    const auto isAllowed = [&](std::size_t slot) { return group != ColorGroup::Kernel || all.isFree[slot]; };
    for (const double least : farEnough) {
        for (const std::size_t slot : wishes) {
            const bool isApart = std::ranges::all_of(taken, [&](std::size_t other) {
                return other != slot && static_cast<double>(all.distance[slot][other]) >= least;
            });
            if (isApart && isAllowed(slot))
                return slot;
        }
    }
    const auto found = std::ranges::find_if(wishes, isAllowed);
    return found == wishes.end() ? wishes.front() : *found;
}

} // namespace

std::uint64_t nameHash(std::string_view text, bool withDigits)
{
    constexpr std::size_t longest = 32768; // the GUI thread asks for each name that it draws
    StableHash hashed;
    for (const char c : text.substr(0, longest)) {
        if (!withDigits && c >= '0' && c <= '9')
            continue;
        hashed.add(static_cast<unsigned char>(c));
    }
    const std::uint64_t hash = hashed.value();
    // The low bits alone would follow the last letters.
    return hash ^ (hash >> 29U) ^ (hash >> 47U);
}

NameColors& NameColors::shared()
{
    static NameColors colors;
    return colors;
}

std::size_t NameColors::mostApart()
{
    return slotCount;
}

std::uint64_t NameColors::keyOf(ColorGroup group, std::string_view name)
{
    return nameHash(name, group == ColorGroup::Kernel);
}

void NameColors::assign(ColorGroup group, std::span<const std::string_view> names)
{
    std::vector<std::uint64_t> keys;
    std::vector<std::string_view> each;
    for (const std::string_view name : names) {
        const std::uint64_t key = keyOf(group, name);
        if (keys.size() < slotCount && std::ranges::find(keys, key) == keys.end()) {
            keys.push_back(key);
            each.push_back(name);
        }
    }
    if (keys == given(group, false).keys)
        return;
    for (const bool safe : {false, true}) {
        Given of{keys, {}};
        std::vector<std::size_t> taken;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            taken.push_back(slotFor(group, each[i], taken, safe));
            of.places.emplace(keys[i], taken.back());
        }
        given(group, safe) = std::move(of);
    }
    emit changed();
}

QColor NameColors::of(ColorGroup group, std::string_view name, const Theme& theme) const
{
    const bool safe = theme.isColorBlindSafe();
    const Given& known = m_given[static_cast<std::size_t>(group)][safe ? 1 : 0];
    const auto found = known.places.find(keyOf(group, name));
    const std::size_t slot = found != known.places.end() ? found->second : slotFor(group, name, {}, safe);
    return theme.visible(slotColor(slot, theme.isDark(), safe));
}

} // namespace warpline
