#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::cli {

/// What the user gave for a range: nanoseconds on the report's clock. A side left out is that end of the
/// session.
struct RangeArgument {
    std::optional<Ns> from;
    std::optional<Ns> to;
    bool isTyped = false; ///< "--range :" is, and means the session

    bool isGiven() const { return from || to; }
    /// The range meant, in a report whose events span `session`.
    TimeRange within(TimeRange session) const
    {
        return {from.value_or(session.start), to.value_or(session.end)};
    }
};

/// "FROM:TO" of two instants; either may be left out. Errors: no colon, no number, a range that is empty.
Result<RangeArgument> parseRange(std::string_view text);
/// The same of --range FROM:TO, or of --from and --to. Error: both are given.
Result<RangeArgument> parseRange(const std::string& range, const std::string& from, const std::string& to);
/// "--range: ...": what is wrong with the value of an option.
Message ofOption(std::string option, Message problem);
/// The parts of `text` between commas (or newlines: an option given twice), blanks around them cut off, empty
/// ones left out.
std::vector<std::string> splitList(std::string_view text);
/// For check() of an option that takes a number with a fraction, before its range: "nan" passes every
/// comparison, and a gate with it would never fail. Empty: `text` is finite, or no number.
std::string finiteProblem(const std::string& text);

} // namespace warpline::cli
