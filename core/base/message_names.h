#pragma once

#include "core/base/message.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A name out of the report, or a number with its unit, as a message of its own: it reads the same in every
/// language.
Message nameMessage(std::string name);
/// `above` and, on a line of its own, `below`; the other one where one is empty.
Message linesOf(Message above, Message below);

/// For a choice of a message: {some, select, yes {...} other {}}.
inline Name yesOrNo(bool is)
{
    return {is ? "yes" : "no"};
}

/// The names of the report that `message` and the messages in it hold.
std::vector<std::string_view> namesIn(const Message& message);
/// What tells messages apart, their keys and values, for maps: not a text for people.
std::string identityOf(const Message& message);

} // namespace warpline
