#include "core/base/expression_tree.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <utility>

namespace warpline::expression {

namespace {

constexpr int deepest = 100; ///< nesting depth of parentheses
constexpr int maxRepeats = 1'000;
constexpr int maxStacked = 4; ///< repetitions of a repetition

template <typename Is> ByteSet bytesThat(Is&& is)
{
    ByteSet set;
    for (unsigned c = 0; c < set.size(); ++c)
        set.set(c, is(c));
    return set;
}

/// The set of bytes of \d, \w, \s and their opposites; empty for other letters.
ByteSet classOf(char letter)
{
    const auto isSpace = [](unsigned c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    switch (letter) {
    case 'd':
        return bytesThat([](unsigned c) { return c >= '0' && c <= '9'; });
    case 'D':
        return bytesThat([](unsigned c) { return c < '0' || c > '9'; });
    case 'w':
        return bytesThat(isWordByte);
    case 'W':
        return bytesThat([](unsigned c) { return !isWordByte(c); });
    case 's':
        return bytesThat(isSpace);
    case 'S':
        return bytesThat([&](unsigned c) { return !isSpace(c); });
    default:
        return {};
    }
}

ByteSet withBothCases(ByteSet set)
{
    for (unsigned c = 'a'; c <= 'z'; ++c) {
        const unsigned upper = c - 'a' + 'A';
        if (set[c] || set[upper])
            set.set(c).set(upper);
    }
    return set;
}

class Parser {
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {
    }

    Node parse()
    {
        Node all = alternatives(0);
        if (!m_mistake && m_at < m_text.size())
            fail(m_at, 1, {"text_mistake.unmatched", "Unmatched )"});
        return all;
    }
    const std::optional<TextMistake>& mistake() const { return m_mistake; }

private:
    bool ended() const { return m_mistake || m_at >= m_text.size(); }
    char peek() const { return m_text[m_at]; }

    void fail(std::size_t place, std::size_t length, Message message)
    {
        if (!m_mistake)
            m_mistake = TextMistake{place, length, std::move(message)};
    }

    Node alternatives(int depth)
    {
        Node either{.type = NodeType::Either, .bytes = {}, .parts = {}};
        either.parts.push_back(sequence(depth));
        while (!ended() && peek() == '|') {
            ++m_at;
            either.parts.push_back(sequence(depth));
        }
        return either.parts.size() == 1 ? std::move(either.parts.front()) : std::move(either);
    }

    Node sequence(int depth)
    {
        Node all;
        while (!ended() && peek() != '|' && peek() != ')')
            all.parts.push_back(repeated(depth));
        return all;
    }

    Node repeated(int depth)
    {
        Node one = atom(depth);
        while (!ended()) {
            const std::size_t place = m_at;
            int least = 0;
            int most = endless;
            if (peek() == '*' || peek() == '+' || peek() == '?') {
                least = peek() == '+' ? 1 : 0;
                most = peek() == '?' ? 1 : endless;
                ++m_at;
            } else if (!counted(least, most)) {
                break;
            }
            if (!ended() && peek() == '?')
                ++m_at; // lazy or greedy: the same texts match
            if (++m_repeats > maxStacked) {
                fail(place, 1, {"regex.stacked", "Too many repetitions"});
                break;
            }
            Node repeat{.type = NodeType::Repeat, .bytes = {}, .parts = {}, .least = least, .most = most};
            repeat.parts.push_back(std::move(one));
            one = std::move(repeat);
        }
        m_repeats = 0;
        return one;
    }

    /// "{2}", "{2,}", "{2,5}"; false when something else follows.
    bool counted(int& least, int& most)
    {
        if (peek() != '{' || m_at + 1 >= m_text.size() || !isDigit(m_text[m_at + 1]))
            return false;
        const std::size_t place = m_at++;
        least = number();
        most = least;
        if (!ended() && peek() == ',') {
            ++m_at;
            most = !ended() && isDigit(peek()) ? number() : endless;
        }
        if (ended() || peek() != '}')
            fail(place, 1, {"text_mistake.missing", "Missing {what}", {{"what", Name{"}"}}}});
        else if (least > maxRepeats || most > maxRepeats)
            fail(place, m_at + 1 - place, {"regex.repetitions", "The maximum is 1,000 repetitions"});
        else if (most != endless && most < least)
            fail(place, m_at + 1 - place,
                {"regex.first_larger", "The first number must not be larger than the second"});
        ++m_at;
        return !m_mistake;
    }

    int number()
    {
        int value = 0;
        for (; !ended() && isDigit(peek()); ++m_at)
            value = std::min(value * 10 + (peek() - '0'), maxRepeats + 1);
        return value;
    }

    Node atom(int depth)
    {
        const std::size_t place = m_at;
        const char c = m_text[m_at++];
        switch (c) {
        case '(':
            return group(place, depth);
        case '[':
            return set(place);
        case '.':
            return bytes(bytesThat([](unsigned each) { return each != '\n' && each != '\r'; }));
        case '^':
            return {.type = NodeType::Begin, .bytes = {}, .parts = {}};
        case '$':
            return {.type = NodeType::End, .bytes = {}, .parts = {}};
        case '*':
        case '+':
        case '?':
            fail(place, 1, {"regex.nothing_before", "Nothing to repeat before this"});
            return {};
        case '\\':
            return escape(place);
        default:
            return byte(c);
        }
    }

    Node group(std::size_t place, int depth)
    {
        if (depth >= deepest) {
            fail(place, 1, {"regex.too_deep", "Parentheses are nested too deeply"});
            return {};
        }
        if (!ended() && peek() == '?') {
            if (m_text.substr(m_at).starts_with("?:")) {
                m_at += 2;
            } else {
                fail(m_at, 2, {"regex.lookaround", "Lookaround and named groups are not supported"});
                return {};
            }
        }
        Node inside = alternatives(depth + 1);
        if (!m_mistake && (m_at >= m_text.size() || peek() != ')'))
            fail(place, 1, {"text_mistake.missing", "Missing {what}", {{"what", Name{")"}}}});
        ++m_at;
        return inside;
    }

    static Node bytes(const ByteSet& set) { return {.type = NodeType::Bytes, .bytes = set, .parts = {}}; }
    static Node byte(char c)
    {
        ByteSet set;
        set.set(static_cast<unsigned char>(c));
        return bytes(withBothCases(set));
    }

    Node escape(std::size_t place)
    {
        if (!m_mistake && m_at < m_text.size() && (peek() == 'b' || peek() == 'B')) {
            const bool edge = m_text[m_at++] == 'b';
            return {.type = edge ? NodeType::WordEdge : NodeType::NoWordEdge, .bytes = {}, .parts = {}};
        }
        ByteSet set;
        escaped(place, set);
        return bytes(withBothCases(set));
    }

    /// Parses the escape after the backslash at `place`. Returns the byte when it is a single one, else -1.
    int escaped(std::size_t place, ByteSet& set)
    {
        if (m_at >= m_text.size()) {
            fail(place, 1, {"regex.backslash", "Nothing follows this \\"});
            return -1;
        }
        const char c = m_text[m_at++];
        if (set = classOf(c); set.any())
            return -1;
        constexpr std::string_view letters = "ntrfv0";
        constexpr std::string_view meant("\n\t\r\f\v\0", 6);
        int value = static_cast<unsigned char>(c);
        if (const auto known = letters.find(c); known != std::string_view::npos)
            value = static_cast<unsigned char>(meant[known]);
        else if (c == 'x')
            value = hexadecimal(place);
        else if (isDigit(c))
            fail(place, 2, {"regex.references", "Group references are not supported"});
        else if (isWordByte(static_cast<unsigned char>(c)))
            fail(place, 2, {"regex.escape", "Unknown escape; known: \\d \\w \\s \\b \\n \\t \\x"});
        if (!m_mistake)
            set.set(static_cast<std::size_t>(value));
        return value;
    }

    int hexadecimal(std::size_t place)
    {
        const auto digit = [](char c) {
            return isDigit(c)          ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
        };
        int value = 0;
        for (int i = 0; i < 2; ++i) {
            const int next = m_at < m_text.size() ? digit(m_text[m_at]) : -1;
            if (next < 0) {
                fail(place, 2, {"regex.hexadecimal", "Two hexadecimal digits expected after \\x"});
                return 0;
            }
            value = value * 16 + next;
            ++m_at;
        }
        return value;
    }

    Node set(std::size_t place)
    {
        const bool isNegated = !ended() && peek() == '^';
        m_at += isNegated ? 1 : 0;
        ByteSet all;
        bool first = true;
        while (!ended() && (peek() != ']' || first)) {
            first = false;
            addToSet(all);
        }
        if (m_at >= m_text.size())
            fail(place, 1, {"text_mistake.missing", "Missing {what}", {{"what", Name{"]"}}}});
        ++m_at;
        all = withBothCases(all);
        return bytes(isNegated ? ~all : all);
    }

    /// One byte of a set, or -1 for a class, which is then added.
    int byteOfSet(ByteSet& all)
    {
        const std::size_t place = m_at;
        const char c = m_text[m_at++];
        if (c != '\\')
            return static_cast<unsigned char>(c);
        ByteSet set;
        const int value = escaped(place, set);
        if (value < 0)
            all |= set;
        return value;
    }

    void addToSet(ByteSet& all)
    {
        const std::size_t place = m_at;
        const int low = byteOfSet(all);
        if (low < 0 || m_mistake)
            return;
        int high = low;
        if (m_at + 1 < m_text.size() && peek() == '-' && m_text[m_at + 1] != ']') {
            ++m_at;
            high = byteOfSet(all);
            if (!m_mistake && high < low)
                fail(place, m_at - place, {"regex.reversed", "The range is reversed"});
        }
        for (int c = low; c <= high && !m_mistake; ++c)
            all.set(static_cast<std::size_t>(c));
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_repeats = 0; ///< of the atom before
    std::optional<TextMistake> m_mistake;
};

} // namespace

bool isWordByte(unsigned c)
{
    return isIdentifierPart(static_cast<char>(c));
}

Tree treeOf(std::string_view text)
{
    Parser parser(text);
    Node all = parser.parse();
    return {std::move(all), parser.mistake()};
}

} // namespace warpline::expression
