#pragma once

#include "core/findings/rule.h"
#include "core/steps/slow_steps.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warpline {

/// The thresholds that the user or a view changed, as runRules() takes them. The user's are kept in QSettings
/// under "rules/RULE.THRESHOLD"; what equals the default is not kept.
class RuleSettings {
public:
    /// Reads the settings.
    static RuleSettings stored();

    std::span<const Threshold> overrides() const { return m_overrides; }
    /// The user's value, else the default.
    static double value(const Rule& rule, const Threshold& threshold);
    /// Thresholds that hold for the reports that are open, before those of the user: a view brought them. By
    /// "RULE.THRESHOLD"; names that no rule has are left out. Empty: none any more.
    static void setOfView(const std::map<std::string, double>& thresholds);
    /// All that differ from the defaults, the view's included.
    static std::map<std::string, double> changed();
    static void setValue(const Rule& rule, const Threshold& threshold, double value);

private:
    std::vector<std::unique_ptr<std::string>> m_keys; ///< what the overrides' keys point to
    std::vector<Threshold> m_overrides;
};

/// From when on a step is slow: the thresholds that hold for the rule that finds slow steps.
SlowStepLimits chosenLimits();

} // namespace warpline
