#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

// The values of a message. Each has its own type, so that the language and the writer decide how it looks.

/// A length of time.
struct Duration {
    Ns length = 0;
};
/// A moment on the report's clock; digits below `resolution`, in ns, are left out.
struct Instant {
    Ns time = 0;
    Ns resolution = 1;
};
struct Bytes {
    std::uint64_t bytes = 0;
};
/// A count, which selects the plural form.
struct Count {
    std::uint64_t count = 0;
};
/// 0.5 is half.
struct Share {
    double share = 0;
};
/// Bytes per second.
struct Rate {
    double bytesPerSecond = 0;
};
/// Any other number, with this many decimals.
struct Number {
    double number = 0;
    int decimals = 0;
};
/// A name from the report, or a word of an API or a command line: the same in every language.
struct Name {
    std::string name;
};
/// A number that names something, such as a step, a GPU, a rank or a process: digits without separators.
struct Ordinal {
    std::int64_t number = 0;
};

class Message;

/// A value of a message: one of the types above, a time range, a message, or a list of messages.
class Value {
public:
    enum class Kind : std::uint8_t {
        Duration,
        Instant,
        Range,
        Bytes,
        Count,
        Share,
        Rate,
        Number,
        Name,
        Ordinal,
        Message,
        List,
    };

    Value(Duration duration);
    Value(Instant instant);
    Value(TimeRange range);
    Value(Bytes bytes);
    Value(Count count);
    Value(Share share);
    Value(Rate rate);
    Value(Number number);
    Value(Name word);
    Value(Ordinal ordinal);
    Value(Message message);
    Value(std::vector<Message> list);

    Kind kind = Kind::Count;
    std::int64_t whole = 0; ///< ns, bytes, counts and ordinals; the start of a range
    std::int64_t extra = 0; ///< the resolution of an instant, the decimals of a number, the end of a range
    double real = 0; ///< shares, rates and numbers
    std::string name;
    std::vector<Message> messages;

    friend bool operator==(const Value& a, const Value& b);
};

/// A value with its placeholder's name.
struct Argument {
    std::string_view name; ///< a literal
    Value value;
};

/// A string literal of the program: it lives as long as the program does. Braces must match.
class Literal {
public:
    consteval Literal(const char* text)
        : m_text(text)
    {
        int depth = 0;
        for (const char c : m_text)
            depth += c == '{' ? 1 : c == '}' && depth > 0 ? -1 : c == '}' ? unmatchedBrace() : 0;
        if (depth != 0)
            unmatchedBrace();
    }
    /// A literal for text read back at run time. It is kept for the life of the program: messages have few
    /// such texts, always the same.
    static Literal kept(std::string text);
    constexpr std::string_view text() const { return m_text; }

private:
    Literal() = default;
    static int unmatchedBrace(); ///< not constexpr: calling it stops the compiler

    std::string_view m_text;
};

/// Sentences before they have a language: each has a key, its English text and its values. core/render
/// makes text of them. Nothing else reads the text, and no code depends on it.
///
/// The English text has the form of ICU's MessageFormat: "{name}" is a value, "{name, plural, one {# kernel}
/// other {# kernels}}" selects by a count, "{name, select, gpu {...} other {...}}" by a name. There are no
/// quotes.
///
/// A text without a key is verbatim: it reads the same in every language, and may follow any message.
class Message {
public:
    Message() = default;
    Message(std::string verbatim);
    Message(std::string_view verbatim);
    Message(const char* verbatim);
    /// `key` is "rule.what", unique and never reused, `english` the text.
    Message(Literal key, Literal english, std::initializer_list<Argument> values = {});
    Message(Literal key, Literal english, std::vector<Argument> values);
    /// A text that describes an entry of a registry: its key is "entry.what". `english` lives as long as the
    /// program; when it is empty, so is the message.
    Message(std::string_view entry, std::string_view what, std::string_view english,
        std::vector<Argument> values = {});

    bool empty() const { return m_key.empty() && m_text.empty(); }
    /// Empty: verbatim.
    std::string_view key() const
    {
        return m_key.empty() && !m_english.empty() ? std::string_view(m_text) : m_key;
    }
    std::string_view english() const { return m_english.empty() ? std::string_view(m_text) : m_english; }
    const std::vector<Argument>& values() const { return m_values; }
    /// Whether CUDA's functions, variables and commands are to be read as HIP's; of all that comes behind,
    /// too.
    bool isOfHip() const { return m_isOfHip; }
    void setOfHip() { m_isOfHip = true; }
    /// The messages that follow this one, in order; none of them has followers itself.
    const std::vector<Message>& next() const { return m_next; }

    /// Replaces the value `name`, if the message has it.
    void set(std::string_view name, Value value);
    /// Puts the name `to` in place of the name `from` of the report or the system.
    void rename(std::string_view from, std::string_view to);

    /// Appends `next`: as a sentence of its own when it has a key, else verbatim.
    Message& operator+=(Message next);
    friend Message operator+(Message first, Message next)
    {
        first += std::move(next);
        return first;
    }
    friend bool operator==(const Message& a, const Message& b);

private:
    std::string_view m_key;
    std::string_view m_english;
    std::string m_text; ///< a verbatim text, or the key of an entry's
    std::vector<Argument> m_values;
    std::vector<Message> m_next;
    bool m_isOfHip = false;
};

} // namespace warpline
