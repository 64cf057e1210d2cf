// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "base/sequences.h"
#include "network/circuit/circuit_network.h"
#include "router/invariant.h"

namespace flitcast {
namespace {

void check_account(bool balances, const char* what, std::uint32_t node) {
  if (!balances) broken_at_node(what, node);
}

void check_account(bool balances, const char* what) {
  if (!balances) throw InvariantError(what);
}

}  // namespace

void CircuitNetwork::audit() const {
  audit_packets();
  audit_connections();
  audit_links();
  audit_requests();
}

void CircuitNetwork::audit_packets() const {
  check_account(
      totals_.receivers == totals_.packets_delivered + packets_.due() + totals_.receivers_dropped,
      "deliveries are missing");
  Totals sum;
  for (std::uint32_t node = 0; node < sources_.size(); ++node) {
    const CircuitSource& source = sources_[node];
    std::uint64_t waiting = 0;
    for (PacketSlot slot = source.queue_front; slot != PacketStore::kNone;
         slot = packets_.next(slot)) {
      const bool begun = slot == source.queue_front && streaming_.test(node);
      waiting += begun ? source.next.remaining + 1U : packets_.packet(slot).length;
    }
    check_account(source.flits_created == source.flits_injected + source.flits_dropped + waiting,
                  "flits are missing at a source", node);
    sum.flits_created += source.flits_created;
    sum.flits_injected += source.flits_injected;
    sum.flits_ejected += sinks_[node].flits_ejected;
  }
  check_account(sum.flits_created == totals_.flits_created &&
                    sum.flits_injected == totals_.flits_injected &&
                    sum.flits_ejected == totals_.flits_ejected,
                "the totals are not those of the nodes");
}

void CircuitNetwork::audit_connections() const {
  try {
    control_.nested().verify();
  } catch (const std::logic_error& error) {
    throw InvariantError(error.what());
  }
  std::uint64_t settings = 0;
  std::uint64_t expected_flits = 0;
  for (std::uint32_t node = 0; node < sources_.size(); ++node) {
    const Phase phase = sources_[node].phase;
    const bool written = phase == Phase::kConnected || phase == Phase::kTeardown;
    const bool connected = written || phase == Phase::kSetup;
    check_account(connected != control_.state().idle_inputs().test(node),
                  "the control's connection of a terminal is not what the terminal has", node);
    check_account(written != paths_[node].empty(), "a path without a connection", node);
    settings += paths_[node].size();
    expected_flits += audit_path(node);
  }
  std::uint64_t driven = 0;
  for (std::uint32_t s = 0; s < stages_.size(); ++s) {
    const CrossbarCore& crossbar = stages_.crossbar(s);
    for (std::uint32_t output = 0; output < crossbar.outputs(); ++output) {
      driven += crossbar.driver(output) != CrossbarCore::kNone ? 1 : 0;
    }
  }
  check_account(driven == settings, "crossbars drive outputs that belong to no connection");
  check_account(stages_.flits_on_links() == expected_flits, "flits where none should be");
}

// Flit q of a packet is at the far end of the link behind stage s in cycle
// injected + q + (s + 1) t_s. Returns the number of flits in flight on this connection.
std::uint64_t CircuitNetwork::audit_path(std::uint32_t node) const {
  const CircuitSource& source = sources_[node];
  const bool flits = source.phase == Phase::kConnected && !source.held;
  std::uint64_t in_flight = 0;
  for (const CircuitSetting& setting : paths_[node]) {
    const CrossbarCore& crossbar = stages_.crossbar(index(setting.output.router));
    check_account(crossbar.driver(index(setting.output.port)) == setting.input,
                  "a crossbar does not do what a connection asks", node);
    if (!flits) continue;
    const Packet& packet = packets_.packet(source.next.packet);
    const Cycle head = packet.injected + std::uint64_t{setting.stage + 1} * params_.stage_cycles;
    for (std::uint32_t ahead = 0; ahead < params_.stage_cycles; ++ahead) {
      const Cycle due = now_ + ahead;
      const bool expected = due >= head && due < head + packet.length;
      check_account(stages_.expected(setting.output, due) == expected,
                    "a flit is missing on a link, or one too many", node);
      in_flight += expected ? 1 : 0;
    }
  }
  return in_flight;
}

// Compares the flits of the first and the last links with those of the terminals.
void CircuitNetwork::audit_links() const {
  for (std::uint32_t node = 0; node < sources_.size(); ++node) {
    check_account(stages_.injection(node).flits == sources_[node].flits_injected,
                  "a terminal's wire has not carried what it sent", node);
    const Endpoint exit = topology_.attachment(NodeId{node}).ejection;
    const auto in_flight = count_if(numbers(params_.stage_cycles), [&](std::uint32_t ahead) {
      return stages_.expected(exit, now_ + ahead);
    });
    check_account(stages_.link(exit).flits == sinks_[node].flits_ejected + in_flight,
                  "a terminal has not received what its link carried", node);
  }
}

void CircuitNetwork::audit_requests() const {
  for (std::uint32_t node = 0; node < sources_.size(); ++node) {
    const clos::InputId input{node};
    const Phase phase = sources_[node].phase;
    const int places = (waiting_.is_ready(input) ? 1 : 0) + (waiting_.is_blocked(input) ? 1 : 0) +
                       (waiting_.waits_for_outputs(input) ? 1 : 0);
    const bool kept = phase == Phase::kBlock && params_.when_blocked == WhenBlocked::kRetry;
    check_account(places == (phase == Phase::kWaiting || kept ? 1 : 0),
                  "a request is lost at the controller, or there twice", node);
    const std::vector<clos::OutputId>& outputs = waiting_.outputs(input);
    const bool valid = all_of(outputs, [this](clos::OutputId output) {
      return control_.state().idle_outputs().test(index(output));
    });
    check_account(!waiting_.is_ready(input) || valid, "a ready request's output is taken", node);
    check_account(!waiting_.waits_for_outputs(input) || !valid,
                  "a request waits for outputs that are idle", node);
  }
}

}  // namespace flitcast
