// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "router/core_bench.h"
#include "router/store_forward_core.h"
#include "routing/queue_priority.h"
#include "topology/topology.h"

namespace flitcast {

/// Store-and-forward cores that a topology connects without a SystemC network: channels and credit
/// wires are calendar queues. All packets are at their sources in cycle 0, each with a separate
/// input.
class StoreForwardNetwork {
 public:
  /// All arguments must outlive the network.
  StoreForwardNetwork(const Topology& topology, const Routing& routing,
                      const QueuePriority& priority, const RouterParams& params, unsigned latency,
                      unsigned length, const std::vector<std::vector<NodeId>>& destinations)
      : topology_(topology),
        routing_(routing),
        priority_(priority),
        params_(params),
        latency_(latency),
        length_(length) {
    for (const std::vector<NodeId>& own : destinations) {
      most_own_ = std::max(most_own_, static_cast<unsigned>(own.size()));
    }
    for (std::uint32_t r = 0; r < topology.router_count(); ++r) build_router(RouterId{r});
    for (const Channel& channel : topology.channels()) connect(channel);
    for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
      const Endpoint ejection = topology.attachment(NodeId{n}).ejection;
      routers_[index(ejection.router)].core->connect_output(index(ejection.port), {1, 1, true});
      for (std::size_t k = 0; k < destinations[n].size(); ++k) {
        add(NodeId{n}, static_cast<unsigned>(k), destinations[n][k]);
      }
    }
  }

  /// A head that was granted an output to another router.
  struct HopStart {
    std::uint64_t cycle = 0;
    unsigned packet = 0;
  };

  void run() {
    while (arrived_ < packets_) {
      if (++now_ > 1000000) throw std::logic_error("packets do not arrive");
      cycle();
    }
  }

  unsigned step() const {
    const Pipeline& stages = params_.pipeline;
    return stages.route + stages.vc_allocation + stages.departure() + latency_ +
           length_ * params_.flit_time;
  }
  /// T: the step in which the last packet finished its last hop, counted from 1.
  /// Throws if a packet started a hop within a step.
  unsigned steps() const {
    unsigned last = 0;
    for (const HopStart& hop : hops) {
      const auto cycles = static_cast<unsigned>(hop.cycle - start());
      if (cycles % step() != 0) throw std::logic_error("a hop began inside a step");
      last = std::max(last, cycles / step() + 1);
    }
    return last;
  }
  /// The cycle in which the first packets leave their sources' routers.
  std::uint64_t start() const {
    return 1 + params_.pipeline.route + params_.pipeline.vc_allocation;
  }

  std::uint32_t max_queue() const {
    std::uint32_t most = 0;
    for (const auto& router : routers_) most = std::max(most, router.core->max_queue);
    return most;
  }
  std::uint32_t max_held() const {
    std::uint32_t most = 0;
    for (const auto& router : routers_) most = std::max(most, router.core->max_held);
    return most;
  }

  std::vector<HopStart> hops;
  /// Per packet: the cycle in which its tail was granted the output to its node.
  std::vector<std::uint64_t> tails;

 private:
  struct Arrival {
    unsigned input;
    Flit flit;
  };
  struct RouterAt {
    std::vector<std::byte> storage;
    std::unique_ptr<StoreForwardCore<1>> core;
    std::vector<Flit> landed;
    std::map<std::uint64_t, std::vector<Arrival>> arrivals;
    // Output ports, by the cycle in which their credit returns.
    std::map<std::uint64_t, std::vector<unsigned>> credits;
    std::vector<Endpoint> before;  // The sender of each input.
    std::vector<Endpoint> after;   // The receiver of each output.
    std::vector<bool> to_router;
  };

  /// The host of a core.
  struct Host {
    StoreForwardNetwork& network;
    RouterId id;

    RouterAt& router() const { return network.routers_[index(id)]; }
    const Flit& landed(unsigned input) const { return router().landed[input]; }
    void branches(unsigned input, unsigned vc, const Flit& head, Branches& branches) const {
      network.routing_.branches(
          {id, PortId{static_cast<std::uint16_t>(input)}, VcId{static_cast<std::uint8_t>(vc)},
           head.destination, head.ties, head.route_field},
          branches);
    }
    std::uint32_t rank(unsigned output, const Flit& head, std::uint64_t joins) const {
      return network.priority_.rank({id, PortId{static_cast<std::uint16_t>(output)},
                                     head.destination, PacketId{index(head.packet)}, Cycle{joins}});
    }
    std::uint64_t packet_id(const Flit& head) const { return index(head.packet); }
    void depart(unsigned output, unsigned, const Flit& flit) const {
      network.depart(id, output, flit);
    }
    void return_credit(const InputVc& in) const { network.free_place(id, in.port); }
  };

  void build_router(RouterId id) {
    const auto inputs = static_cast<unsigned>(topology_.input_count(id)) + most_own_;
    const auto outputs = static_cast<unsigned>(topology_.output_count(id));
    RouterAt router;
    const CoreShape shape{params_, inputs, outputs};
    router.storage.resize(storage_bytes<StoreForwardCore<1>>(shape));
    detail::BumpAllocator arena(router.storage.data());
    router.core = std::make_unique<StoreForwardCore<1>>(shape, arena);
    router.landed.resize(inputs);
    router.before.resize(inputs);
    router.after.resize(outputs);
    router.to_router.resize(outputs, false);
    for (unsigned output = 0; output < outputs; ++output) router.core->connect_output(output);
    for (unsigned k = 0; k < most_own_; ++k) router.core->connect_node_input(inputs - 1 - k);
    routers_.push_back(std::move(router));
  }

  void connect(const Channel& channel) {
    RouterAt& from = routers_[index(channel.from.router)];
    from.core->connect_output(index(channel.from.port), {params_.flit_time, latency_});
    from.after[index(channel.from.port)] = channel.to;
    from.to_router[index(channel.from.port)] = true;
    routers_[index(channel.to.router)].before[index(channel.to.port)] = channel.from;
  }

  // Packets are numbered by source, then in the order of the source's list.
  void add(NodeId source, unsigned k, NodeId destination) {
    const Endpoint injection = topology_.attachment(source).injection;
    RouterAt& router = routers_[index(injection.router)];
    const auto input = static_cast<unsigned>(topology_.input_count(injection.router)) + k;
    std::vector<Flit> flits = make_packet(packets_++, index(destination), length_);
    for (std::size_t f = 0; f < flits.size(); ++f) {
      router.arrivals[1 + f].push_back({input, flits[f]});
    }
    tails.push_back(0);
  }

  void cycle() {
    for (std::uint32_t r = 0; r < routers_.size(); ++r) {
      RouterAt& router = routers_[r];
      Host host{*this, RouterId{r}};
      for (const unsigned output : router.credits[now_]) {
        router.core->credit(BitMask<1>::of(router.core->vc_index(output, 0)));
      }
      BitMask<1> arrivals{};
      for (const Arrival& arrival : router.arrivals[now_]) {
        router.landed[arrival.input] = arrival.flit;
        arrivals.set(router.core->vc_index(arrival.input, 0));
      }
      router.core->accept(arrivals, host);
      router.core->tick(host, now_);
      router.credits.erase(now_);
      router.arrivals.erase(now_);
    }
  }

  void depart(RouterId id, unsigned output, const Flit& flit) {
    RouterAt& router = routers_[index(id)];
    if (!router.to_router[output]) {
      if (!flit.tail()) return;
      ++arrived_;
      tails[index(flit.packet)] = now_;
      router.credits[now_ + 1].push_back(output);
      return;
    }
    if (flit.head) hops.push_back({now_, index(flit.packet)});
    const Endpoint to = router.after[output];
    routers_[index(to.router)].arrivals[now_ + params_.pipeline.departure() + latency_].push_back(
        {index(to.port), flit});
  }

  void free_place(RouterId id, unsigned input) {
    // The input belongs to the node, which sends no other packet.
    if (input >= topology_.input_count(id)) return;
    const Endpoint before = routers_[index(id)].before[input];
    routers_[index(before.router)].credits[now_ + 2].push_back(index(before.port));
  }

  const Topology& topology_;
  const Routing& routing_;
  const QueuePriority& priority_;
  const RouterParams params_;
  const unsigned latency_;
  const unsigned length_;
  unsigned most_own_ = 0;
  std::vector<RouterAt> routers_;
  unsigned packets_ = 0;
  unsigned arrived_ = 0;
  std::uint64_t now_ = 0;
};

}  // namespace flitcast
