#pragma once

#include "core/findings/rule.h"
#include "core/steps/slow_steps.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warpline {

/// Thresholds changed by the user or a view, for runRules(). The user's are in QSettings under
/// "rules/RULE.THRESHOLD"; defaults are not stored.
class RuleSettings {
public:
    /// Reads the settings.
    static RuleSettings stored();

    std::span<const Threshold> overrides() const { return m_overrides; }
    /// The user's value, else the default.
    static double value(const Rule& rule, const Threshold& threshold);
    /// Thresholds from a view for the open reports, which precede the user's. By "RULE.THRESHOLD"; unknown
    /// names are ignored. Empty: none any more.
    static void setOfView(const std::map<std::string, double>& thresholds);
    /// Those of the view that the user has not changed since.
    static std::map<std::string, double> ofView();
    /// All that differ from the defaults, the view's included.
    static std::map<std::string, double> changed();
    static void setValue(const Rule& rule, const Threshold& threshold, double value);

private:
    std::vector<std::unique_ptr<std::string>> m_keys; ///< storage of the overrides' keys
    std::vector<Threshold> m_overrides;
};

/// From when on a step is slow: the thresholds that hold for the rule that finds slow steps.
SlowStepLimits chosenLimits();

} // namespace warpline
