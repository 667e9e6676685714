#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpline {

/// Recursive-descent parser of a mangled name, see demangled(). Keeps the parsed parts in order, because
/// later parts refer to them by number.
class MangledReader {
public:
    /// Not a mangled name, or unsupported.
    struct Failed { };

    static constexpr std::size_t longestName = std::size_t{1}
        << 16U; ///< references may double a name each time

    explicit MangledReader(std::string_view text)
        : m_rest(text)
    {
    }

    /// The name, readable. Throws Failed.
    std::string name();

private:
    static constexpr int deepest = 200;
    using Words = std::pair<std::string_view, std::string_view>; ///< code, meaning

    /// A type or a name, split into the text before and after the declared entity.
    struct Part {
        std::string before;
        std::string after; ///< of functions and arrays
        std::string_view source{}; ///< where it uses template parameters: parsed again in each function
        std::string whole() const { return before + after; }
    };

    /// Properties of a name other than its text.
    struct Name {
        std::string text;
        bool isTemplate = false; ///< its arguments come last
        bool hasNoReturn = false; ///< a constructor, destructor or conversion
        std::string qualifiers; ///< " const" of a member function
    };

    bool take(std::string_view word)
    {
        if (!m_rest.starts_with(word))
            return false;
        m_rest.remove_prefix(word.size());
        return true;
    }
    void expect(std::string_view word)
    {
        if (!take(word))
            throw Failed();
    }
    char next() const { return m_rest.empty() ? '\0' : m_rest.front(); }
    char after() const { return m_rest.size() < 2 ? '\0' : m_rest[1]; }
    bool isDigit() const { return next() >= '0' && next() <= '9'; }
    template <std::size_t count> std::string_view known(const std::array<Words, count>& words)
    {
        for (const auto& [code, text] : words) {
            if (take(code))
                return text;
        }
        return {};
    }
    /// Bounds the output, however often the name refers to itself.
    void count(const std::string& text);
    Part remember(Part part);

    struct Deeper {
        explicit Deeper(int& depth)
            : m_depth(depth)
        {
            if (++m_depth > deepest) {
                --m_depth;
                throw Failed();
            }
        }
        ~Deeper() { --m_depth; }
        Deeper(const Deeper&) = delete;
        Deeper& operator=(const Deeper&) = delete;
        int& m_depth;
    };

    std::size_t number();
    /// "_" is 0, "0_" 1: digits and capitals, where `base` is 36.
    std::size_t sequence(std::size_t base);

    /// For functions around a local name c++filt omits the return type.
    std::string encoding(bool isAround = false);

    /// Types up to the end: "(int, float*)".
    std::string parameters();
    bool isReferenceQualifier() const { return (next() == 'R' || next() == 'O') && after() == 'E'; }
    Name functionName();
    Name nested(bool ofFunction);
    std::string unqualified(const std::string& last, Name& name);

    /// A name inside a function.
    Name local();
    Part substitution();
    std::string templateParameter();

    /// "<4, float>"; `ofFunction`: its parameters refer to them.
    std::string templateArguments(bool ofFunction);
    std::string templateArgument();

    /// The few that are no computation: the address of a function, a value.
    std::string expression();
    std::string literal();
    Part type();
    Part readType();
    Part fromSubstitution();
    Part qualified();
    Part pointer(const char* sign);
    Part function();
    Part array();

    std::string_view m_rest;
    std::vector<Part> m_seen;
    std::vector<std::vector<std::string>> m_arguments{{}}; ///< of the functions around, the innermost last
    std::size_t m_written = 0;
    std::size_t m_types = 0; ///< read
    std::size_t m_parameters = 0; ///< of templates, read
    bool m_isAgain = false; ///< substitutions are parsed again
    int m_depth = 0;
};

} // namespace warpline
