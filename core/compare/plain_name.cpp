#include "core/compare/kernel_match.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warpline {

namespace {

constexpr std::array<std::string_view, 9> types{"f", "bf", "fp", "tf", "int", "uint", "float", "bfloat", "e"};

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Whether the letters just before `place` are the name of a type of numbers.
bool isBehindType(std::string_view text, std::size_t place)
{
    std::size_t first = place;
    while (first > 0 && isLetter(text[first - 1]))
        --first;
    return std::ranges::find(types, text.substr(first, place - first)) != types.end();
}

struct Spelling {
    std::string_view written;
    std::string_view common;
};
/// Longer spellings before their prefixes.
constexpr std::array spellings{Spelling{"(bool)0", "false"}, Spelling{"(bool)1", "true"},
    Spelling{"(unsigned int)", ""}, Spelling{"(unsigned long)", ""}, Spelling{"(unsigned short)", ""},
    Spelling{"(unsigned char)", ""}, Spelling{"(int)", ""}, Spelling{"(long)", ""}, Spelling{"(short)", ""},
    Spelling{"(char)", ""}, Spelling{"(signed char)", ""}, Spelling{"<unnamed>", "(anonymousnamespace)"}};

} // namespace

std::string commonKernelName(std::string_view name)
{
    std::string common;
    for (std::size_t i = 0; i < name.size();) {
        const std::string_view rest = name.substr(i);
        const auto* const found = std::ranges::find_if(
            spellings, [&](const Spelling& spelling) { return rest.starts_with(spelling.written); });
        // A cast stands before a number; "(int)" at the end of a name is its parameters.
        const bool cast = found != spellings.end()
            && (!found->common.empty()
                || (rest.size() > found->written.size()
                    && (isDigit(rest[found->written.size()]) || rest[found->written.size()] == '-')));
        if (cast) {
            common += found->common;
            i += found->written.size();
        } else if (name[i] != ' ') {
            common += name[i++];
        } else {
            ++i;
        }
    }
    return common;
}

std::string plainKernelName(std::string_view label)
{
    std::string plain;
    for (std::size_t i = 0; i < label.size();) {
        if (!isDigit(label[i])) {
            plain += label[i++];
            continue;
        }
        const bool keep = isBehindType(label, i);
        const std::size_t first = i;
        // "128x64x8" is one size
        while (i < label.size()
            && (isDigit(label[i])
                || (!keep && label[i] == 'x' && i + 1 < label.size() && isDigit(label[i + 1]))))
            ++i;
        plain += keep ? label.substr(first, i - first) : std::string_view("#");
    }
    return plain;
}

} // namespace warpline
