#pragma once

#include "core/base/result.h"
#include "core/findings/rule.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpline {

/// The findings of an earlier analysis that are accepted: potential savings by id (see stableId()).
using FindingsBaseline = std::map<std::string, Ns>;

/// Reads what `analyze --format json` or ndjson wrote. Of an id that several reports have the largest saving
/// counts. Error: it is no such document.
Result<FindingsBaseline> baselineFrom(std::string_view text, const std::string& path);

/// What makes an analysis fail: analyze --fail-on, --baseline and --exclude.
struct FindingsGate {
    std::optional<Severity> failOn; ///< the least severity that fails; nothing: none does
    std::optional<FindingsBaseline> baseline; ///< what it has fails only where it has grown
    std::set<std::string, std::less<>> excluded; ///< ids of rules that are left out

    /// "new", "grown" or "known"; empty: there is no baseline. Grown is a saving that is larger by more than
    /// a tenth, and by more than a hundredth of the measured time.
    std::string_view sinceBaseline(const Trace& trace, const Finding& finding) const;
    bool fails(const Trace& trace, const Finding& finding) const;
    /// Takes the findings of excluded rules out of `findings`. What was merged into one stays, on its own.
    void leaveOut(std::vector<Finding>& findings) const;
};

} // namespace warpline
