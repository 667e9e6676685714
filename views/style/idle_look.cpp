#include "views/style/idle_look.h"

namespace warpline {

IdleLook idleLook(IdleCause cause, const Theme& theme)
{
    switch (cause) {
    case IdleCause::Launch:
    case IdleCause::BetweenLaunches:
        return {theme.color(EventTint::ApiLaunch), false};
    case IdleCause::HostWait:
        return {theme.color(EventTint::ApiSync), true};
    case IdleCause::CopyCall:
        return {theme.color(EventTint::ApiCopy), false};
    case IdleCause::Allocation:
        return {theme.color(EventTint::ApiMemory), true};
    case IdleCause::RankStart:
    case IdleCause::OtherRanks:
        return {theme.color(EventTint::Collective), true};
    case IdleCause::DataLoading:
        return {theme.color(EventTint::CopyHtoD), true};
    case IdleCause::CodeLoading:
        return {theme.color(EventTint::Graph), true};
    case IdleCause::Operator:
    case IdleCause::OwnCode:
        return {theme.color(EventTint::Nvtx), false};
    case IdleCause::OsCall:
    case IdleCause::OffCpu:
        return {theme.color(EventTint::OsRuntime), true};
    case IdleCause::HostPages:
        return {theme.color(EventTint::Memory), true};
    case IdleCause::OtherCall:
        return {theme.color(EventTint::ApiOther), true};
    case IdleCause::Queued:
        return {theme.color(EventTint::Kernel), true};
    case IdleCause::Profiler:
        return {theme.color(EventTint::Overhead), false};
    case IdleCause::Unknown:
    case IdleCause::NoWork:
        break;
    }
    return {theme.rest, false};
}

} // namespace warpline
