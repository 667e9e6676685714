#pragma once

#include <QString>

#include <vector>

namespace warpline {

/// A line of the sheet of keys.
struct KeyLine {
    QString keys; ///< "F8 or N"
    QString help; ///< "Show the next evidence of the finding"
    QString group; ///< "Move and zoom"
};

/// All mouse gestures and all actions with shortcuts, as set by the user: by group, the timeline's first;
/// within a group the mouse first.
std::vector<KeyLine> keyLines();

/// The sheet as rich text.
QString keySheetHtml();

} // namespace warpline
