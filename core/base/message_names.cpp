#include "core/base/message_names.h"

#include <utility>

namespace warpline {

namespace {

void addNames(const Message& message, std::vector<std::string_view>& names)
{
    for (const Argument& argument : message.values()) {
        if (argument.value.kind == Value::Kind::Name)
            names.push_back(argument.value.name);
        for (const Message& inside : argument.value.messages)
            addNames(inside, names);
    }
    for (const Message& next : message.next())
        addNames(next, names);
}

} // namespace

Message nameMessage(std::string name)
{
    return name.empty() ? Message() : Message("text.name", "{name}", {{"name", Name{std::move(name)}}});
}

Message linesOf(Message above, Message below)
{
    if (above.empty() || below.empty())
        return above.empty() ? below : above;
    return {"text.lines", "{above}\n{below}", {{"above", std::move(above)}, {"below", std::move(below)}}};
}

std::vector<std::string_view> namesIn(const Message& message)
{
    std::vector<std::string_view> names;
    addNames(message, names);
    return names;
}

std::string identityOf(const Message& message)
{
    std::string identity(message.key().empty() ? message.english() : message.key());
    for (const auto& [name, value] : message.values()) {
        identity.append("\x1f").append(value.name);
        if (value.messages.empty() && value.kind != Value::Kind::Name)
            identity.append(std::to_string(value.whole)).append("/").append(std::to_string(value.real));
        for (const Message& inside : value.messages)
            identity.append("\x1e").append(identityOf(inside));
    }
    for (const Message& next : message.next())
        identity.append("\x1d").append(identityOf(next));
    return identity;
}

} // namespace warpline
