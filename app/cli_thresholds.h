#pragma once

#include "core/base/result.h"
#include "core/findings/rule.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpline::cli {

std::vector<std::string> severityNames(); ///< "info", "low", "medium", "high"
Severity severityNamed(std::string_view name); ///< one of severityNames()

/// "there is no rule 'x'", with similar names and where to find all.
Message noRule(std::string_view name);

/// Thresholds of rules that the user set, in the form that runRules() takes. Keeps the texts they point to.
class ThresholdSettings {
public:
    /// "RULE.KEY=VALUE": "gpu_gaps.min_gap_ns=5ms", "launch_bound.min_idle=10%". Times take the units of
    /// --range, others a plain number. Errors: an unknown rule or threshold (lists the known ones), not a
    /// number, a negative one. The last setting of a threshold counts.
    Result<void> set(std::string_view text);

    const std::vector<Threshold>& overrides() const { return m_overrides; }

private:
    std::vector<Threshold> m_overrides; ///< keys "rule.key"; the texts are in m_keys
    std::vector<std::shared_ptr<const std::string>> m_keys;
};

/// One "KEY = VALUE" of a configuration file.
struct ConfigLine {
    std::string key;
    std::string value;
};
/// The lines of the configuration file at `path`: "key = value"; ignores blank lines and text after #.
/// Errors, with file and line: the file cannot be read, a line without =.
Result<std::vector<ConfigLine>> readConfig(const std::string& path);

} // namespace warpline::cli
