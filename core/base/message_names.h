#pragma once

#include "core/base/message.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A name from the report, or a number with its unit, as a message: it reads the same in every language.
Message nameMessage(std::string name);
/// `above` and, on the next line, `below`; only the other one when one is empty.
Message linesOf(Message above, Message below);

/// For a choice of a message: {some, select, yes {...} other {}}.
inline Name yesOrNo(bool is)
{
    return {is ? "yes" : "no"};
}

/// The names of the report that `message` and the messages in it hold.
std::vector<std::string_view> namesIn(const Message& message);
/// Key and values of a message as one string, for keys of maps; not a text for people.
std::string identityOf(const Message& message);

} // namespace warpline
