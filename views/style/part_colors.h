#pragma once

#include "views/style/theme.h"

#include <vector>

namespace warpline {

/// The colours of the parts of one chart: as in `wished`, but distinct. Of two similar ones the later gets
/// another; one that is not valid() gets a free one.
std::vector<QColor> partColors(const std::vector<QColor>& wished, const Theme& theme);

} // namespace warpline
