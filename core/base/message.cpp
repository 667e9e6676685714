#include "core/base/message.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>
#include <utility>

namespace warpline {

Value::Value(Duration duration)
    : kind(Kind::Duration),
      whole(duration.length)
{
}

Value::Value(Instant instant)
    : kind(Kind::Instant),
      whole(instant.time),
      extra(instant.resolution)
{
}

Value::Value(TimeRange range)
    : kind(Kind::Range),
      whole(range.start),
      extra(range.end)
{
}

Value::Value(Bytes bytes)
    : kind(Kind::Bytes),
      whole(static_cast<std::int64_t>(bytes.bytes))
{
}

Value::Value(Count count)
    : kind(Kind::Count),
      whole(static_cast<std::int64_t>(count.count))
{
}

Value::Value(Share share)
    : kind(Kind::Share),
      real(share.share)
{
}

Value::Value(Rate rate)
    : kind(Kind::Rate),
      real(rate.bytesPerSecond)
{
}

Value::Value(Number number)
    : kind(Kind::Number),
      extra(number.decimals),
      real(number.number)
{
}

Value::Value(Name word)
    : kind(Kind::Name),
      name(std::move(word.name))
{
}

Value::Value(Ordinal ordinal)
    : kind(Kind::Ordinal),
      whole(ordinal.number)
{
}

Value::Value(Message message)
    : kind(Kind::Message)
{
    messages.push_back(std::move(message));
}

Value::Value(std::vector<Message> list)
    : kind(Kind::List),
      messages(std::move(list))
{
}

bool operator==(const Value& a, const Value& b)
{
    return a.kind == b.kind && a.whole == b.whole && a.extra == b.extra && a.real == b.real
        && a.name == b.name && a.messages == b.messages;
}

Literal Literal::kept(std::string text)
{
    static std::mutex mutex;
    static std::set<std::string> texts;
    const std::scoped_lock lock(mutex);
    Literal literal;
    literal.m_text = *texts.insert(std::move(text)).first;
    return literal;
}

Message::Message(std::string verbatim)
    : m_text(std::move(verbatim))
{
}

Message::Message(std::string_view verbatim)
    : m_text(verbatim)
{
}

Message::Message(const char* verbatim)
    : m_text(verbatim)
{
}

Message::Message(Literal key, Literal english, std::initializer_list<Argument> values)
    : Message(key, english, std::vector<Argument>(values))
{
}

Message::Message(Literal key, Literal english, std::vector<Argument> values)
    : m_key(key.text()),
      m_english(english.text()),
      m_values(std::move(values))
{
}

Message::Message(
    std::string_view entry, std::string_view what, std::string_view english, std::vector<Argument> values)
    : m_english(english),
      m_values(std::move(values))
{
    if (!english.empty())
        m_text.append(entry).append(".").append(what);
}

void Message::set(std::string_view name, Value value)
{
    for (Argument& argument : m_values) {
        for (Message& inside : argument.value.messages)
            inside.set(name, value);
        if (argument.name == name)
            argument.value = value;
    }
    for (Message& next : m_next)
        next.set(name, value);
}

void Message::rename(std::string_view from, std::string_view to)
{
    for (Argument& argument : m_values) {
        for (Message& inside : argument.value.messages)
            inside.rename(from, to);
        if (argument.value.kind == Value::Kind::Name && argument.value.name == from)
            argument.value.name = to;
    }
    for (Message& next : m_next)
        next.rename(from, to);
}

Message& Message::operator+=(Message next)
{
    if (next.empty())
        return *this;
    if (empty())
        return *this = std::move(next);
    std::vector<Message> behind = std::exchange(next.m_next, {});
    Message& last = m_next.empty() ? *this : m_next.back();
    if (last.key().empty() && next.key().empty())
        last.m_text += next.m_text;
    else
        m_next.push_back(std::move(next));
    m_next.insert(
        m_next.end(), std::make_move_iterator(behind.begin()), std::make_move_iterator(behind.end()));
    return *this;
}

bool operator==(const Message& a, const Message& b)
{
    const auto isSame = [](const Argument& one, const Argument& other) {
        return one.name == other.name && one.value == other.value;
    };
    return a.m_key == b.m_key && a.m_text == b.m_text && std::ranges::equal(a.m_values, b.m_values, isSame)
        && a.m_next == b.m_next;
}

} // namespace warpline
