// SPDX-License-Identifier: Apache-2.0
#include "tlm/transaction_log.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <array>
#include <memory>
#include <string>

#include "base/sequences.h"
#include "tlm/interconnect.h"

namespace flitcast::tlm {
namespace {

constexpr std::array<const char*, 3> kCommands{"read", "write", "other"};  // By Answered::kind().

std::string status_of(const TransactionRecord& record) {
  ::tlm::tlm_generic_payload payload;
  payload.set_response_status(record.status);
  return payload.get_response_string();
}

}  // namespace

TransactionObserver csv_log(std::ostream& out) {
  out << "initiator,command,address,bytes,status,begun_ns,ended_ns\n";
  return [&out](const TransactionRecord& record) {
    fmt::print(out, "{},{},{:#x},{},{},{:.15g},{:.15g}\n", record.initiator,
               kCommands[record.kind()], record.address, record.bytes, status_of(record),
               in_ns(record.begun), in_ns(record.ended));
  };
}

TransactionObserver scv_log(std::ostream& out, const InterconnectCore& interconnect) {
  const std::size_t initiators = interconnect.initiators();
  const auto generator = [=](std::size_t initiator, std::size_t command) {
    return initiators + initiator * kCommands.size() + command + 1;
  };
  for (const std::size_t i : numbers(initiators)) {
    fmt::print(out, "scv_tr_stream (ID {}, name \"{}.initiator_{}\", kind \"TLM-2.0\")\n", i + 1,
               interconnect.name(), i);
    for (const std::size_t command : numbers(kCommands.size())) {
      fmt::print(out, "scv_tr_generator (ID {}, name \"{}\", scv_tr_stream {},\n)\n",
                 generator(i, command), kCommands[command], i + 1);
    }
  }
  const auto written = std::make_shared<std::uint64_t>(0);
  return [=, &out](const TransactionRecord& record) {
    const std::uint64_t id = ++*written;
    const std::size_t by = generator(record.initiator, record.kind());
    fmt::print(out, "tx_begin {} {} {}\n", id, by, record.begun.to_string());
    fmt::print(out, "tx_record_attribute {} \"address\" UNSIGNED = {}\n", id, record.address);
    fmt::print(out, "tx_record_attribute {} \"bytes\" UNSIGNED = {}\n", id, record.bytes);
    fmt::print(out, "tx_record_attribute {} \"status\" STRING = \"{}\"\n", id, status_of(record));
    fmt::print(out, "tx_end {} {} {}\n", id, by, record.ended.to_string());
  };
}

}  // namespace flitcast::tlm
