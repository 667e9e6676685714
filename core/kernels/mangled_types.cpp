// Types in mangled names, and template arguments.

#include "core/kernels/mangled_reader.h"

#include <algorithm>

namespace warpline {

namespace {

using Words = std::pair<std::string_view, std::string_view>;

constexpr std::array<Words, 21> builtins{{{"v", "void"}, {"w", "wchar_t"}, {"b", "bool"}, {"c", "char"},
    {"a", "signed char"}, {"h", "unsigned char"}, {"s", "short"}, {"t", "unsigned short"}, {"i", "int"},
    {"j", "unsigned int"}, {"l", "long"}, {"m", "unsigned long"}, {"x", "long long"},
    {"y", "unsigned long long"}, {"n", "__int128"}, {"o", "unsigned __int128"}, {"f", "float"},
    {"d", "double"}, {"e", "long double"}, {"g", "__float128"}, {"z", "..."}}};

constexpr std::array<Words, 9> longBuiltins{
    {{"Dh", "half"}, {"Dn", "decltype(nullptr)"}, {"Da", "auto"}, {"Di", "char32_t"}, {"Ds", "char16_t"},
        {"Du", "char8_t"}, {"DF16b", "std::bfloat16_t"}, {"DF16_", "_Float16"}, {"DF32_", "_Float32"}}};

constexpr std::array<Words, 6> standard{{{"Sa", "std::allocator"}, {"Sb", "std::basic_string"},
    {"Ss", "std::string"}, {"Si", "std::istream"}, {"So", "std::ostream"}, {"Sd", "std::iostream"}}};

} // namespace

std::string MangledReader::parameters()
{
    std::string list;
    while (!m_rest.empty() && next() != 'E' && next() != '.' && !isReferenceQualifier()) {
        const std::string each = type().whole();
        if (!each.empty())
            list += (list.empty() ? "" : ", ") + each;
        count(list);
    }
    return list == "void" ? "()" : "(" + list + ")";
}

MangledReader::Part MangledReader::substitution()
{
    if (const std::string_view word = known(standard); !word.empty())
        return {std::string(word), {}};
    expect("S");
    const std::size_t place = sequence(36);
    if (place >= m_seen.size())
        throw Failed();
    count(m_seen[place].before);
    if (m_seen[place].source.empty())
        return m_seen[place];
    const std::string_view rest = std::exchange(m_rest, m_seen[place].source);
    const bool wasAgain = std::exchange(m_isAgain, true);
    Part part = type();
    m_rest = rest;
    m_isAgain = wasAgain;
    return part;
}

std::string MangledReader::templateParameter()
{
    expect("T");
    ++m_parameters;
    const std::size_t place = sequence(10);
    if (m_arguments.empty() || place >= m_arguments.back().size())
        throw Failed(); // a generic lambda's, or a forward reference
    return m_arguments.back()[place];
}

std::string MangledReader::templateArguments(bool ofFunction)
{
    const Deeper deeper(m_depth);
    expect("I");
    std::vector<std::string> arguments;
    std::string list;
    if (ofFunction)
        m_arguments.back().clear();
    while (!take("E")) {
        const std::string each = templateArgument();
        arguments.push_back(each);
        if (ofFunction)
            m_arguments.back().push_back(each);
        if (!each.empty())
            list += (list.empty() ? "" : ", ") + each;
        count(list);
    }
    if (ofFunction)
        m_arguments.back() = std::move(arguments);
    return "<" + list + (list.ends_with('>') ? " >" : ">");
}

std::string MangledReader::templateArgument()
{
    if (take("Tn")) // the kind of an argument of C++20, then the argument
        type();
    else
        take("Ty");
    if (next() == 'L')
        return literal();
    if (take("X")) {
        std::string text = expression();
        expect("E");
        return text;
    }
    if (!take("J"))
        return type().whole();
    std::string pack;
    while (!take("E")) {
        const std::string each = templateArgument();
        if (!each.empty())
            pack += (pack.empty() ? "" : ", ") + each;
    }
    return pack;
}

std::string MangledReader::expression()
{
    if (take("adL_Z")) {
        std::string text = "&(" + encoding() + ")";
        expect("E");
        return text;
    }
    if (next() == 'L')
        return literal();
    if (next() == 'T')
        return templateParameter();
    throw Failed();
}

std::string MangledReader::literal()
{
    const Deeper deeper(m_depth);
    expect("L");
    if (take("_Z")) {
        std::string text = encoding();
        expect("E");
        return text;
    }
    static constexpr std::array<Words, 6> suffixes{
        {{"i", ""}, {"j", "u"}, {"l", "l"}, {"m", "ul"}, {"x", "ll"}, {"y", "ull"}}};
    if (next() == 'b' && (after() == '0' || after() == '1')) {
        const bool value = after() == '1';
        m_rest.remove_prefix(2);
        expect("E");
        return value ? "true" : "false";
    }
    const auto* const suffix
        = std::ranges::find(suffixes, m_rest.substr(0, 1), [](const Words& each) { return each.first; });
    std::string kind;
    if (suffix != suffixes.end())
        m_rest.remove_prefix(1);
    else
        kind = "(" + type().whole() + ")";
    const std::string sign = take("n") ? "-" : "";
    const std::size_t end = m_rest.find('E');
    if (end == std::string_view::npos)
        throw Failed();
    const std::string digits(m_rest.substr(0, end));
    m_rest.remove_prefix(end + 1);
    if (!std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
        throw Failed(); // a real number in hexadecimal digits
    return kind + sign + digits + (suffix != suffixes.end() ? std::string(suffix->second) : "");
}

MangledReader::Part MangledReader::type()
{
    if (++m_types > longestName)
        throw Failed();
    const std::string_view from = m_rest;
    const std::size_t seen = m_seen.size();
    const std::size_t parameters = m_parameters;
    Part part = readType();
    if (m_seen.size() > seen && m_parameters > parameters)
        m_seen.back().source = from.substr(0, from.size() - m_rest.size());
    return part;
}

MangledReader::Part MangledReader::readType()
{
    const Deeper deeper(m_depth);
    if (const std::string_view word = known(longBuiltins); !word.empty())
        return {std::string(word), {}};
    switch (next()) {
    case 'r':
    case 'V':
    case 'K':
        return qualified();
    case 'P':
        return pointer("*");
    case 'R':
        return pointer("&");
    case 'O':
        return pointer("&&");
    case 'F':
        return remember(function());
    case 'A':
        return remember(array());
    case 'S':
        return fromSubstitution();
    case 'T': {
        const Part parameter = remember({templateParameter(), {}});
        return next() == 'I' ? remember({parameter.whole() + templateArguments(false), {}}) : parameter;
    }
    case 'N':
        return remember({nested(false).text, {}});
    case 'Z':
        return remember({local().text, {}});
    case 'D':
        if (take("Dp"))
            return type();
        throw Failed();
    case 'u':
        m_rest.remove_prefix(1);
        break;
    default:
        break;
    }
    if (isDigit()) {
        Name name;
        const std::string text = unqualified({}, name);
        const Part part = remember({text, {}});
        return next() == 'I' ? remember({text + templateArguments(false), {}}) : part;
    }
    if (const std::string_view word = known(builtins); !word.empty())
        return {std::string(word), {}};
    throw Failed();
}

MangledReader::Part MangledReader::fromSubstitution()
{
    if (after() == 't') {
        m_rest.remove_prefix(2);
        Name name;
        const std::string text = "std::" + unqualified({}, name);
        const Part part = remember({text, {}});
        return next() == 'I' ? remember({text + templateArguments(false), {}}) : part;
    }
    Part part = substitution();
    return next() == 'I' ? remember({part.before + templateArguments(false), part.after}) : part;
}

MangledReader::Part MangledReader::qualified()
{
    std::string words;
    while (next() == 'r' || next() == 'V' || next() == 'K')
        words = (take("K") ? " const" : take("V") ? " volatile" : (take("r"), " restrict")) + words;
    Part part = type();
    if (part.after.empty() || part.after.starts_with(')'))
        part.before += words;
    else
        part.after += words;
    return remember(std::move(part));
}

MangledReader::Part MangledReader::pointer(const char* sign)
{
    m_rest.remove_prefix(1);
    Part part = type();
    // "int&" of a "T&&" that is one already stays "int&".
    if (*sign == '&' && part.after.empty() && part.before.ends_with('&')) {
        if (!part.before.ends_with("&&") || std::string_view(sign) == "&&")
            return remember(std::move(part));
        part.before.pop_back();
        return remember(std::move(part));
    }
    const bool opens = part.after.starts_with('(') || part.after.starts_with(" [");
    if (opens) {
        part.before += part.after.starts_with('(') ? " (" : " (";
        part.after.insert(0, ")");
    }
    part.before += sign;
    return remember(std::move(part));
}

MangledReader::Part MangledReader::function()
{
    expect("F");
    take("Y");
    Part result = type();
    const std::string list = parameters();
    const std::string reference = take("R") ? " &" : take("O") ? " &&" : "";
    expect("E");
    return {result.before, list + reference + result.after};
}

MangledReader::Part MangledReader::array()
{
    expect("A");
    std::string length;
    if (next() != '_')
        length = std::to_string(number());
    expect("_");
    Part element = type();
    return {element.before, " [" + length + "]" + element.after};
}

} // namespace warpline
