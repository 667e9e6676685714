#pragma once

#include "core/findings/checklist.h"
#include "core/findings/rule.h"

#include <QString>

#include <span>

namespace warpline {

/// Everything about a finding as rich text: figures, why, remedy, and the first pieces of evidence as links
/// "evidence:NUMBER". `measured` is the time that the saving is a share of: RunFacts::measured().
QString findingHtml(const Trace& trace, const Finding& finding, Ns measured);

/// Findings, headed by the checklist, as a file: JSON, Markdown or else a web page, by the ending of `path`.
QString findingsFile(const Trace& trace, std::span<const Finding> findings,
    std::span<const ChecklistAnswer> checklist, const QString& path);

} // namespace warpline
