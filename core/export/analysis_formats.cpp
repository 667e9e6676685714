#include "core/base/list.h"
#include "core/export/analysis_format.h"

#include <algorithm>

namespace warpline {

// One line a format.
#define WARPLINE_ANALYSIS_FORMATS(X) \
    X(analysisBrief)                 \
    X(analysisCsv)                   \
    X(analysisJunit)                 \
    X(analysisSarif)

WARPLINE_LIST(AnalysisFormat, allAnalysisFormats, WARPLINE_ANALYSIS_FORMATS)

const AnalysisFormat* findAnalysisFormat(std::string_view name)
{
    const auto all = allAnalysisFormats();
    const auto found = std::ranges::find(all, name, [](const AnalysisFormat* each) { return each->name; });
    return found != all.end() ? *found : nullptr;
}

} // namespace warpline
