// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <systemc>
#include <tlm>

namespace flitcast::tlm {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using ::tlm::tlm_phase;
using ::tlm::tlm_sync_enum;
using Payload = ::tlm::tlm_generic_payload;
using ForwardInterface = ::tlm::tlm_fw_transport_if<>;
using BackwardInterface = ::tlm::tlm_bw_transport_if<>;

/// The rules of the TLM-2.0 base protocol (IEEE Std 1666-2011, clauses 11, 14 and 15) that can be
/// checked by observing the calls over a socket.
enum class Rule {
  kRequestExclusion,
  kResponseExclusion,
  kPhaseOrder,
  kReturnValue,
  kAcceptedUnchanged,
  kTimeAnnotation,
  kImmutableFields,
  kAttributes,
  kMemoryManager,
  kPayloadLife,
  kResponseStatus,
  kDmiHint,
  kDmiRange,
  kDebugCount,
  kBlockingProcess,
};

/// Describes a payload: "write of 4 bytes at 0x1000".
std::string to_text(const Payload& payload);
/// Describes a transaction whose payload may be gone, in the same form.
std::string to_text(::tlm::tlm_command command, sc_dt::uint64 address, unsigned bytes);

/// Reports an error of the module with the time, the rule, its text and the observation, by the id
/// "tlm/NAME_OF_RULE". By default the kernel throws it as sc_core::sc_report.
void report_violation(const char* module, Rule rule, const std::string& seen);

}  // namespace flitcast::tlm
