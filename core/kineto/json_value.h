#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// An unparsed JSON value.
struct JsonValue {
    enum class Kind : std::uint8_t { None, Text, Number, Word, List, Object };

    Kind kind = Kind::None;
    bool escaped = false; ///< Text: there are backslashes in it
    std::string_view text; ///< for Text without the quotes; otherwise the whole text

    bool there() const { return kind != Kind::None; }
    bool isText() const { return kind == Kind::Text; }
};

/// A key with its value.
struct JsonField {
    std::string_view key;
    JsonValue value;
};

/// A forward JSON reader that allocates nothing: values are views of the text. More lenient than the
/// standard, for existing writers: accepts words such as `inf` and `nan`, trailing commas, and control
/// characters in texts.
class JsonReader {
public:
    explicit JsonReader(std::string_view text)
        : m_at(text.data()),
          m_end(text.data() + text.size())
    {
    }

    /// Goes over `character`, and the space before it; false, and only the space is gone, when another one is
    /// next.
    bool take(char character);
    /// The next value, whole; `kind` is None when there is none, or it is broken.
    JsonValue value();
    /// The next key of an object, with its colon. Nothing at the end of the object, or when no key follows:
    /// takeEnd() distinguishes them.
    bool key(std::string_view& key);
    /// Where reading stands.
    const char* at() const { return m_at; }
    bool atEnd();

private:
    void skipSpace();
    JsonValue text();
    /// Everything from an opening bracket to its end. False when that is missing.
    bool skipNested();

    const char* m_at;
    const char* m_end;
};

/// Calls visit(value) for each value of the list `text`; of a broken one for those before the fault.
template <typename Visit> void visitList(std::string_view text, Visit&& visit)
{
    JsonReader reader(text);
    if (!reader.take('['))
        return;
    for (JsonValue value = reader.value(); value.there(); value = reader.value()) {
        visit(value);
        reader.take(',');
    }
}

/// The fields of the object `text`, in its order; those before the fault of one that is broken.
std::vector<JsonField> fieldsOf(std::string_view text);

/// The text of a string with its escapes resolved; a lone surrogate becomes U+FFFD.
std::string unescaped(std::string_view text);
/// The string that `value` is, or as it is written when it is something else.
std::string textOf(const JsonValue& value);

/// The whole number that `value` is or, quoted, holds. Decimals are cut off. Numbers beyond 64 bits are none;
/// those that only fit without a sign keep their bits.
std::optional<std::int64_t> integerOf(const JsonValue& value);
/// The same held between 0 and 2^31 - 1; 0 for none.
std::int32_t natural32Of(const JsonValue& value);
/// The number, through a double; nothing for inf and nan.
std::optional<double> realOf(const JsonValue& value);
/// Converts microseconds to nanoseconds exactly; truncates after three decimals. Nothing when it is not a
/// number, or does not fit into 64 bits.
std::optional<std::int64_t> nanosecondsOf(const JsonValue& microseconds);

/// The whole numbers of the list `value`, up to `most` of them; of a broken list those before the fault.
std::vector<std::int64_t> integersOf(const JsonValue& value, std::size_t most);

} // namespace warpline
