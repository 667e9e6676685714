#include "core/findings/finding_order.h"

#include "core/base/share.h"

#include <algorithm>

namespace warpline {

namespace {

constexpr double muchMore = 10; ///< an uncertain saving goes first when it is this many times larger
constexpr std::string_view credentials = "credentials_in_report"; ///< a rule without a saving
constexpr double minLeadingSaving = 0.05; ///< of the largest saving; for one-time costs of the window

/// Sizes that decide the places of findings.
struct Sizes {
    TimeRange window;
    Ns sure = 0; ///< the largest saving that is not in doubt
    Ns largest = 0; ///< the largest of all
    bool isNothingLarge = false;
    bool hasSevere = false; ///< some are of medium severity or more
};

/// Host-only work that is most of the run. Steps, or an interpreter's imports, suggest the start of a longer
/// run: then the threshold is higher.
bool isRunItself(const Finding& finding, const Sizes& sizes)
{
    if (finding.rule != "host_outside")
        return false;
    const Ns recorded = sizes.window.duration();
    const bool isMost = finding.once * 2 >= recorded && sizes.sure * 10 < recorded;
    const bool isMuch = finding.once * 10 >= recorded * 3;
    return isMost || (finding.confidence > Confidence::Possible && isMuch && sizes.isNothingLarge);
}

/// A saving that is tiny compared with the largest does not come first, nor does a small one-time cost.
/// Severe findings keep their place, because they are not a small share of the measured time.
bool isLittle(const Finding& finding, const Sizes& sizes)
{
    if (finding.severity > Severity::Low)
        return false;
    if (finding.saving > 0)
        return shareOf(weightOf(finding), sizes.largest) < minLeadingSaving;
    return sizes.largest > 0 && finding.once > 0
        && shareOf(finding.once, sizes.window.duration()) < minLeadingSaving;
}

FindingPlace placeOf(const Finding& finding, const Sizes& sizes)
{
    if (finding.severity == Severity::Info)
        return FindingPlace::Free;
    // Launches of a small problem may be unavoidable, and imports are well known: a finding that is only
    // possible leads only without others.
    const bool mayLead = finding.confidence > Confidence::Possible || !sizes.hasSevere;
    if (mayLead && finding.rule == "too_small")
        return FindingPlace::TooSmall;
    if (mayLead && isRunItself(finding, sizes))
        return FindingPlace::RunItself;
    if (!finding.lowered.empty()
        && static_cast<double>(weightOf(finding)) > muchMore * static_cast<double>(sizes.sure))
        return FindingPlace::LargestInDoubt;
    // Findings that are not about time are reported, but not first.
    if (finding.rule == credentials)
        return FindingPlace::Little;
    return isLittle(finding, sizes) ? FindingPlace::Little : FindingPlace::Usual;
}

} // namespace

Message reasonOf(const Finding& finding)
{
    if (!finding.leadsMoreSevere && finding.place != FindingPlace::TooSmall)
        return {};
    switch (finding.place) {
    case FindingPlace::TooSmall:
        return {"finding.first_too_small",
            "Listed first because a larger problem changes all other values; the other savings are small."};
    case FindingPlace::RunItself:
        return {"finding.first_run_itself",
            "Listed before more severe findings because it is most of the run; their severity is a share of GPU "
            "time only."};
    case FindingPlace::LargestInDoubt:
        return {"finding.first_in_doubt",
            "Listed before more severe findings because it could save more than ten times as much; the finding "
            "says why it ranks lower."};
    case FindingPlace::Usual:
    case FindingPlace::Little:
    case FindingPlace::Free:
        break;
    }
    return {};
}

bool isNothingLarge(std::span<const Finding> findings, TimeRange window)
{
    return std::ranges::none_of(findings,
        [&](const Finding& each) { return shareOf(each.saving, window.duration()) >= minFirstSaving; });
}

void rankFindings(std::vector<Finding>& findings, TimeRange window)
{
    Sizes sizes{.window = window, .isNothingLarge = isNothingLarge(findings, window)};
    for (const Finding& finding : findings) {
        sizes.sure = std::max(sizes.sure, finding.lowered.empty() ? weightOf(finding) : Ns{0});
        sizes.largest = std::max(sizes.largest, weightOf(finding));
        const bool costsTime = finding.rule != credentials; // whatever its severity
        sizes.hasSevere = sizes.hasSevere || (costsTime && finding.severity >= Severity::Medium);
    }
    for (Finding& finding : findings)
        finding.place = placeOf(finding, sizes);
    std::ranges::stable_sort(findings, ranksHigher);
    Severity behind = Severity::Info;
    for (auto finding = findings.rbegin(); finding != findings.rend(); ++finding) {
        finding->leadsMoreSevere = behind > finding->severity;
        behind = std::max(behind, finding->severity);
    }
}

std::vector<const Finding*> leadingFindings(std::span<const Finding> findings, std::size_t count)
{
    std::vector<const Finding*> leading;
    for (const Finding& finding : findings) {
        if (finding.place < FindingPlace::Little && leading.size() < count)
            leading.push_back(&finding);
    }
    // If all savings are small compared with a one-time cost, the first still leads; a finding that is not
    // about time never does.
    if (leading.empty() && !findings.empty() && findings.front().place == FindingPlace::Little
        && findings.front().saving + findings.front().once > 0 && count > 0)
        leading.push_back(&findings.front());
    return leading;
}

} // namespace warpline
