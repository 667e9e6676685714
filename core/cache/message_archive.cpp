#include "core/cache/message_archive.h"

#include <string>
#include <utility>
#include <vector>

namespace warpline {

namespace {

std::string readText(ArchiveReader& archive)
{
    std::string text;
    archive(text);
    return text;
}

std::size_t readCount(ArchiveReader& archive)
{
    std::size_t count = 0;
    archive(count);
    return archive.ok() ? count : 0;
}

void writeValue(ArchiveWriter& archive, const Value& value)
{
    archive(value.kind, value.whole, value.extra, value.real, value.name);
    archive(value.messages.size());
    for (const Message& inside : value.messages)
        writeMessage(archive, inside);
}

Value readValue(ArchiveReader& archive)
{
    Value value(Count{});
    archive(value.kind, value.whole, value.extra, value.real, value.name);
    for (std::size_t left = readCount(archive); left > 0 && archive.ok(); --left)
        value.messages.push_back(readMessage(archive));
    return value;
}

} // namespace

void writeMessage(ArchiveWriter& archive, const Message& message)
{
    archive(std::string(message.key()));
    archive(std::string(message.english()));
    archive(message.isOfHip());
    archive(message.values().size());
    for (const Argument& argument : message.values()) {
        archive(std::string(argument.name));
        writeValue(archive, argument.value);
    }
    archive(message.next().size());
    for (const Message& next : message.next())
        writeMessage(archive, next);
}

Message readMessage(ArchiveReader& archive)
{
    std::string key = readText(archive);
    std::string english = readText(archive);
    bool isOfHip = false;
    archive(isOfHip);
    std::vector<Argument> values;
    for (std::size_t left = readCount(archive); left > 0 && archive.ok(); --left) {
        const std::string_view name = Literal::kept(readText(archive)).text();
        values.push_back({name, readValue(archive)});
    }
    Message message = key.empty()
        ? Message(std::move(english))
        : Message(Literal::kept(std::move(key)), Literal::kept(std::move(english)), std::move(values));
    if (isOfHip)
        message.setOfHip();
    for (std::size_t left = readCount(archive); left > 0 && archive.ok(); --left)
        message += readMessage(archive);
    return archive.ok() ? message : Message();
}

} // namespace warpline
