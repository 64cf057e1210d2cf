// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "tlm/side_counters.h"

namespace flitcast::tlm {

class InterconnectCore;

// Observers that write each transaction when it is answered. The stream must outlive the
// interconnect.
//
//   std::ofstream file("transactions.csv");
//   net.observe(csv_log(file));

/// Writes comma-separated values, after a line with their names: initiator, command, address,
/// bytes, status, begun_ns, ended_ns.
TransactionObserver csv_log(std::ostream& out);

/// Writes the text format of the SystemC Verification Library, which viewers of transactions read:
/// a stream for each initiator, with a generator for each command. Transactions are in the order of
/// their ends, so their begins are not in the order of time.
/// Source of the format: Accellera, SCV 2.0, scv_tr_text.
TransactionObserver scv_log(std::ostream& out, const InterconnectCore& interconnect);

}  // namespace flitcast::tlm
