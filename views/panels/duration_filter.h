#pragma once

#include "core/base/time.h"

#include <QString>

namespace warpline {

/// Parses a duration filter: "> 10us", "<1ms", "5ms-20ms", "250" (ns and up). False when it is none.
bool parseDurationFilter(const QString& text, Ns& least, Ns& most);
/// The text for `least` and `most` that parseDurationFilter() reads.
QString durationFilterText(Ns least, Ns most);

} // namespace warpline
