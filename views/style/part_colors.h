#pragma once

#include "views/style/theme.h"

#include <vector>

namespace warpline {

/// The colours of the parts of one chart: each as `wished`, but no two that look alike. Of two that do the
/// later one takes another; a wish that is not valid() takes what is free.
std::vector<QColor> partColors(const std::vector<QColor>& wished, const Theme& theme);

} // namespace warpline
