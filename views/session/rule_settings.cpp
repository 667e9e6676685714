#include "views/session/rule_settings.h"

#include <QSettings>
#include <QString>

#include <algorithm>

namespace warpline {

namespace {

std::string keyOf(const Rule& rule, const Threshold& threshold)
{
    return std::string(rule.id) + '.' + std::string(threshold.key);
}

QString settingOf(const std::string& key)
{
    return "rules/" + QString::fromStdString(key);
}

/// The values of setOfView(). Only used on the GUI thread, like the settings.
std::map<std::string, double>& thresholdsOfView()
{
    static std::map<std::string, double> thresholds;
    return thresholds;
}

/// From the user's `settings`, or the open view.
double valueIn(const QSettings& settings, const Rule& rule, const Threshold& threshold)
{
    const std::string key = keyOf(rule, threshold);
    if (const auto found = thresholdsOfView().find(key); found != thresholdsOfView().end())
        return found->second;
    return settings.value(settingOf(key), threshold.value).toDouble();
}

} // namespace

RuleSettings RuleSettings::stored()
{
    RuleSettings settings;
    const std::map<std::string, double> values = changed();
    for (const Rule* const rule : allRules()) {
        for (const Threshold& threshold : rule->thresholds) {
            const auto found = values.find(keyOf(*rule, threshold));
            if (found == values.end())
                continue;
            auto key = std::make_unique<std::string>(found->first);
            settings.m_overrides.push_back({*key, threshold.title, threshold.unit, found->second});
            settings.m_keys.push_back(std::move(key));
        }
    }
    return settings;
}

double RuleSettings::value(const Rule& rule, const Threshold& threshold)
{
    return valueIn(QSettings(), rule, threshold);
}

std::map<std::string, double> RuleSettings::changed()
{
    const QSettings settings; // to open them is slow
    std::map<std::string, double> values;
    for (const Rule* const rule : allRules()) {
        for (const Threshold& threshold : rule->thresholds) {
            const double value = valueIn(settings, *rule, threshold);
            if (value != threshold.value)
                values[keyOf(*rule, threshold)] = value;
        }
    }
    return values;
}

void RuleSettings::setOfView(const std::map<std::string, double>& thresholds)
{
    thresholdsOfView().clear();
    for (const Rule* const rule : allRules()) {
        for (const Threshold& threshold : rule->thresholds) {
            const auto found = thresholds.find(keyOf(*rule, threshold));
            if (found != thresholds.end() && found->second >= 0)
                thresholdsOfView().insert(*found);
        }
    }
}

std::map<std::string, double> RuleSettings::ofView()
{
    return thresholdsOfView();
}

void RuleSettings::setValue(const Rule& rule, const Threshold& threshold, double value)
{
    QSettings store;
    const std::string key = keyOf(rule, threshold);
    if (const auto found = thresholdsOfView().find(key); found != thresholdsOfView().end()) {
        if (found->second == value)
            return; // the view's, not the user's
        thresholdsOfView().erase(found);
    }
    if (value == threshold.value)
        store.remove(settingOf(key));
    else
        store.setValue(settingOf(key), value);
}

SlowStepLimits chosenLimits()
{
    const Rule* const rule = findRule("nvtx_outlier_steps");
    SlowStepLimits limits;
    for (const Threshold& threshold : rule->thresholds) {
        if (threshold.key == "factor")
            limits.factor = RuleSettings::value(*rule, threshold);
        else if (threshold.key == "min_longer_ns")
            limits.longerBy
                = static_cast<Ns>(std::clamp(RuleSettings::value(*rule, threshold), 0.0, threshold.most()));
    }
    return limits;
}

} // namespace warpline
