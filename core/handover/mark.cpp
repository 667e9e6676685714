#include "core/handover/mark.h"

#include "core/base/format.h"
#include "core/base/message_names.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace warpline {

namespace {

// Distinct in lightness as well as in hue, for colour-blind readers (Okabe and Ito, 2008).
constexpr std::array colors{
    MarkColor{"orange", "Orange", 0xD98200, 0xF0A830},
    MarkColor{"red", "Red", 0xB8321F, 0xF0705A},
    MarkColor{"green", "Green", 0x2E8540, 0x5CC27A},
    MarkColor{"blue", "Blue", 0x1F5FA8, 0x6AA9F0},
    MarkColor{"purple", "Purple", 0x8A3FA0, 0xC98AE0},
    MarkColor{"grey", "Grey", 0x6B6B6B, 0xA8A8A8},
};

} // namespace

std::span<const MarkColor> markColors()
{
    return colors;
}

const MarkColor& markColorOf(std::string_view id)
{
    const auto found = std::ranges::find(colors, id, &MarkColor::id);
    return found == colors.end() ? colors.front() : *found;
}

Message titleOf(const Mark& mark)
{
    if (!mark.text.empty())
        return nameMessage(mark.text);
    return mark.isMoment() ? Message("mark.moment", "Moment")
                           : Message("mark.range", "Range of {length}",
                               {{"length", Name{formatDuration(mark.range.duration())}}});
}

void sortMarks(std::vector<Mark>& marks)
{
    std::ranges::stable_sort(marks, [](const Mark& a, const Mark& b) {
        return std::tuple(a.range.start, -a.range.duration())
            < std::tuple(b.range.start, -b.range.duration());
    });
}

} // namespace warpline
