#pragma once

#include <QLabel>

namespace warpline {

/// Lets `label` break its text in the width that it gets: a word as long as a report likes must not widen the
/// window.
inline void wrapInWidth(QLabel& label)
{
    label.setWordWrap(true);
    QSizePolicy policy = label.sizePolicy();
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label.setSizePolicy(policy);
}

} // namespace warpline
