#pragma once

#include "core/across/rank_summary.h"
#include "core/derive/nccl_calls.h"
#include "core/steps/steps.h"

#include <map>
#include <stop_token>
#include <vector>

namespace warpline {

class Trace;

/// Collects a participant's exchanges, with types and peers stored once.
class ExchangeCollector {
public:
    explicit ExchangeCollector(ParticipantSummary& participant);
    void add(Exchange exchange, const ExchangeType& type, const std::vector<ExchangePeer>& peers = {});

private:
    ParticipantSummary& m_participant;
    std::map<ExchangeType, std::uint32_t> m_types; ///< where each is in the participant's list
    std::uint32_t m_lastType = 0;
};

/// Adds the kernels that communicate of `participant` (its process, and device unless that is -1). `steps`
/// are those of its process, may be empty. Throws Stopped.
void addKernelExchanges(const Trace& trace, const NcclCalls& calls, const StepSeries& steps,
    ParticipantSummary& participant, const std::stop_token& stop);

/// Adds the calls of MPI of its process. Throws Stopped.
void addMpiExchanges(const Trace& trace, const StepSeries& steps, ParticipantSummary& participant,
    const std::stop_token& stop);

} // namespace warpline
