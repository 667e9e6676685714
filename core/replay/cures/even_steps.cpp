// Steps that take far longer than their like take as long as those: see Replay::expect(), which changes
// their lengths.

#include "core/replay/apply_cure.h"

#include <array>

namespace warpline {

namespace {

constexpr std::array evenStepsSwitches{
    CureSwitch{.option = "--without",
        .value = "stalls",
        .title = "Even steps",
        .help = "Steps that take far longer than similar steps become as short as those.",
        .nothing = "no step that takes far longer than similar steps",
        .edits = editsOfAll<CureKind::EvenSteps>},
};

} // namespace

extern constinit const CureEntry evenSteps{.kind = CureKind::EvenSteps,
    .key = "even_steps",
    .apply = [](GraphEdit&) { return std::size_t{0}; },
    .switches = evenStepsSwitches};

} // namespace warpline
