#pragma once

#include "core/findings/rule.h"

#include <string>
#include <string_view>

namespace warpline {

/// The message of `finding`, with the parts that apply to how its report is open: alone, or with other ranks.
Message messageOf(const Finding& finding);
/// When `finding` may be wrong: what to check before acting on it.
Message caveatOf(const Finding& finding);

/// Identifies a finding across reports of one program: "gpu_idle_cause/rank 0/gpu 0/range:load": the rule;
/// the MPI rank of its process, or else the index of its pid in the report; the GPU; and its subject. Two
/// runs of one program give the same finding the same id.
std::string stableId(const Trace& trace, const Finding& finding);

/// The command that asks on about `finding`: the same rule, explained, over `window`, the analyzed range
/// (empty: the session), with the steps named `stepGlob` (empty: detected). Not over the evidence: rules
/// compare it with the rest.
std::string askOn(
    const Trace& trace, const Finding& finding, TimeRange window = {}, const std::string& stepGlob = {});

} // namespace warpline
