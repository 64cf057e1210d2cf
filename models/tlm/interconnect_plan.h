// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "config/configuration.h"
#include "config/problem.h"
#include "network/network_params.h"
#include "routing/routing.h"
#include "tlm/address_map.h"
#include "tlm/burst.h"
#include "tlm/exchange.h"
#include "tlm/initiator_side.h"
#include "tlm/timing.h"
#include "topology/topology.h"

namespace flitcast::tlm {

/// Parameters of an interconnect in addition to those of its network.
struct InterconnectParams {
  /// The node of every initiator and of every target, in the order of the sockets. A node may have
  /// several of both.
  Placement placement{};
  std::vector<Window> windows{};
  PacketFormat format{};
  InitiatorLimits limits{};
  /// The time of a cycle, as the kernel's time resolution rounds it.
  sc_time period{kClockPeriodNs, sc_core::SC_NS};
  /// The timing at the start; see InterconnectCore::set_timing().
  Timing timing = Timing::kCycle;
  /// A transaction without progress for this time is an error; zero: never.
  sc_time timeout{1, sc_core::SC_MS};
  /// Checks the use of the base protocol at every socket.
  bool check_protocol = false;
};

/// A problem without a place.
Problem problem_of(const std::string& key, std::string what, std::string hint);

/// Each problem with its key in the section `tlm`, or without one for a problem of the network;
/// empty if such an interconnect can be built.
std::vector<Problem> problems_of(const InterconnectParams& params, const Topology& topology,
                                 const Routing& routing, const NetworkParams& network);

/// An interconnect that a file describes; its times are not yet SystemC times.
struct InterconnectPlan {
  std::unique_ptr<const Topology> topology;
  std::unique_ptr<const Routing> routing;  ///< A routing of two message classes.
  NetworkParams network{};
  InterconnectParams params{};
};

/// The keys of interconnect files: clock, topology, router, routing and link as in experiment
/// files, where requests and responses have half of the virtual channels each, and tlm.
const Schema& interconnect_schema();

/// The routing that the section `routing` names, for requests and responses with half of the
/// virtual channels of a network each.
/// Throws ConfigError, also for a routing that can deadlock, as far as
/// dependencies_are_checkable().
std::unique_ptr<Routing> request_response_routing(const Configuration& configuration,
                                                  const Topology& topology,
                                                  std::size_t virtual_channels);

/// Throws ConfigError with every problem of the file.
/// @param overrides  Values for keys of the file: "tlm.timing=ideal".
InterconnectPlan read_interconnect(const std::string& path,
                                   const std::vector<std::string>& overrides = {});

/// The overrides for an instance on the command line of the simulation, as sc_argv() has it: of
/// the word "net.tlm.timing=ideal" the override "tlm.timing=ideal" for the instance "net".
std::vector<std::string> overrides_for(const std::string& instance);

/// Reads "BASE SIZE TARGET [OFFSET], ...": numbers are decimal or begin with 0x, and may end in K,
/// M or G, which stand for 2^10, 2^20 and 2^30.
/// Throws std::invalid_argument with every window that cannot be read.
std::vector<Window> read_windows(const std::string& text);

}  // namespace flitcast::tlm
