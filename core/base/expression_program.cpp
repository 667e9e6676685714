#include "core/base/expression_program.h"

#include <utility>

namespace warpline::expression {

namespace {

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
        if (m_program.steps.size() > RegularExpression::maxInstructions)
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
                break; // a repetition of nothing is nothing
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

Program programOf(const Node& tree)
{
    return Emitter().emitAll(tree);
}

} // namespace warpline::expression
