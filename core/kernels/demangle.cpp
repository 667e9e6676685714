// Names of mangled functions; their types are in mangled_types.cpp.

#include "core/kernels/demangle.h"

#include "core/kernels/mangled_reader.h"

#include <algorithm>

namespace warpline {

namespace {

using Words = std::pair<std::string_view, std::string_view>;

constexpr std::array<Words, 41> operators{{{"cl", "()"}, {"ix", "[]"}, {"pl", "+"}, {"mi", "-"}, {"ml", "*"},
    {"dv", "/"}, {"rm", "%"}, {"an", "&"}, {"or", "|"}, {"eo", "^"}, {"aS", "="}, {"pL", "+="}, {"mI", "-="},
    {"mL", "*="}, {"dV", "/="}, {"rM", "%="}, {"aN", "&="}, {"oR", "|="}, {"eO", "^="}, {"ls", "<<"},
    {"rs", ">>"}, {"lS", "<<="}, {"rS", ">>="}, {"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"gt", ">"},
    {"le", "<="}, {"ge", ">="}, {"nt", "!"}, {"aa", "&&"}, {"oo", "||"}, {"pp", "++"}, {"mm", "--"},
    {"cm", ","}, {"pt", "->"}, {"ps", "+"}, {"ng", "-"}, {"ad", "&"}, {"de", "*"}, {"co", "~"}}};

/// "Kernel" of "cutlass::Kernel<int>".
std::string lastPart(const std::string& name)
{
    int angles = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        angles += name[i] == '>' ? 1 : name[i] == '<' ? -1 : 0;
        if (angles == 0 && name[i] == ':') {
            const std::string part = name.substr(i + 1);
            return part.substr(0, part.find('<'));
        }
    }
    return name.substr(0, name.find('<'));
}

} // namespace

std::string MangledReader::name()
{
    expect("_Z");
    std::string text = encoding();
    // Suffixes that compilers add to copies of a function: "_Z3foov.kd", ".isra.0".
    if (!m_rest.empty() && !m_rest.starts_with('.'))
        throw Failed();
    return text;
}

void MangledReader::count(const std::string& text)
{
    m_written += text.size();
    if (m_written > longestName * 16 || text.size() > longestName)
        throw Failed();
}

MangledReader::Part MangledReader::remember(Part part)
{
    count(part.before);
    part.source = {};
    if (!m_isAgain)
        m_seen.push_back(part);
    return part;
}

std::size_t MangledReader::number()
{
    if (!isDigit())
        throw Failed();
    std::size_t value = 0;
    while (isDigit() && value < longestName) {
        value = value * 10 + static_cast<std::size_t>(next() - '0');
        m_rest.remove_prefix(1);
    }
    return value;
}

std::size_t MangledReader::sequence(std::size_t base)
{
    if (take("_"))
        return 0;
    std::size_t value = 0;
    while (!take("_")) {
        const char c = next();
        const bool isLetter = base == 36 && c >= 'A' && c <= 'Z';
        if ((!isDigit() && !isLetter) || value > longestName)
            throw Failed();
        value = value * base + static_cast<std::size_t>(isLetter ? c - 'A' + 10 : c - '0');
        m_rest.remove_prefix(1);
    }
    return value + 1;
}

std::string MangledReader::encoding(bool isAround)
{
    const Deeper deeper(m_depth);
    std::vector<std::vector<std::string>> outer = std::exchange(m_arguments, {{}});
    Name name = functionName();
    std::string text = name.text;
    if (!m_rest.empty() && next() != 'E' && next() != '.') {
        Part result;
        if (name.isTemplate && !name.hasNoReturn) {
            result = type();
            result = isAround ? Part() : Part{result.before + ' ', result.after};
        }
        text = result.before + text + parameters() + name.qualifiers + result.after;
    }
    m_arguments = std::move(outer);
    count(text);
    return text;
}

MangledReader::Name MangledReader::functionName()
{
    if (next() == 'N')
        return nested(true);
    if (next() == 'Z')
        return local();
    Name name;
    if (next() == 'S' && after() != 't') {
        name.text = substitution().whole();
    } else {
        name.text = take("St") ? "std::" + unqualified({}, name) : unqualified({}, name);
        if (next() == 'I')
            remember({name.text, {}});
    }
    if (next() == 'I') {
        name.text += templateArguments(true);
        name.isTemplate = true;
    }
    return name;
}

MangledReader::Name MangledReader::nested(bool ofFunction)
{
    const Deeper deeper(m_depth);
    expect("N");
    Name name;
    std::string qualifiers;
    while (next() == 'r' || next() == 'V' || next() == 'K') {
        qualifiers += take("K") ? " const" : take("V") ? " volatile" : (take("r"), " restrict");
    }
    if ((next() == 'R' || next() == 'O') && after() != '\0')
        qualifiers += take("R") ? " &" : (take("O"), " &&");
    name.qualifiers = qualifiers;
    bool isRemembered = false; // the last part
    std::string last; // without template arguments: the name of constructors
    while (!take("E")) {
        isRemembered = true;
        if (next() == 'I') {
            if (name.text.empty())
                throw Failed();
            name.text += templateArguments(ofFunction);
            name.isTemplate = true;
        } else if (next() == 'S' && after() != 't') {
            if (!name.text.empty())
                throw Failed();
            name.text = substitution().whole();
            last = lastPart(name.text);
            isRemembered = false;
            continue;
        } else if (next() == 'T') {
            name.text = templateParameter();
        } else if (take("St")) {
            name.text = "std";
            continue;
        } else {
            name.hasNoReturn = false;
            const std::string part = unqualified(last, name);
            name.text += (name.text.empty() ? "" : "::") + part;
            last = part;
            name.isTemplate = false;
        }
        remember({name.text, {}});
    }
    if (isRemembered && !m_isAgain)
        m_seen.pop_back(); // the whole is remembered as a type, where it is one
    if (name.text.empty())
        throw Failed();
    return name;
}

std::string MangledReader::unqualified(const std::string& last, Name& name)
{
    std::string text;
    take("L"); // of this file only
    if (isDigit()) {
        const std::size_t length = number();
        if (length == 0 || length > m_rest.size())
            throw Failed();
        text = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        if (text.starts_with("_GLOBAL__N"))
            text = "(anonymous namespace)";
    } else if (take("Ul")) {
        const std::string list = parameters();
        expect("E");
        text = "{lambda" + list + "#" + std::to_string(sequence(10) + 1) + "}";
    } else if (take("Ut")) {
        text = "{unnamed type#" + std::to_string(sequence(10) + 1) + "}";
    } else if (next() == 'C' || (next() == 'D' && after() >= '0' && after() <= '5')) {
        text = (next() == 'D' ? "~" : "") + last;
        m_rest.remove_prefix(std::min<std::size_t>(2, m_rest.size()));
        name.hasNoReturn = true;
    } else if (take("cv")) {
        text = "operator " + type().whole();
        name.hasNoReturn = true;
    } else if (const std::string_view word = known(operators); !word.empty()) {
        text = "operator" + std::string(word);
    } else {
        throw Failed();
    }
    while (take("B")) {
        const std::size_t length = number();
        if (length > m_rest.size())
            throw Failed();
        text += "[abi:" + std::string(m_rest.substr(0, length)) + "]";
        m_rest.remove_prefix(length);
    }
    return text;
}

MangledReader::Name MangledReader::local()
{
    const Deeper deeper(m_depth);
    expect("Z");
    const std::string around = encoding(true) + "::";
    expect("E");
    Name name;
    if (take("s")) {
        name.text = "string literal";
    } else {
        const std::string argument
            = take("d") ? "{default arg#" + std::to_string(sequence(10) + 1) + "}::" : std::string();
        name = functionName();
        name.text.insert(0, argument);
    }
    name.text.insert(0, around);
    if (take("__")) {
        number();
        expect("_");
    } else if (next() == '_' && after() >= '0' && after() <= '9') {
        m_rest.remove_prefix(2);
    }
    return name;
}

std::string demangled(std::string_view mangled)
{
    if (!mangled.starts_with("_Z") || mangled.size() > MangledReader::longestName)
        return {};
    try {
        return MangledReader(mangled).name();
    } catch (const MangledReader::Failed&) {
        return {};
    }
}

} // namespace warpline
