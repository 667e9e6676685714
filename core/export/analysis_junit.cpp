// Analyses as JUnit XML, which CI servers show as tests: a suite per report, a case per rule. A rule fails
// when one of its findings fails the gate; without a gate, when one has high severity.

#include "core/base/format.h"
#include "core/base/rounded.h"
#include "core/export/analysis_format.h"
#include "core/export/html_text.h"
#include "core/render/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpline {

namespace {

std::string xmlText(const Json& text)
{
    return htmlText(text.is_string() ? text.get<std::string>() : std::string());
}

std::string junitBegin()
{
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warpline-cli analyze\">\n";
}

bool fails(const Json& report, const Json& finding)
{
    const Json& failed = report["failed_by"];
    return failed.is_null() ? finding["severity"] == "high"
                            : std::ranges::find(failed, finding["id"]) != failed.end();
}

/// The texts of a rule's test case.
struct CaseText {
    std::string failures;
    std::string others;
};

CaseText findingsOf(const Json& report, const Json& rule)
{
    CaseText text;
    for (const Json& finding : report["findings"]) {
        if (finding["rule"] != rule["id"])
            continue;
        std::string what = fmt::format("{}\n{}\n", xmlText(finding["title"]), xmlText(finding["remedy"]));
        if (const Ns saving = finding["saving_ns"].get<Ns>(); saving > 0)
            what += htmlText(plain(Message(
                        "junit.saving", "Potential saving: up to {saving}", {{"saving", Duration{saving}}})))
                + '\n';
        what += htmlText(plain(Message(
            "junit.next", "Next: {command}", {{"command", Name{finding["ask_on"].get<std::string>()}}})));
        if (fails(report, finding))
            text.failures += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                xmlText(finding["severity"]), xmlText(finding["title"]), what);
        else
            text.others += what + "\n";
    }
    return text;
}

std::string junitSuite(const Json& report, std::size_t /*place*/)
{
    std::string cases;
    std::size_t failed = 0;
    std::size_t skipped = 0;
    for (const Json& rule : report["rules"]) {
        const CaseText text = findingsOf(report, rule);
        const bool looked = rule["state"] == "found" || rule["state"] == "nothing";
        failed += text.failures.empty() ? 0 : 1;
        skipped += looked ? 0 : 1;
        cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n{}", xmlText(report["file"]),
            xmlText(rule["id"]), text.failures);
        if (!looked)
            cases += fmt::format("      <skipped message=\"{}\"/>\n", xmlText(rule["abstained_because"]));
        if (!text.others.empty())
            cases += fmt::format("      <system-out>{}</system-out>\n", text.others);
        cases += "    </testcase>\n";
    }
    return fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}  </testsuite>\n",
        xmlText(report["file"]), report["rules"].size(), failed, skipped, cases);
}

std::string junitEnd(std::span<const OutputError> errors)
{
    std::string cases;
    std::size_t count = 0;
    for (const OutputError& error : errors) {
        if (error.code == "note")
            continue;
        ++count;
        cases += fmt::format(
            "    <testcase classname=\"{}\" name=\"{}\">\n      <error message=\"{}\"/>\n    </testcase>\n",
            htmlText(error.file), htmlText(error.code), htmlText(error.message));
    }
    if (count == 0)
        return "</testsuites>\n";
    return fmt::format("  <testsuite name=\"warpline-cli\" tests=\"{0}\" failures=\"0\" errors=\"{0}\" "
                       "skipped=\"0\">\n{1}  </testsuite>\n</testsuites>\n",
        count, cases);
}

} // namespace

extern constinit const AnalysisFormat analysisJunit{.name = "junit",
    .meaning = "JUnit XML for CI servers: a suite for each report, a test for each rule",
    .begin = junitBegin,
    .report = junitSuite,
    .end = junitEnd};

} // namespace warpline
