// A text becomes a tree (expression_tree), the tree a program (expression_program), and Machine runs the
// program. Each of the three is bounded: nesting by `deepest`, the program by maxInstructions, the search by
// maxSteps.

#include "core/base/regular_expression.h"

#include "core/base/expression_program.h"

#include <algorithm>

namespace warpline {

/// Runs a program. A state is the set of instructions that are active before the next byte, and the byte
/// before; transitions are computed when a text first needs them.
class RegularExpression::Machine {
public:
    explicit Machine(expression::Program program)
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

    bool isExhausted() const { return m_steps > maxSteps; }

private:
    using Step = expression::Step;

    static constexpr unsigned atEnd = 256;
    static constexpr std::int32_t unknown = -1;
    static constexpr std::int32_t matched = -2;
    static constexpr std::size_t maxStates = 1'000; // a kilobyte each

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
        if (m_states.size() >= maxStates) {
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
        const bool edge = state.afterWord != (input != atEnd && expression::isWordByte(input));
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
        State next{{0}, false, input != atEnd && expression::isWordByte(input)};
        ++m_round;
        std::vector<std::uint32_t> open(state.at.rbegin(), state.at.rend());
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            if (m_seen[at] == m_round)
                continue;
            m_seen[at] = m_round;
            ++m_steps;
            const expression::Instruction& instruction = m_program.steps[at];
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

    expression::Program m_program;
    std::vector<std::uint64_t> m_seen; ///< the last round that reached an instruction
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
            {"regex.too_long", "A regular expression is limited to 2,000 characters"}};
        return;
    }
    const expression::Tree tree = expression::treeOf(text);
    if (tree.mistake) {
        m_mistake = tree.mistake;
        return;
    }
    expression::Program program = expression::programOf(tree.all);
    if (program.isTooLarge)
        m_mistake = TextMistake{0, text.size(), {"regex.too_large", "The regular expression is too large"}};
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
