#pragma once

#include "core/base/message.h"
#include "core/findings/rule.h"
#include "core/render/render.h"

#include <cstdint>
#include <string>

// Texts that several pages and tables share.

namespace warpline {

/// "and 12 more", below the lines that are shown.
inline Message moreText(std::uint64_t more)
{
    return {"page.more", "and {more} more", {{"more", Count{more}}}};
}

inline Message findingsTitle()
{
    return {"page.findings", "Findings"};
}

inline Message nothingFound()
{
    return {"findings.nothing", "Nothing found."};
}

inline Message severityText(Severity severity)
{
    return {"page.severity", "{key, select, high {high} medium {medium} low {low} other {info}}",
        {{"key", Name{std::string(keyOf(severity))}}}};
}

/// Heads of a table of evidence.
struct EvidenceHeads {
    std::string start = plain({"page.start", "Start"});
    std::string duration = plain({"page.duration", "Duration"});
    std::string what = plain({"page.what", "What"});
};

} // namespace warpline
