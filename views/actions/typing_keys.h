#pragma once

namespace warpline {

/// A text field in which Esc is a key of its own: it does not hand the keyboard back to the timeline. For
/// editors of longer texts, where it closes a list and must not end the typing.
class KeepsEscape {
protected:
    virtual ~KeepsEscape() = default; // else it is of no dynamic type
};

} // namespace warpline
