#pragma once

#include "core/base/time.h"

#include <string>

namespace warpline {

/// An instant in the unit of its size, as a ruler writes it: "1.005462841 s", "201.671950 ms", "812 ns".
/// Digits below `resolution` are left out, and so are units in which it would have none.
std::string formatInstant(Ns time, Ns resolution = 1);
/// A time in ns since 1970 as "2026-11-24 23:55:01" (UTC); empty: there is none.
std::string formatUtc(Ns time);

} // namespace warpline
