#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::cli {

/// A range given by the user: nanoseconds on the report's clock. A missing side means that end of the
/// session.
struct RangeArgument {
    std::optional<Ns> from;
    std::optional<Ns> to;
    bool isTyped = false; ///< "--range :" is, and means the session

    bool isGiven() const { return from || to; }
    /// The resulting range, in a report whose events span `session`.
    TimeRange within(TimeRange session) const
    {
        return {from.value_or(session.start), to.value_or(session.end)};
    }
};

/// "FROM:TO" of two instants; either may be left out. Errors: no colon, no number, a range that is empty.
Result<RangeArgument> parseRange(std::string_view text);
/// The same of --range FROM:TO, or of --from and --to. Error: both are given.
Result<RangeArgument> parseRange(const std::string& range, const std::string& from, const std::string& to);
/// "--range: ...": an error in the value of an option.
Message ofOption(std::string option, Message problem);
/// The parts of `text` between commas (or newlines: an option given twice), blanks around them cut off, empty
/// ones left out.
std::vector<std::string> splitList(std::string_view text);
/// For check() of an option with a fractional number, before its range: "nan" passes every comparison, and a
/// gate with it would never fail. Empty: `text` is up to 1e30, or not a number.
std::string finiteProblem(const std::string& text);

} // namespace warpline::cli
