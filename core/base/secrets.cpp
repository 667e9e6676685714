#include "core/base/secrets.h"

#include "core/base/ascii_case.h"
#include "core/base/read_real.h"
#include "core/base/words.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>

namespace warpline {

namespace {

/// "--tokens 512" is a count and "secret_sharing=true" a switch: no credentials.
bool isPlainFigure(std::string_view name, std::string_view value)
{
    if (value == "true" || value == "false")
        return true;
    double number = 0;
    const auto [end, problem] = readReal(value, number);
    return containsWord(name, "tokens") && problem == std::errc() && end == value.data() + value.size();
}

/// "..." for a hidden value, the value where it is a small number, "<...>" where it was blanked before.
std::string_view keptValue(std::string_view value)
{
    if (value.empty() || isSmallNumber(value))
        return value;
    return value.front() == '<' || value.front() == '*' ? "<...>" : hiddenValue;
}

void hideIn(std::string& text, std::vector<std::string>& hidden)
{
    text = withoutCredentials(text, &hidden).value_or(text);
}

} // namespace

std::string namesOfVariables(std::string_view text)
{
    constexpr std::string_view separators("\n;\" ,\0", 6);
    std::string names;
    for (std::size_t sign = text.find('='); sign != std::string_view::npos; sign = text.find('=', sign + 1)) {
        std::size_t begin = sign;
        while (begin > 0 && isIdentifierPart(text[begin - 1]))
            --begin;
        const bool startsWord = begin == 0 || separators.find(text[begin - 1]) != std::string_view::npos;
        if (!startsWord || begin == sign)
            continue;
        const std::size_t end = std::min(text.find_first_of(separators, sign + 1), text.size());
        if (!names.empty())
            names += '\n';
        names += text.substr(begin, sign + 1 - begin);
        names += keptValue(text.substr(sign + 1, end - sign - 1));
    }
    return names;
}

std::vector<std::string> hideCredentials(std::vector<std::string*>& arguments)
{
    std::vector<std::string> hidden;
    std::string secret; // the option before, which wants a value
    for (std::string* const argument : arguments) {
        const std::string option = std::exchange(secret, {});
        if (!option.empty() && !argument->empty() && argument->front() != '-') {
            if (!isPlainFigure(option, *argument))
                hidden.push_back(std::exchange(*argument, std::string(hiddenValue)));
            continue;
        }
        const std::size_t sign = argument->find('=');
        const std::string name = argument->substr(0, sign);
        if (looksSecret(name)) {
            if (sign == std::string::npos)
                secret = name.starts_with('-') ? name : std::string();
            else if (sign + 1 < argument->size() && !isPlainFigure(name, argument->substr(sign + 1))) {
                hidden.push_back(argument->substr(sign + 1));
                argument->replace(sign + 1, std::string::npos, hiddenValue);
            }
        }
        hideIn(*argument, hidden); // users of addresses
    }
    return hidden;
}

bool holdsVariables(std::string_view fact)
{
    return containsWord(fact, "environment");
}

std::vector<std::string> hideSecrets(std::vector<std::pair<std::string, std::string>>& facts)
{
    std::vector<std::string> hidden;
    std::map<std::string, std::multimap<std::uint32_t, std::string*>> programs; // arguments in their order
    for (auto& [name, value] : facts) {
        constexpr std::string_view key = "ARGUMENT_";
        const std::size_t at = name.rfind(key);
        std::uint32_t number = 0;
        if (holdsVariables(name)) {
            withoutCredentials(value, &hidden);
            value = namesOfVariables(value);
        } else if (at != std::string::npos
            && std::from_chars(name.data() + at + key.size(), name.data() + name.size(), number).ec
                == std::errc())
            programs[name.substr(0, at)].emplace(number, &value);
        else if (looksSecret(name) && !isPlainFigure(name, value) && keptValue(value) != value)
            hidden.push_back(std::exchange(value, std::string(keptValue(value))));
        else
            hideIn(value, hidden);
    }
    for (const auto& [program, numbered] : programs) {
        std::vector<std::string*> arguments;
        for (const auto& [number, argument] : numbered)
            arguments.push_back(argument);
        std::ranges::move(hideCredentials(arguments), std::back_inserter(hidden));
    }
    return hidden;
}

} // namespace warpline
