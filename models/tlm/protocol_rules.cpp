// SPDX-License-Identifier: Apache-2.0
#include "tlm/protocol_rules.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

#include "network/report.h"

namespace flitcast::tlm {
namespace {

struct RuleText {
  const char* name;    ///< A short name for messages.
  const char* demand;  ///< The rule in one sentence.
};

// The texts in the order of Rule.
constexpr std::array<RuleText, 15> kTexts{{
    {"request exclusion", "no BEGIN_REQ until the previous request over this socket has ended"},
    {"response exclusion", "no BEGIN_RESP until the previous response over this socket has ended"},
    {"phase order",
     "the phases of a transaction are BEGIN_REQ forward, END_REQ backward (may be left out), "
     "BEGIN_RESP backward, END_RESP forward, each once"},
    {"return value",
     "TLM_UPDATED comes with the phase that follows, TLM_COMPLETED in answer to BEGIN_REQ, "
     "BEGIN_RESP or END_RESP only"},
    {"accepted unchanged", "a call that returns TLM_ACCEPTED leaves phase and time unchanged"},
    {"time annotation",
     "a return does not move time back, and the phases of a transaction take effect in their "
     "order"},
    {"immutable fields",
     "command, data pointer and length, byte enables and streaming width stay as the initiator set "
     "them until the transaction has ended"},
    {"attributes",
     "a read or write of data has a data pointer, a streaming width of at least 1, and, with byte "
     "enables, a byte enable length of at least 1"},
    {"memory manager", "a payload of nb_transport has a memory manager"},
    {"payload life",
     "a payload is acquired before its first nb_transport call, is released after its last, and "
     "serves one transaction at a time"},
    {"response status", "the initiator sets TLM_INCOMPLETE_RESPONSE, and the response replaces it"},
    {"DMI hint", "the initiator clears the DMI hint before it sends a payload"},
    {"DMI range", "a granted DMI region contains the address asked for and begins before it ends"},
    {"debug count", "transport_dbg returns at most the data length"},
    {"blocking process", "b_transport is called from a thread process"},
}};

const char* word(::tlm::tlm_command command) {
  switch (command) {
    case ::tlm::TLM_READ_COMMAND:
      return "read";
    case ::tlm::TLM_WRITE_COMMAND:
      return "write";
    case ::tlm::TLM_IGNORE_COMMAND:
      return "null command";
  }
  return "unknown command";
}

}  // namespace

std::string to_text(::tlm::tlm_command command, sc_dt::uint64 address, unsigned bytes) {
  return fmt::format("{} of {} bytes at 0x{:x}", word(command), bytes, address);
}

std::string to_text(const Payload& payload) {
  return to_text(payload.get_command(), payload.get_address(), payload.get_data_length());
}

void report_violation(const char* module, Rule rule, const std::string& seen) {
  const RuleText& text = kTexts[static_cast<std::size_t>(rule)];
  std::string id = text.name;  // "dmi_hint" for "DMI hint".
  for (char& c : id) c = c == ' ' ? '_' : static_cast<char>(std::tolower(c));
  report_error("tlm/" + id, module,
               fmt::format("at {}: rule \"{}\" of the base protocol: {}; seen: {}",
                           sc_core::sc_time_stamp().to_string(), text.name, text.demand, seen));
}

}  // namespace flitcast::tlm
