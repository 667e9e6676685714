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

/// A place in a text that somebody typed, and what is wrong there.
struct TextMistake {
    std::size_t place = 0; ///< byte of the text
    std::size_t length = 0; ///< bytes that are wrong; 0: something is missing at `place`
    Message message; ///< a sentence without its full stop: what is wrong, and what is expected
    friend bool operator==(const TextMistake&, const TextMistake&) = default;
};

/// A regular expression as ECMAScript writes it, without look-ahead and back references: letters, `.`,
/// `[a-z]`,
/// `\d \w \s \b`, `^ $`, `* + ? {2,5}`, `|`, `( )`. Letters of ASCII match without regard to case, bytes are
/// looked at one by one. It becomes a machine that is in many states at once (Thompson, CACM 11/6, 1968),
/// kept as a table as far as texts led (lazily made deterministic), so that no expression searches longer
/// than the text is long, times the expression's own length, and none takes a deep stack: std::regex does
/// either.
class RegularExpression {
public:
    /// A text with a mistake, or too large a one, matches nothing: see mistake().
    explicit RegularExpression(std::string_view text);
    ~RegularExpression();
    RegularExpression(RegularExpression&&) noexcept;
    RegularExpression& operator=(RegularExpression&&) noexcept;

    const std::optional<TextMistake>& mistake() const { return m_mistake; }
    /// Whether any part of `text` matches. O(text), more while the table grows. Not for two threads at once.
    bool isIn(std::string_view text);
    /// True when so much work was done for texts that the rest was not searched; see `maxSteps`.
    bool isExhausted() const;

    static constexpr std::size_t longestExpression = 2'000; ///< bytes
    static constexpr std::size_t maxInstructions = 2'000; ///< what a{1000} unrolls to
    static constexpr std::uint64_t maxSteps = 400'000'000; ///< of the machine in all texts: some seconds

private:
    class Machine;
    std::unique_ptr<Machine> m_machine;
    std::optional<TextMistake> m_mistake;
};

} // namespace warpline
