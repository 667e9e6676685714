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

/// Reads the output of `analyze --format json` or ndjson. For an id in several reports the largest saving
/// counts. Error: it is not such a document.
Result<FindingsBaseline> baselineFrom(std::string_view text, const std::string& path);

/// The conditions under which an analysis fails: analyze --fail-on, --baseline and --exclude.
struct FindingsGate {
    std::optional<Severity> failOn; ///< the least severity that fails; nothing: none does
    std::optional<FindingsBaseline> baseline; ///< its findings fail only when they have grown
    std::set<std::string, std::less<>> excluded; ///< ids of rules that are left out

    /// "new", "grown" or "known"; empty: there is no baseline. Grown: the saving increased by more than a
    /// tenth, and by more than a hundredth of the measured time.
    std::string_view sinceBaseline(const Trace& trace, const Finding& finding) const;
    bool fails(const Trace& trace, const Finding& finding) const;
    /// Removes findings of excluded rules from `findings`. Findings merged into them stay, separately.
    void leaveOut(std::vector<Finding>& findings) const;
};

} // namespace warpline
