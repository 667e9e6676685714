#pragma once

#include "core/findings/rule.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warpline {

/// The thresholds that the user changed, as runRules() takes them. Kept in QSettings under
/// "rules/RULE.THRESHOLD"; what equals the default is not kept.
class RuleSettings {
public:
    /// Reads the settings.
    static RuleSettings stored();

    std::span<const Threshold> overrides() const { return m_overrides; }
    /// The user's value, else the default.
    static double value(const Rule& rule, const Threshold& threshold);
    static void setValue(const Rule& rule, const Threshold& threshold, double value);

private:
    std::vector<std::unique_ptr<std::string>> m_keys; ///< what the overrides' keys point to
    std::vector<Threshold> m_overrides;
};

} // namespace warpline
