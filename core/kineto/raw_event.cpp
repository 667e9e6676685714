#include "core/kineto/raw_event.h"

namespace warpline {

namespace {

/// Reads the object "args" in place, so that nothing is gone over twice.
bool parseArguments(JsonReader& reader, std::vector<JsonField>& arguments)
{
    if (!reader.take('{'))
        return reader.value().there(); // some writers have a text or null here
    std::string_view key;
    while (reader.key(key)) {
        const JsonValue value = reader.value();
        if (!value.there())
            return false;
        arguments.push_back({key, value});
    }
    return reader.take('}');
}

JsonValue* placeOf(RawEvent& event, std::string_view key)
{
    if (key == "ph")
        return &event.phase;
    if (key == "cat")
        return &event.category;
    if (key == "name")
        return &event.name;
    if (key == "pid")
        return &event.pid;
    if (key == "tid")
        return &event.tid;
    if (key == "ts")
        return &event.start;
    if (key == "dur")
        return &event.duration;
    return key == "id" ? &event.id : nullptr;
}

} // namespace

const JsonValue& RawEvent::argument(std::string_view key) const
{
    static constexpr JsonValue none;
    // Most keys differ in length or in their last letter: no call is needed to see that.
    for (const JsonField& argument : arguments) {
        if (argument.key.size() == key.size() && !key.empty() && argument.key.back() == key.back()
            && argument.key == key)
            return argument.value;
    }
    return none;
}

bool parseEvent(std::string_view text, RawEvent& event)
{
    JsonReader reader(text);
    return parseEvent(reader, event) && reader.atEnd();
}

bool parseEvent(JsonReader& reader, RawEvent& event)
{
    event.phase = event.category = event.name = event.pid = event.tid = event.start = event.duration
        = event.id = {};
    event.arguments.clear();
    if (!reader.take('{'))
        return false;
    std::string_view key;
    while (reader.key(key)) {
        if (key == "args") {
            if (!parseArguments(reader, event.arguments))
                return false;
            continue;
        }
        const JsonValue value = reader.value();
        if (!value.there())
            return false;
        if (JsonValue* const place = placeOf(event, key))
            *place = value;
    }
    return reader.take('}');
}

} // namespace warpline
