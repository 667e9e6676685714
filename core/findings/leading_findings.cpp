#include "core/findings/leading_findings.h"

#include "core/base/share.h"

#include <algorithm>

namespace warpline {

bool isNothingLarge(std::span<const Finding> findings, TimeRange window)
{
    return std::ranges::none_of(
        findings, [&](const Finding& each) { return shareOf(each.saving, window.duration()) >= worthFirst; });
}

std::vector<const Finding*> leadingFindings(
    std::span<const Finding> findings, TimeRange window, std::size_t count)
{
    std::vector<const Finding*> leading;
    for (const Finding& finding : findings)
        leading.push_back(&finding);
    Ns most = 0;
    for (const Finding& finding : findings)
        most = std::max(most, finding.lowered.empty() ? finding.saving : Ns{0});
    std::ranges::stable_partition(leading, [&](const Finding* each) {
        const bool isMost = each->once * 2 >= window.duration() && most * 10 < window.duration();
        const bool isMuch = each->once * 10 >= window.duration() * 3;
        return each->rule == "host_outside" && each->confidence > Confidence::Possible
            && (isMost || (isMuch && isNothingLarge(findings, window)));
    });
    leading.resize(std::min(leading.size(), count));
    return leading;
}

} // namespace warpline
