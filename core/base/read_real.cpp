#include "core/base/read_real.h"

#include "core/base/ascii_case.h"

#include <algorithm>
#include <cmath>
#include <string>

#if !defined(_WIN32)
#include <clocale>
#include <cstdlib>
#if defined(__APPLE__)
#include <xlocale.h>
#else
#include <locale.h>
#endif
#endif

namespace warpline {

#if !defined(_WIN32)
namespace {

std::size_t digitsFrom(std::string_view text, std::size_t at)
{
    return static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), isDigit) - text.begin());
}

bool continuesWith(std::string_view text, std::size_t at, std::string_view word)
{
    return text.size() >= at + word.size()
        && std::ranges::equal(text.substr(at, word.size()), word, {}, lowerOf);
}

/// How much of `text` is a number to std::from_chars, which is stricter than C: no space or plus before it,
/// no hexadecimals.
std::size_t lengthOfReal(std::string_view text)
{
    const std::size_t begin = text.starts_with('-') ? 1 : 0;
    for (const std::string_view word : {"infinity", "inf", "nan"}) {
        if (continuesWith(text, begin, word))
            return begin + word.size();
    }
    std::size_t end = digitsFrom(text, begin);
    std::size_t digits = end - begin;
    if (end < text.size() && text[end] == '.') {
        const std::size_t last = digitsFrom(text, end + 1);
        digits += last - end - 1;
        end = last;
    }
    if (digits == 0)
        return 0;
    if (end < text.size() && lowerOf(text[end]) == 'e') {
        const std::size_t exponent
            = end + (end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 2 : 1);
        if (const std::size_t last = digitsFrom(text, std::min(exponent, text.size())); last > exponent)
            end = last;
    }
    return end;
}

template <typename Real, typename Convert>
std::from_chars_result readByC(std::string_view text, Real& value, Convert convert)
{
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    const std::string number(text.substr(0, lengthOfReal(text)));
    if (number.empty())
        return {text.data(), std::errc::invalid_argument};
    const char* const end = text.data() + number.size();
    const Real read = convert(number.c_str(), nullptr, plain);
    const bool isZero = number.find_first_of("123456789") >= number.find_first_of("eE");
    const bool isWord
        = lowerOf(number.back()) == 'f' || lowerOf(number.back()) == 'n' || lowerOf(number.back()) == 'y';
    if ((std::isinf(read) && !isWord) || (read == 0 && !isZero))
        return {end, std::errc::result_out_of_range};
    value = read;
    return {end, std::errc()};
}

} // namespace

std::from_chars_result readRealByC(std::string_view text, double& value)
{
    return readByC(text, value, strtod_l);
}

std::from_chars_result readRealByC(std::string_view text, long double& value)
{
    return readByC(text, value, strtold_l);
}
#endif

#if defined(__cpp_lib_to_chars) || defined(_WIN32)
std::from_chars_result readReal(std::string_view text, double& value)
{
    return std::from_chars(text.data(), text.data() + text.size(), value);
}
#else
std::from_chars_result readReal(std::string_view text, double& value)
{
    return readRealByC(text, value);
}
#endif

std::from_chars_result readReal(std::string_view text, long double& value)
{
#if defined(_WIN32)
    return std::from_chars(text.data(), text.data() + text.size(), value);
#else
    return readRealByC(text, value); // libstdc++ 12 looks behind the end of the text
#endif
}

} // namespace warpline
