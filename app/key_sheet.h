#pragma once

#include <QString>

#include <vector>

namespace warpline {

/// A line of the sheet of keys.
struct KeyLine {
    QString keys; ///< "F8 or N"
    QString help; ///< "Show the next evidence of the finding"
};

/// All gestures of the mouse, then all actions that have keys, as the user set them.
std::vector<KeyLine> keyLines();

/// The sheet as rich text.
QString keySheetHtml();

} // namespace warpline
