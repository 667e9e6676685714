#pragma once

#include "core/findings/rule.h"

#include <optional>
#include <string_view>
#include <vector>

namespace warpline::test {

/// The findings with those that were merged into them.
inline std::vector<Finding> flattened(const std::vector<Finding>& findings)
{
    std::vector<Finding> all;
    for (const Finding& finding : findings) {
        all.push_back(finding);
        for (const Finding& inner : flattened(finding.merged))
            all.push_back(inner);
    }
    return all;
}

/// The first finding of `rule`, merged ones too.
inline std::optional<Finding> find(const std::vector<Finding>& findings, std::string_view rule)
{
    for (const Finding& finding : flattened(findings)) {
        if (finding.rule == rule)
            return finding;
    }
    return std::nullopt;
}

} // namespace warpline::test
