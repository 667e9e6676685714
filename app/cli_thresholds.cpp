#include "app/cli_thresholds.h"

#include "app/cli_arguments.h"
#include "app/cli_documents.h"
#include "app/cli_usage.h"
#include "core/across/across_rule.h"
#include "core/base/config_file.h"
#include "core/base/duration_text.h"
#include "core/base/near_names.h"
#include "core/base/platform/platform.h"
#include "core/base/read_real.h"
#include "core/base/words.h"
#include "core/render/render.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <memory>

namespace warpline::cli {

namespace {

constexpr std::array severities{Severity::Info, Severity::Low, Severity::Medium, Severity::High};

Message unreadableText(const std::string& path)
{
    return {"cli.config_unreadable", "the configuration {path} cannot be read", {{"path", Name{path}}}};
}

/// The threshold "rule.key"; nullptr: there is none.
const Threshold* find(std::string_view rule, std::string_view key)
{
    const Rule* const found = findNamedRule(rule);
    if (!found)
        return nullptr;
    const auto threshold = std::ranges::find(found->thresholds, key, &Threshold::key);
    return threshold != found->thresholds.end() ? &*threshold : nullptr;
}

Error noThreshold(std::string_view rule, std::string_view key)
{
    const Rule* const found = findNamedRule(rule);
    if (!found)
        return noRule(rule);
    const std::vector<std::string> known = entryNames(found->thresholds, &Threshold::key);
    if (known.empty())
        return {"cli.no_thresholds", "{rule} has no threshold '{key}': it has none",
            {{"rule", Name{std::string(rule)}}, {"key", Name{std::string(key)}}}};
    return {"cli.no_threshold", "{rule} has no threshold '{key}'{near}; known: {known}",
        {{"rule", Name{std::string(rule)}}, {"key", Name{std::string(key)}}, {"near", didYouMean(key, known)},
            {"known", Name{commaList(known)}}}};
}

/// `text` in the unit of `threshold`.
Result<double> valueOf(const Threshold& threshold, std::string text)
{
    if (threshold.unit == "ns") {
        const Result<Ns> time = parseTime(text);
        if (!time.ok())
            return time.error();
        return static_cast<double>(time.value());
    }
    if (threshold.unit == "%" && text.ends_with('%'))
        text.pop_back();
    double value = 0;
    const auto [end, problem] = readReal(text, value);
    if (text.empty() || problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return Error{"cli.not_a_number", "'{text}' is not a number", {{"text", Name{text}}}};
    return value;
}

} // namespace

std::vector<std::string> severityNames()
{
    return entryNames(severities, [](Severity severity) { return keyOf(severity); });
}

Severity severityNamed(std::string_view name)
{
    const auto* const found
        = std::ranges::find(severities, name, [](Severity severity) { return keyOf(severity); });
    return found != severities.end() ? *found : Severity::High;
}

Message noRule(std::string_view name)
{
    return {"cli.no_rule", "there is no rule '{name}'{near}; 'warpline-cli analyze --list' names all",
        {{"name", Name{std::string(name)}}, {"near", didYouMean(name, ruleNames())}}};
}

Result<void> ThresholdSettings::set(std::string_view text)
{
    const std::size_t equals = text.find('=');
    const std::string name(trimmed(text.substr(0, equals)));
    const std::size_t dot = name.find('.');
    if (equals == std::string_view::npos || dot == std::string::npos)
        return Error{"cli.not_a_threshold", "'{text}' is not a threshold: give RULE.KEY=VALUE",
            {{"text", Name{std::string(text)}}}};
    const std::string_view rule = std::string_view(name).substr(0, dot);
    const std::string_view key = std::string_view(name).substr(dot + 1);
    const Threshold* const threshold = find(rule, key);
    if (!threshold)
        return noThreshold(rule, key);
    const Result<double> value = valueOf(*threshold, std::string(trimmed(text.substr(equals + 1))));
    if (!value.ok())
        return Error{ofOption(name, value.error().message)};
    if (value.value() < 0)
        return Error{"cli.negative", "{name}: it cannot be negative", {{"name", Name{name}}}};
    std::erase_if(m_overrides, [&](const Threshold& old) { return old.key == name; });
    const auto& kept = m_keys.emplace_back(std::make_shared<const std::string>(name));
    m_overrides.push_back({*kept, threshold->title, threshold->unit, value.value()});
    return {};
}

Result<std::vector<ConfigLine>> readConfig(const std::string& path)
{
    std::ifstream file(platform::pathOf(path));
    if (!file)
        return Error{unreadableText(path)};
    std::vector<ConfigLine> lines;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (number == 1)
            line = withoutMark(line);
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty())
            continue;
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos)
            return Error{"cli.not_a_setting", "{path}, line {number}: '{line}' is not KEY = VALUE",
                {{"path", Name{path}}, {"number", Ordinal{number}}, {"line", Name{line}}}};
        lines.push_back(
            {std::string(trimmed(line.substr(0, equals))), std::string(trimmed(line.substr(equals + 1)))});
    }
    if (file.bad())
        return Error{unreadableText(path)};
    return lines;
}

} // namespace warpline::cli
