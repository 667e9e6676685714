#include "core/render/render.h"

#include "core/base/both_ends.h"
#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/base/utf8.h"
#include "core/base/words.h"
#include "core/render/hip_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpline {

namespace {

/// The text of `message` in `language`, with places for its values.
std::string_view textIn(const Language& language, const Message& message)
{
    const auto found = std::ranges::lower_bound(language.texts, message.key(), {}, &Translation::key);
    return found != language.texts.end() && found->key == message.key() ? found->text : message.english();
}

/// Removes the text up to and including the matching closing brace from the front of `text`.
std::string_view takeBraced(std::string_view& text)
{
    std::size_t at = 0;
    for (int depth = 1; at < text.size(); ++at) {
        depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
        if (depth == 0)
            break;
    }
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return taken;
}

/// The text for `key` out of "one {...} other {...}", or for the number `exact`, as "=0 {...}"; where there
/// is none, that for "other".
std::string_view branchOf(std::string_view branches, std::string_view key, std::string_view exact)
{
    std::string_view chosen;
    std::string_view other;
    bool isChosen = false;
    while (!branches.empty()) {
        const std::string_view name = trimmed(takeUpTo(branches, "{"), " ");
        const std::string_view text = takeBraced(branches);
        if ((!isChosen && name == key) || (name.starts_with('=') && name.substr(1) == exact)) {
            chosen = text;
            isChosen = true;
        } else if (name == "other") {
            other = text;
        }
    }
    return isChosen ? chosen : other;
}

// In UTF-8 the letters of Chinese and its punctuation begin with the bytes E3 to E9 and EF and have three.

constexpr std::size_t wideSize = 3;

bool beginsWithWide(std::string_view text)
{
    const unsigned char first = text.empty() ? 0 : static_cast<unsigned char>(text.front());
    return text.size() >= wideSize && ((first >= 0xE3 && first <= 0xE9) || first == 0xEF);
}

/// "，" and similar: blocks U+3000 to U+303F and U+FF00 to U+FFEF.
bool beginsWithWideMark(std::string_view text)
{
    return beginsWithWide(text) && (text.starts_with("\xE3\x80") || text.starts_with("\xEF\xBC"));
}

std::string_view lastWide(std::string_view text)
{
    return text.size() < wideSize ? std::string_view() : text.substr(text.size() - wideSize);
}

bool endsWithWide(std::string_view text)
{
    return beginsWithWide(lastWide(text));
}

bool endsWithWideMark(std::string_view text)
{
    return beginsWithWideMark(lastWide(text));
}

/// Writes messages in a language and a markup.
class Writer {
public:
    Writer(const Language& language, Markup markup)
        : m_language(language),
          m_markup(markup)
    {
    }

    void add(const Message& message)
    {
        const bool wasOfHip = m_isOfHip;
        m_isOfHip = m_isOfHip || message.isOfHip();
        addOne(message);
        for (const Message& next : message.next()) {
            if (!next.key().empty())
                m_out += m_language.betweenSentences;
            addOne(next);
        }
        m_isOfHip = wasOfHip;
    }

    std::string take() { return std::move(m_out); }

private:
    void addOne(const Message& message)
    {
        if (m_language.isPseudo)
            addPseudo(message);
        else if (message.key().empty())
            addText(message.english());
        else
            addPattern(textIn(m_language, message), message, nullptr);
    }

    /// `counted`: the value of "#".
    void addPattern(std::string_view pattern, const Message& message, const Value* counted)
    {
        const std::string_view special = counted ? "{#" : "{";
        while (!pattern.empty()) {
            const std::size_t at = std::min(pattern.find_first_of(special), pattern.size());
            addText(pattern.substr(0, at));
            pattern.remove_prefix(at);
            if (pattern.empty())
                return;
            const bool isCounted = pattern.front() == '#';
            pattern.remove_prefix(1);
            if (isCounted)
                addValue(*counted);
            else
                addPlaceholder(takeBraced(pattern), message);
        }
    }

    /// `inside`: "name", or "name, plural, one {...} other {...}".
    void addPlaceholder(std::string_view inside, const Message& message)
    {
        const std::string_view whole = inside;
        const std::string_view name = trimmed(takeUpTo(inside, ","), " ");
        const auto found = std::ranges::find(message.values(), name, &Argument::name);
        if (found == message.values().end()) {
            return addText(fmt::format("{{{}}}", whole));
        }
        const Value& value = found->value;
        if (whole == name) {
            addValue(value);
            return;
        }
        const bool isPlural = trimmed(takeUpTo(inside, ","), " ") == "plural";
        const std::string number = std::to_string(value.whole);
        const std::string_view key = isPlural ? m_language.plural(static_cast<std::uint64_t>(value.whole))
                                              : std::string_view(value.name);
        addPattern(
            branchOf(inside, key, isPlural ? number : std::string()), message, isPlural ? &value : nullptr);
    }

    void addValue(const Value& value)
    {
        switch (value.kind) {
        case Value::Kind::Duration:
            return addText(roundedDuration(value.whole));
        case Value::Kind::Instant:
            return addText(formatTime(value.whole, value.extra));
        case Value::Kind::Range:
            return addText(formatTime(value.whole) + " \u2013 " + formatTime(value.extra));
        case Value::Kind::Bytes:
            return addText(roundedBytes(static_cast<std::uint64_t>(value.whole)));
        case Value::Kind::Count:
            return addText(formatCount(static_cast<std::uint64_t>(value.whole)));
        case Value::Kind::Share:
            return addText(roundedShare(value.real));
        case Value::Kind::Rate:
            return addText(roundedThroughput(value.real));
        case Value::Kind::Number:
            return addText(formatNumber(value.real, static_cast<int>(value.extra)));
        case Value::Kind::Ordinal:
            return addText(std::to_string(value.whole));
        case Value::Kind::Name:
            return addEscaped(onOneLine(value.name));
        case Value::Kind::Message:
        case Value::Kind::List:
            break;
        }
        for (std::size_t i = 0; i < value.messages.size(); ++i) {
            m_out += i > 0 ? m_language.betweenItems : std::string_view();
            add(value.messages[i]);
        }
    }

    void addPseudo(const Message& message)
    {
        if (message.empty())
            return;
        if (message.key().empty()) { // untranslated: treat it as unreviewed text
            m_out += "[verbatim]";
            return;
        }
        m_out += fmt::format("[{}", message.key());
        char before = '|';
        for (const Argument& argument : message.values()) {
            m_out += fmt::format("{}{}=", before, argument.name);
            before = ',';
            const Value& value = argument.value;
            if (value.kind == Value::Kind::Name || !value.messages.empty())
                addValue(value);
            else if (value.kind == Value::Kind::Range)
                m_out += fmt::format("{}:{}", value.whole, value.extra);
            else if (value.kind == Value::Kind::Share || value.kind == Value::Kind::Rate
                || value.kind == Value::Kind::Number)
                m_out += fmt::format("{}", value.real);
            else
                m_out += std::to_string(value.whole);
        }
        m_out += ']';
    }

    /// Text of the program's own.
    void addText(std::string_view text)
    {
        addEscaped(m_isOfHip ? inWordsOfHip(std::string(text), m_language.wordsOfHip) : std::string(text));
    }

    /// Drops the space next to a value where neither side is Latin.
    std::string_view unspaced(std::string_view text)
    {
        const bool endsWithSpace = m_out.ends_with(' ');
        const std::string_view before
            = std::string_view(m_out).substr(0, m_out.size() - (endsWithSpace ? 1 : 0));
        const bool beginsWithSpace = text.starts_with(' ');
        const std::string_view after = text.substr(beginsWithSpace ? 1 : 0);
        if (endsWithSpace == beginsWithSpace || after.empty())
            return text;
        const bool isWide = endsWithWide(before) && beginsWithWide(after);
        if (!isWide && !endsWithWideMark(before) && !beginsWithWideMark(after))
            return text;
        m_out.resize(before.size());
        return after;
    }

    void addEscaped(std::string all)
    {
        const std::string text = m_language.isUnspaced ? std::string(unspaced(all)) : std::move(all);
        m_out += m_markup == Markup::Html  ? htmlText(bothEnds(text, longestShown))
            : m_markup == Markup::Markdown ? markdownProse(text)
                                           : text;
    }

    const Language& m_language;
    Markup m_markup;
    bool m_isOfHip = false;
    std::string m_out;
};

} // namespace

std::string render(const Message& message, Markup markup)
{
    return render(message, markup, language());
}

std::string render(const Message& message, Markup markup, const Language& in)
{
    Writer writer(in, markup);
    writer.add(message);
    return writer.take();
}

} // namespace warpline
