// From text to a tree (Parser), from the tree to a program of the machine (Emitter), from the program to
// answers (Machine). Each of the three is bounded: nesting by `deepest`, the program by mostInstructions, the
// search by mostSteps.

#include "core/base/regular_expression.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr int deepest = 100; ///< parentheses inside one another
constexpr int mostRepeats = 1'000;
constexpr int mostStacked = 4; ///< repetitions of a repetition
constexpr int endless = -1;

using ByteSet = std::bitset<256>;

enum class NodeType : std::uint8_t { Bytes, Sequence, Either, Repeat, Begin, End, WordEdge, NoWordEdge };

struct Node {
    NodeType type = NodeType::Sequence;
    ByteSet bytes;
    std::vector<Node> parts;
    int least = 0;
    int most = 0; ///< or `endless`
};

bool isWordByte(unsigned c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

template <typename Is> ByteSet bytesThat(Is&& is)
{
    ByteSet set;
    for (unsigned c = 0; c < set.size(); ++c)
        set.set(c, is(c));
    return set;
}

/// The set that \d, \w, \s and their opposites stand for; empty for other letters.
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
            fail(m_at, 1, "There is no ( for this )");
        return all;
    }
    const std::optional<TextMistake>& mistake() const { return m_mistake; }

private:
    bool ended() const { return m_mistake || m_at >= m_text.size(); }
    char peek() const { return m_text[m_at]; }

    void fail(std::size_t place, std::size_t length, std::string message)
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
                ++m_at; // how greedy it is changes nothing for whether it matches
            if (++m_repeats > mostStacked) {
                fail(place, 1, "There are too many repetitions");
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
            fail(place, 1, "A } is missing for this {");
        else if (least > mostRepeats || most > mostRepeats)
            fail(place, m_at + 1 - place, "No more than 1,000 repetitions can be asked for");
        else if (most != endless && most < least)
            fail(place, m_at + 1 - place, "The first number must not be larger than the second");
        ++m_at;
        return !m_mistake;
    }

    int number()
    {
        int value = 0;
        for (; !ended() && isDigit(peek()); ++m_at)
            value = std::min(value * 10 + (peek() - '0'), mostRepeats + 1);
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
            fail(place, 1, "There is nothing before this that could be repeated");
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
            fail(place, 1, "Parentheses are nested too deeply");
            return {};
        }
        if (!ended() && peek() == '?') {
            if (m_text.substr(m_at).starts_with("?:")) {
                m_at += 2;
            } else {
                fail(m_at, 2, "Looking ahead or behind and named groups are not known here");
                return {};
            }
        }
        Node inside = alternatives(depth + 1);
        if (!m_mistake && (m_at >= m_text.size() || peek() != ')'))
            fail(place, 1, "A ) is missing for this (");
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

    /// What follows a backslash at `place`; nothing but one byte has a value to return, others -1.
    int escaped(std::size_t place, ByteSet& set)
    {
        if (m_at >= m_text.size()) {
            fail(place, 1, "Nothing follows this \\");
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
            fail(place, 2, "References to groups are not known here");
        else if (isWordByte(static_cast<unsigned char>(c)))
            fail(place, 2, "This escape is not known: \\d \\w \\s \\b \\n \\t \\x are");
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
                fail(place, 2, "Two hexadecimal digits are expected after \\x");
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
            fail(place, 1, "A ] is missing for this [");
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
                fail(place, m_at - place, "The range goes backwards");
        }
        for (int c = low; c <= high && !m_mistake; ++c)
            all.set(static_cast<std::size_t>(c));
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_repeats = 0; ///< of the atom before
    std::optional<TextMistake> m_mistake;
};

enum class Step : std::uint8_t { Bytes, Split, Jump, Begin, End, WordEdge, NoWordEdge, Match };

struct Instruction {
    Step step = Step::Match;
    std::uint32_t to = 0; ///< Split, Jump: where to go on
    std::uint32_t other = 0; ///< Split: where as well; Bytes: which set
};

struct Program {
    std::vector<Instruction> steps;
    std::vector<ByteSet> sets;
    bool isTooLarge = false;
};

class Emitter {
public:
    Program emitAll(const Node& node)
    {
        emit(node);
        add({Step::Match, 0, 0});
        return std::move(m_program);
    }

private:
    std::uint32_t here() const { return static_cast<std::uint32_t>(m_program.steps.size()); }

    std::uint32_t add(Instruction instruction)
    {
        if (m_program.steps.size() > RegularExpression::mostInstructions)
            m_program.isTooLarge = true;
        else
            m_program.steps.push_back(instruction);
        return here() - 1;
    }

    void emit(const Node& node)
    {
        if (m_program.isTooLarge)
            return;
        switch (node.type) {
        case NodeType::Bytes:
            m_program.sets.push_back(node.bytes);
            add({Step::Bytes, 0, static_cast<std::uint32_t>(m_program.sets.size() - 1)});
            break;
        case NodeType::Sequence:
            for (const Node& part : node.parts)
                emit(part);
            break;
        case NodeType::Either:
            emitEither(node.parts);
            break;
        case NodeType::Repeat:
            emitRepeat(node);
            break;
        case NodeType::Begin:
            add({Step::Begin, 0, 0});
            break;
        case NodeType::End:
            add({Step::End, 0, 0});
            break;
        case NodeType::WordEdge:
            add({Step::WordEdge, 0, 0});
            break;
        case NodeType::NoWordEdge:
            add({Step::NoWordEdge, 0, 0});
            break;
        }
    }

    void emitEither(const std::vector<Node>& parts)
    {
        std::vector<std::uint32_t> jumps;
        for (std::size_t i = 0; i < parts.size() && !m_program.isTooLarge; ++i) {
            const bool last = i + 1 == parts.size();
            const std::uint32_t split = last ? 0 : add({Step::Split, here() + 1, 0});
            emit(parts[i]);
            if (!last) {
                jumps.push_back(add({Step::Jump, 0, 0}));
                m_program.steps[split].other = here();
            }
        }
        for (const std::uint32_t jump : jumps)
            m_program.steps[jump].to = here();
    }

    void emitRepeat(const Node& node)
    {
        const Node& part = node.parts.front();
        for (int i = 0; i < node.least && !m_program.isTooLarge; ++i) {
            const std::uint32_t before = here();
            emit(part);
            if (here() == before)
                break; // nothing, however often
        }
        if (node.most == endless) {
            const std::uint32_t split = add({Step::Split, here() + 1, 0});
            emit(part);
            add({Step::Jump, split, 0});
            m_program.steps[split].other = here();
            return;
        }
        std::vector<std::uint32_t> splits;
        for (int i = node.least; i < node.most && !m_program.isTooLarge; ++i) {
            const std::uint32_t split = add({Step::Split, here() + 1, 0});
            splits.push_back(split);
            const std::uint32_t before = here();
            emit(part);
            if (here() == before)
                break;
        }
        for (const std::uint32_t split : splits)
            m_program.steps[split].other = here();
    }

    Program m_program;
};

} // namespace

/// Runs a program. A state of the table is the set of instructions that the machine is at before the next
/// byte, and what the byte before was; its transitions are made when a text first needs them.
class RegularExpression::Machine {
public:
    explicit Machine(Program program)
        : m_program(std::move(program)),
          m_seen(m_program.steps.size(), 0)
    {
    }

    bool isIn(std::string_view text)
    {
        std::uint32_t state = stateOf({{0}, true, false});
        for (std::size_t i = 0; i <= text.size(); ++i) {
            const unsigned input = i < text.size() ? static_cast<unsigned char>(text[i]) : atEnd;
            std::int32_t next = m_table[state][input];
            if (next == unknown) {
                if (isExhausted())
                    return false;
                next = transition(state, input);
            }
            if (next == matched)
                return true;
            state = static_cast<std::uint32_t>(next);
        }
        return false;
    }

    bool isExhausted() const { return m_steps > mostSteps; }

private:
    static constexpr unsigned atEnd = 256;
    static constexpr std::int32_t unknown = -1;
    static constexpr std::int32_t matched = -2;
    static constexpr std::size_t mostStates = 1'000; // a kilobyte each

    struct State {
        std::vector<std::uint32_t> at; ///< sorted
        bool isFirst = false; ///< nothing came before
        bool afterWord = false; ///< a letter, digit or _ came before
        friend auto operator<=>(const State&, const State&) = default;
    };

    std::uint32_t stateOf(State state)
    {
        const auto found = m_numbers.find(state);
        if (found != m_numbers.end())
            return found->second;
        if (m_states.size() >= mostStates) {
            m_states.clear();
            m_table.clear();
            m_numbers.clear();
        }
        const auto number = static_cast<std::uint32_t>(m_states.size());
        m_table.emplace_back().fill(unknown);
        m_states.push_back(state);
        m_numbers.emplace(std::move(state), number);
        return number;
    }

    bool passes(Step step, const State& state, unsigned input) const
    {
        const bool edge = state.afterWord != (input != atEnd && isWordByte(input));
        switch (step) {
        case Step::Begin:
            return state.isFirst;
        case Step::End:
            return input == atEnd;
        case Step::WordEdge:
            return edge;
        default:
            return !edge;
        }
    }

    std::int32_t transition(std::uint32_t from, unsigned input)
    {
        const State state = m_states[from]; // a copy: the table may be emptied below
        State next{{0}, false, input != atEnd && isWordByte(input)};
        ++m_round;
        std::vector<std::uint32_t> open(state.at.rbegin(), state.at.rend());
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            if (m_seen[at] == m_round)
                continue;
            m_seen[at] = m_round;
            ++m_steps;
            const Instruction& instruction = m_program.steps[at];
            if (instruction.step == Step::Match)
                return remember(from, input, matched);
            if (instruction.step == Step::Bytes) {
                if (input != atEnd && m_program.sets[instruction.other][input])
                    next.at.push_back(at + 1);
            } else if (instruction.step == Step::Split || instruction.step == Step::Jump) {
                open.push_back(instruction.to);
                if (instruction.step == Step::Split)
                    open.push_back(instruction.other);
            } else if (passes(instruction.step, state, input)) {
                open.push_back(at + 1);
            }
        }
        std::ranges::sort(next.at);
        m_steps += next.at.size();
        const std::size_t before = m_states.size();
        const std::uint32_t to = stateOf(std::move(next));
        if (m_states.size() < before)
            return static_cast<std::int32_t>(to); // the table is a new one, in which `from` has no place
        return remember(from, input, static_cast<std::int32_t>(to));
    }

    std::int32_t remember(std::uint32_t from, unsigned input, std::int32_t to)
    {
        m_table[from][input] = to;
        return to;
    }

    Program m_program;
    std::vector<std::uint64_t> m_seen; ///< the round in which an instruction was last come to
    std::uint64_t m_round = 0;
    std::uint64_t m_steps = 0;
    std::vector<State> m_states;
    std::vector<std::array<std::int32_t, 257>> m_table; ///< by state and byte, 256: the text ends
    std::map<State, std::uint32_t> m_numbers;
};

RegularExpression::RegularExpression(std::string_view text)
{
    if (text.size() > longestExpression) {
        m_mistake = TextMistake{longestExpression, text.size() - longestExpression,
            "A regular expression has no more than 2,000 characters"};
        return;
    }
    Parser parser(text);
    const Node tree = parser.parse();
    if (parser.mistake()) {
        m_mistake = parser.mistake();
        return;
    }
    Program program = Emitter().emitAll(tree);
    if (program.isTooLarge)
        m_mistake = TextMistake{0, text.size(), "The regular expression is too large"};
    else
        m_machine = std::make_unique<Machine>(std::move(program));
}

RegularExpression::~RegularExpression() = default;
RegularExpression::RegularExpression(RegularExpression&&) noexcept = default;
RegularExpression& RegularExpression::operator=(RegularExpression&&) noexcept = default;

bool RegularExpression::isIn(std::string_view text)
{
    return m_machine && m_machine->isIn(text);
}

bool RegularExpression::isExhausted() const
{
    return m_machine && m_machine->isExhausted();
}

} // namespace warpline
