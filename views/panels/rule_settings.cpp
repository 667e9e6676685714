#include "views/panels/rule_settings.h"

#include <QSettings>
#include <QString>

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

} // namespace

RuleSettings RuleSettings::stored()
{
    RuleSettings settings;
    const QSettings store;
    for (const Rule* const rule : allRules()) {
        for (const Threshold& threshold : rule->thresholds) {
            auto key = std::make_unique<std::string>(keyOf(*rule, threshold));
            const QVariant value = store.value(settingOf(*key));
            if (!value.isValid())
                continue;
            settings.m_overrides.push_back({*key, threshold.title, threshold.unit, value.toDouble()});
            settings.m_keys.push_back(std::move(key));
        }
    }
    return settings;
}

double RuleSettings::value(const Rule& rule, const Threshold& threshold)
{
    return QSettings().value(settingOf(keyOf(rule, threshold)), threshold.value).toDouble();
}

void RuleSettings::setValue(const Rule& rule, const Threshold& threshold, double value)
{
    QSettings store;
    const QString setting = settingOf(keyOf(rule, threshold));
    if (value == threshold.value)
        store.remove(setting);
    else
        store.setValue(setting, value);
}

} // namespace warpline
