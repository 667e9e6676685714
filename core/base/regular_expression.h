#pragma once

#include "core/base/message.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// A place in a text of the user, and the mistake there.
struct TextMistake {
    std::size_t place = 0; ///< byte of the text
    std::size_t length = 0; ///< bytes that are wrong; 0: something is missing at `place`
    Message message; ///< a sentence without its full stop: the mistake and what is expected
    friend bool operator==(const TextMistake&, const TextMistake&) = default;
};

/// A regular expression in ECMAScript's syntax without look-ahead and back references: letters, `.`, `[a-z]`,
/// `\d \w \s \b`, `^ $`, `* + ? {2,5}`, `|`, `( )`. ASCII letters match both cases; bytes are matched one by
/// one. Runs as a lazily built DFA of Thompson's NFA (CACM 11/6, 1968): a search takes at most the length of
/// the text times that of the expression, and no deep stack. std::regex guarantees neither.
class RegularExpression {
public:
    /// An expression that has a mistake or is too large matches nothing: see mistake().
    explicit RegularExpression(std::string_view text);
    ~RegularExpression();
    RegularExpression(RegularExpression&&) noexcept;
    RegularExpression& operator=(RegularExpression&&) noexcept;

    const std::optional<TextMistake>& mistake() const { return m_mistake; }
    /// Whether any part of `text` matches. O(text), plus the table's growth. Not thread-safe.
    bool isIn(std::string_view text);
    /// True when the work exceeded `maxSteps` and the remaining texts were not searched.
    bool isExhausted() const;

    static constexpr std::size_t longestExpression = 2'000; ///< bytes
    static constexpr std::size_t maxInstructions = 2'000; ///< a{1000} unrolls to this many
    static constexpr std::uint64_t maxSteps = 400'000'000; ///< over all texts: some seconds

private:
    class Machine;
    std::unique_ptr<Machine> m_machine;
    std::optional<TextMistake> m_mistake;
};

} // namespace warpline
