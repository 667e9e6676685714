#pragma once

#include "core/export/findings_text.h"
#include "core/findings/kernel_judgement.h"
#include "core/findings/rule.h"
#include "core/workspace/clock_offset.h"

#include <QString>

namespace warpline {

class Theme;

/// A finding as rich text: values, reason, remedy, and the first pieces of evidence as links
/// "evidence:NUMBER", in lines with tab-separated columns: see showExplained(). `measured` is the denominator
/// of the saving: TraceAnalysis::measured(). Times of evidence are on the axis' `clock`.
QString findingHtml(const Trace& trace, const Finding& finding, Ns measured, const ClockOffset& clock = {});

/// A fact about a kernel, "Occupancy: 25%, limited by registers", with its label in the colour of a warning
/// or of a normal fact.
QString factHtml(const KernelFact& fact, const Theme& theme);

/// A paragraph with more space between its lines. `style`: further CSS.
QString paragraphHtml(const QString& html, const QString& style = {});
/// The head of a part that a click on `link` opens and closes. `title`: rich text. `above`, `below`: margins
/// in pixels.
QString foldHtml(
    const QString& link, const QString& title, bool isOpen, const Theme& theme, int above, int below = 4);
/// An analysis as a file: JSON, Markdown or else a web page, by the ending of `path`.
QString findingsFile(const Trace& trace, const AnalysisText& text, const QString& path);

} // namespace warpline
