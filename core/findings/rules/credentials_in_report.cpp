// Environment variables that look like credentials. nsys stores the environment of the profiled program in
// the report, and the export contains it. Reports only names, never values.

#include "core/base/ascii_case.h"
#include "core/base/secrets.h"
#include "core/base/utf8.h"
#include "core/findings/evidence.h"
#include "core/steps/steps.h"
#include "core/store/recorder.h"
#include "core/store/trace.h"

#include <algorithm>
#include <set>

namespace warpline::credentials_in_report {

namespace {

constexpr std::size_t longestName = 64;

/// Adds the names of all "NAME=value" in `text` that look like credentials and have a nonblank value. A value
/// may hold several assignments, because environments are also stored as one text.
void collectNames(std::string_view text, std::set<std::string>& names)
{
    for (std::size_t sign = text.find('='); sign != std::string_view::npos; sign = text.find('=', sign + 1)) {
        std::size_t begin = sign;
        while (begin > 0 && isIdentifierPart(text[begin - 1]))
            --begin;
        const std::string_view name = text.substr(begin, sign - begin);
        const bool startsWord = begin == 0 || text[begin - 1] == '\n' || text[begin - 1] == ';'
            || text[begin - 1] == '\0' || text[begin - 1] == '"' || text[begin - 1] == ' '
            || text[begin - 1] == ',';
        const bool hasValue = sign + 1 < text.size() && text[sign + 1] != '\n' && text[sign + 1] != '<'
            && text[sign + 1] != '*';
        if (startsWord && hasValue && !name.empty() && name.size() <= longestName && looksSecret(name))
            names.emplace(name);
    }
}

std::vector<Finding> findCredentials(const RuleContext& context)
{
    std::set<std::string> names;
    for (const auto* const list :
        {&context.trace.info.capture, &context.trace.info.system, &context.trace.info.exported}) {
        for (const auto& [name, value] : *list) {
            if (holdsVariables(name))
                collectNames(value, names);
        }
    }
    if (names.empty())
        return {};
    std::vector<Message> all;
    for (const std::string& name : names)
        all.emplace_back(toUtf8(name));
    // No matter of time, but of care before the file is passed on.
    Finding finding = findingWith(Severity::Medium, Confidence::Possible);
    finding.title = Message("credentials_in_report.title",
        "The report contains {count, plural, one {# credential} other {# credentials}}, by variable name",
        {{"count", Count{names.size()}}});
    finding.message = Message("credentials_in_report.names",
        "Environment variables with such names: {names}.", {{"names", std::move(all)}});
    finding.message
        += Message("credentials_in_report.values", "Their values are in the file; they are not shown here.");
    finding.where = context.window;
    if (recorderOf(context.trace.info) != Recorder::NsightSystems)
        finding.remedy = Message("credentials_in_report.remedy",
            "Do not share the file as it is. Change the credentials if you already did. Pass them to the program in a file that only it can read, or blank their values in the trace, which is a text file.");
    return only(std::move(finding));
}

} // namespace

extern constinit const Rule credentialsInReport{
    .id = "credentials_in_report",
    .title = "Credentials in the report",
    .why
    = "The report stores the environment of the program: nsys always does, other profilers sometimes do. Everyone who gets the report or its export can read it.",
    .remedy
    = "Do not share the file as it is. Change the credentials if you already did. Record with a clean environment (env -u NAME nsys profile ..., or env -i with what the program needs). Or share a copy without them: warpline-cli cut --redact FILE OUT.",
    .caveat = "Based on the names of variables only: a value may not be a secret.",
    .applies = [](const Trace&, const std::stop_token&) { return true; },
    .check = findCredentials,
};

} // namespace warpline::credentials_in_report
