// SPDX-License-Identifier: Apache-2.0
// The C interface: networks with a SystemC kernel each, and errors as codes.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <systemc>

#include "sim/library/flitcast.h"
#include "sim/library/given_packets.h"
#include "sim/measure/measurement.h"
#include "sim/results/result.h"
#include "sim/sweep/sweep.h"
#include "traffic/trace.h"

namespace flitcast::library {

/// Makes a kernel, which it creates if there is none, the present one of SystemC, and the former
/// one again in the end. SystemC has one present kernel for all threads.
struct InKernel {
  explicit InKernel(std::unique_ptr<sc_core::sc_simcontext>& kernel) {
    if (kernel == nullptr) kernel = std::make_unique<sc_core::sc_simcontext>();
    sc_core::sc_curr_simcontext = kernel.get();
  }
  ~InKernel() { sc_core::sc_curr_simcontext = former; }

  inline static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock{one_at_a_time};
  sc_core::sc_simcontext* const former = sc_core::sc_curr_simcontext;
};

/// Reads an experiment. Its packets are given: the library has no other workload.
Configuration read(const char* yaml) {
  [[maybe_unused]] static const auto& only = workloads() = {given_workload()};
  const Sweep sweep(parse_document(yaml, "experiment"), experiment_schema());
  if (!sweep.explores()) return sweep.point(0);
  fail({sweep.file(), 0, 0}, "describes several runs", "leave out sweep, repeat and search");
}

/// Makes what `flitcast check` accepts, unless it has outputs beside the figures.
Model make_sound(const Configuration& configuration, const MeasurementPlan& plan) {
  Model model = make_model(configuration, false);
  check_protocol(model, configuration);
  if (dependencies_are_checkable(model)) check_routing(model, configuration);
  if (plan.series + plan.buffers == 0 && !model.network.trace && !model.energy) return model;
  fail({}, "energy, series, buffers and waveforms are for `flitcast run`", "leave them out");
}

/// A network that has been opened; used in its kernel only.
struct Opened {
  explicit Opened(const char* yaml) : configuration(read(yaml)) {}

  Cycle next_event() const {
    if (model.workload->ended(network.totals())) return kNever;
    const std::uint64_t idle = network.idle_cycles();
    return idle == Network::kNoLimit ? kNever : network.now() + idle;
  }

  const Configuration configuration;
  const MeasurementPlan plan = measurement_plan(configuration);
  const Model model = make_sound(configuration, plan);
  const std::unique_ptr<SteppedRun> run = stepped_run(model, plan);
  Network& network = run->network();
  GivenPackets& packets = static_cast<GivenPackets&>(*model.workload);
  std::string figures{};
};

/// Throws ConfigError for a wrong argument.
void require(const char* name, std::uint64_t value, std::uint64_t from, std::uint64_t to) {
  if (value >= from && value <= to) return;
  fail_option(name, fmt::format("{} is out of range", value),
              fmt::format("use {} to {}", from, to));
}

}  // namespace flitcast::library

using namespace flitcast;
using library::InKernel, library::Opened, library::require;

struct flitcast_network {  // NOLINT(readability-identifier-naming)
  std::unique_ptr<sc_core::sc_simcontext> kernel{};
  std::optional<Opened> opened{};
  std::string error{};
};

namespace {

/// Runs a call in the kernel of a network and returns its code. A ConfigError leaves the network as
/// it was; after other exceptions, whose effects are unknown, it is no longer open.
template <class Call>
int attempt(flitcast_network* network, const Call& call, bool opens = false) noexcept {
  if (network == nullptr || (!network->opened && !opens)) return FLITCAST_BAD_INPUT;
  const InKernel kernel(network->kernel);
  try {
    return call(network->opened);
  } catch (const ConfigError& error) {
    network->error = error.what();
    return FLITCAST_BAD_INPUT;
  } catch (const std::exception& error) {
    network->error = std::string("internal error: ") + error.what();
  }
  network->opened.reset();
  return FLITCAST_INTERNAL;
}

flitcast_delivery in_c(const Delivery& delivery) {
  const auto& [packet, node, port, arrived, hops] = delivery;
  return {packet.tag,  index(packet.created), index(arrived),       index(packet.source),
          index(node), packet.length,         packet.message_class, hops};
}

}  // namespace

// libsystemc refers to this function; that of a program goes before it.
[[gnu::weak]] int sc_main(int, char*[]) { return FLITCAST_OK; }

const char* flitcast_version() { return FLITCAST_VERSION; }

int flitcast_abi() { return FLITCAST_ABI; }

int flitcast_open(const char* yaml, flitcast_network** network) {
  if (network == nullptr) return FLITCAST_BAD_INPUT;
  *network = new (std::nothrow) flitcast_network;
  const auto open = [=](std::optional<Opened>& opened) {
    opened.emplace(yaml == nullptr ? "" : yaml);
    return FLITCAST_OK;
  };
  return attempt(*network, open, true);
}

void flitcast_close(flitcast_network* network) {
  if (network == nullptr) return;
  const InKernel kernel(network->kernel);
  delete network;
}

const char* flitcast_error(const flitcast_network* network) {
  return network == nullptr ? "the network is a null pointer" : network->error.c_str();
}

uint64_t flitcast_now(const flitcast_network* network) {
  return network == nullptr || !network->opened ? 0 : index(network->opened->network.now());
}

int flitcast_send(flitcast_network* network, uint32_t source, uint32_t destination, uint32_t length,
                  uint64_t cycle, uint32_t message_class, uint64_t* packet) {
  return attempt(network, [=](std::optional<Opened>& opened) {
    const std::size_t nodes = opened->model.topology().node_count();
    const std::size_t classes = opened->model.network.params.message_classes.size();
    require("source", source, 0, nodes - 1);
    require("destination", destination, 0, nodes - 1);
    require("length", length, 1, opened->model.workload->longest_packet());
    require("cycle", cycle, index(opened->network.now()), kMaxTraceCycle);
    require("message_class", message_class, 0, std::max<std::size_t>(classes, 1) - 1);
    PacketRequest request{NodeId{destination}, length};
    request.message_class = static_cast<std::uint8_t>(message_class);
    const std::uint64_t number = opened->packets.send(NodeId{source}, Cycle{cycle}, request);
    opened->network.wake(NodeId{source}, Cycle{cycle});
    if (packet != nullptr) *packet = number;
    return FLITCAST_OK;
  });
}

int flitcast_step(flitcast_network* network, uint64_t cycle, int to_arrival) {
  return attempt(network, [=](std::optional<Opened>& opened) {
    const Network& net = opened->network;
    require("cycle", cycle, index(net.now()), kMaxTraceCycle);
    while (index(net.now()) < cycle) {
      const Cycle next = to_arrival != 0 ? opened->next_event() : Cycle{cycle};
      if (next == kNever || (to_arrival != 0 && !opened->packets.arrivals().empty())) break;
      if (opened->run->run_to(std::clamp(next, net.now() + 1, Cycle{cycle}))) continue;
      network->error = "deadlock:\n" + to_text(opened->run->so_far().deadlock_cycle);
      return FLITCAST_DEADLOCK;
    }
    return FLITCAST_OK;
  });
}

int flitcast_next_event(flitcast_network* network, uint64_t* cycle) {
  return attempt(network, [=](std::optional<Opened>& opened) {
    if (cycle == nullptr) return FLITCAST_BAD_INPUT;
    *cycle = index(opened->next_event());
    return FLITCAST_OK;
  });
}

size_t flitcast_poll(flitcast_network* network, flitcast_delivery* deliveries, size_t capacity) {
  if (network == nullptr || !network->opened || deliveries == nullptr) return 0;
  std::deque<Delivery>& arrivals = network->opened->packets.arrivals();
  const auto count = static_cast<std::ptrdiff_t>(std::min(capacity, arrivals.size()));
  std::transform(arrivals.begin(), arrivals.begin() + count, deliveries, in_c);
  arrivals.erase(arrivals.begin(), arrivals.begin() + count);
  return static_cast<size_t>(count);
}

int flitcast_figures(flitcast_network* network, const char** json) {
  return attempt(network, [=](std::optional<Opened>& opened) {
    if (json == nullptr) return FLITCAST_BAD_INPUT;
    opened->figures =
        to_json(opened->run->so_far(), opened->configuration, opened->model, 0).dump(2);
    *json = opened->figures.c_str();
    return FLITCAST_OK;
  });
}
