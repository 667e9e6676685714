#pragma once

#include "core/base/time.h"

namespace warpline {

/// `part` of `whole`, 0 to 1 where the part lies in the whole; 0 where there is no whole.
constexpr double shareOf(Ns part, Ns whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

} // namespace warpline
