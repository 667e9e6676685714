#include "core/export/findings_gate.h"

#include "core/base/json_fields.h"
#include "core/export/json_text.h"
#include "core/findings/finding_words.h"
#include "core/store/trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

constexpr double maxGrowth = 0.1; // of a saving
constexpr double minGrowthOfMeasured = 0.01;

/// The documents in `text`: one, or one on each line. Nothing: it is no JSON.
std::vector<Json> documentsIn(std::string_view text)
{
    std::vector<Json> documents{parseJson(text)};
    if (!documents.front().is_discarded())
        return documents;
    documents.clear();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        documents.push_back(parseJson(text.substr(at, end - at)));
        if (!documents.back().is_object())
            return {};
        at = end + 1;
    }
    return documents;
}

bool isAnalysis(const Json& document)
{
    return fieldOf<std::string>(document, "schema") == "urn:warpline:schema:analyze"
        && document.contains("reports") && document["reports"].is_array();
}

void addFindings(const Json& report, FindingsBaseline& baseline)
{
    if (!report.is_object() || !report.contains("findings") || !report["findings"].is_array())
        return;
    for (const Json& finding : report["findings"]) {
        if (!finding.is_object() || !finding.contains("id") || !finding["id"].is_string())
            continue;
        const auto saving = finding.find("saving_ns");
        Ns& known = baseline[finding["id"].get<std::string>()];
        if (saving != finding.end() && saving->is_number_integer())
            known = std::max(known, saving->get<Ns>());
    }
}

} // namespace

Result<FindingsBaseline> baselineFrom(std::string_view text, const std::string& path)
{
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) // PowerShell's > writes it
        return Error{
            "cli.utf16", "{path} is UTF-16, not UTF-8. Write it with -o, not with >", {{"path", Name{path}}}};
    const std::vector<Json> documents = documentsIn(text);
    if (documents.empty() || !std::ranges::all_of(documents, isAnalysis))
        return Error{"cli.no_baseline", "{path} is not output of 'warpline-cli analyze --format json'",
            {{"path", Name{path}}}};
    FindingsBaseline baseline;
    for (const Json& document : documents) {
        for (const Json& report : document["reports"])
            addFindings(report, baseline);
    }
    return baseline;
}

std::string_view FindingsGate::sinceBaseline(const Trace& trace, const Finding& finding) const
{
    if (!baseline)
        return {};
    const auto known = baseline->find(stableId(trace, finding));
    if (known == baseline->end())
        return "new";
    const double growth = static_cast<double>(finding.saving - known->second);
    const double least = std::max(maxGrowth * static_cast<double>(finding.saving),
        minGrowthOfMeasured * static_cast<double>(finding.measured));
    return growth > least ? "grown" : "known";
}

bool FindingsGate::fails(const Trace& trace, const Finding& finding) const
{
    return failOn && finding.severity >= *failOn && sinceBaseline(trace, finding) != "known";
}

void FindingsGate::leaveOut(std::vector<Finding>& findings) const
{
    if (excluded.empty())
        return;
    std::vector<Finding> left;
    for (Finding& finding : findings) {
        leaveOut(finding.merged);
        if (!excluded.contains(finding.rule))
            left.push_back(std::move(finding));
        else
            left.insert(left.end(), std::make_move_iterator(finding.merged.begin()),
                std::make_move_iterator(finding.merged.end()));
    }
    findings = std::move(left);
}

} // namespace warpline
