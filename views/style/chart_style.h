#pragma once

namespace warpline {

/// 1, 2 or 5 times a power of ten, not below `value`, which is over 0: how far apart the marks of an axis
/// are.
double niceStep(double value);

} // namespace warpline
