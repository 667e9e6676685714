#include "core/findings/leading_findings.h"

#include "core/base/share.h"

#include <algorithm>

namespace warpline {

bool isNothingLarge(std::span<const Finding> findings, TimeRange window)
{
    return std::ranges::none_of(
        findings, [&](const Finding& each) { return shareOf(each.saving, window.duration()) >= worthFirst; });
}

namespace {

constexpr double muchMore = 10; ///< times: what is in doubt goes first where it is so much larger
constexpr double worthLeading = 0.05; ///< of the largest saving

/// What the host does alone, where that is most of the run. Steps, and the imports of an interpreter, make it
/// the start of a longer run: then it says less, and takes more to lead.
bool isRunItself(const Finding& finding, std::span<const Finding> findings, TimeRange window, Ns most)
{
    if (finding.rule != "host_outside" || finding.severity == Severity::Info)
        return false;
    const bool isMost = finding.once * 2 >= window.duration() && most * 10 < window.duration();
    const bool isMuch = finding.once * 10 >= window.duration() * 3;
    return isMost
        || (finding.confidence > Confidence::Possible && isMuch && isNothingLarge(findings, window));
}

/// The place of a finding among those that lead: what says that nothing else matters, what the run is made
/// of, then what saves.
int bandOf(const Finding& finding, std::span<const Finding> findings, TimeRange window, Ns most)
{
    if (finding.rule == "too_small")
        return 0;
    if (isRunItself(finding, findings, window, most))
        return 1;
    return !finding.lowered.empty()
            && static_cast<double>(finding.saving) > muchMore * static_cast<double>(most)
        ? 2
        : 3;
}

} // namespace

std::vector<const Finding*> leadingFindings(
    std::span<const Finding> findings, TimeRange window, std::size_t count)
{
    std::vector<const Finding*> leading;
    Ns most = 0;
    Ns largest = 0;
    for (const Finding& finding : findings) {
        leading.push_back(&finding);
        most = std::max(most, finding.lowered.empty() ? finding.saving : Ns{0});
        largest = std::max(largest, finding.saving);
    }
    std::ranges::stable_sort(
        leading, {}, [&](const Finding* each) { return bandOf(*each, findings, window, most); });
    // A saving that is tiny beside the largest is nothing to look at first, nor is what is paid once and
    // little of the run; both stay in the list.
    const auto isTiny = [&](const Finding* each) {
        if (each->saving > 0)
            return shareOf(each->saving, largest) < worthLeading;
        return largest > 0 && each->once > 0 && shareOf(each->once, window.duration()) < worthLeading;
    };
    std::erase_if(leading, isTiny);
    leading.resize(std::min(leading.size(), count));
    return leading;
}

} // namespace warpline
