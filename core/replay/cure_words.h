#pragma once

#include "core/base/message.h"
#include "core/replay/apply_cure.h"

namespace warpline {

// The texts of a switch, with keys such as "whatif.without_sync_title".
inline Message titleOf(const CureSwitch& cure)
{
    return {"whatif", keyOf(cure) + "_title", cure.title};
}
inline Message helpOf(const CureSwitch& cure)
{
    return {"whatif", keyOf(cure) + "_help", cure.help};
}
inline Message nothingOf(const CureSwitch& cure)
{
    return {"whatif", keyOf(cure) + "_nothing", cure.nothing};
}

} // namespace warpline
