#pragma once

namespace warpline {

/// The dynamic property of a text field in which Esc is a key of its own: it does not hand the keyboard back
/// to the timeline. For editors of longer texts, where it closes a list and must not end the typing.
inline constexpr const char* keepsEscape = "keepsEscape";

} // namespace warpline
