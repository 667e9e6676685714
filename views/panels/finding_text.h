#pragma once

#include "core/export/findings_text.h"
#include "core/findings/kernel_judgement.h"
#include "core/findings/rule.h"
#include "core/workspace/clock_offset.h"

#include <QString>

namespace warpline {

class Theme;

/// Everything about a finding as rich text: figures, why, remedy, and the first pieces of evidence as links
/// "evidence:NUMBER", in lines whose columns tabs part: see showExplained(). `measured` is the time that the
/// saving is a share of: TraceAnalysis::measured(). Times of evidence are told as the axis tells them: by
/// `clock`.
QString findingHtml(const Trace& trace, const Finding& finding, Ns measured, const ClockOffset& clock = {});

/// What is known of a kernel, "Occupancy: 25%, limited by registers", with its label in color: a warning, or
/// not.
QString factHtml(const KernelFact& fact, const Theme& theme);

/// An analysis as a file: JSON, Markdown or else a web page, by the ending of `path`.
QString findingsFile(const Trace& trace, const AnalysisText& text, const QString& path);

} // namespace warpline
