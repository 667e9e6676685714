#pragma once

namespace warpline {

/// A text field that uses Esc itself instead of moving the focus to the timeline: for editors of longer
/// texts, where Esc closes a list.
class KeepsEscape {
protected:
    virtual ~KeepsEscape() = default; // makes the type polymorphic
};

} // namespace warpline
