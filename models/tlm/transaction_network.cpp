// SPDX-License-Identifier: Apache-2.0
#include "tlm/transaction_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>

#include "network/check/inspection.h"
#include "network/pins/process.h"
#include "router/invariant.h"

namespace flitcast::tlm {
namespace {

/// Flits of four bytes, the first of which is the header.
constexpr unsigned kFlitBytes = 4;
/// Size of every node's window, which holds the data of the longest packet.
constexpr std::uint64_t kWindowBytes = std::uint64_t{kMaxPacketLength} * kFlitBytes;
/// The order of transactions is kept for every pair of nodes.
constexpr std::size_t kMostNodes = 1024;

InterconnectParams params_of(const Topology& topology, const NetworkParams& network,
                             std::size_t outstanding) {
  InterconnectParams params;
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    params.placement.initiators.push_back(NodeId{n});
    params.placement.targets.push_back(NodeId{n});
    params.windows.push_back({n * kWindowBytes, kWindowBytes, n, 0});
  }
  params.format = {kFlitBytes, kFlitBytes};
  const RouterParams& router = network.router;
  const std::uint32_t longest = router.whole_packet_credit ? router.buffer_depth : 1;
  params.limits = {outstanding, (longest - 1) * kFlitBytes, false};
  params.timeout = SC_ZERO_TIME;
  return params;
}

}  // namespace

/// A packet as the transaction that represents it.
class TransactionNetwork::Write : public Payload {
 public:
  Write() { set_extension(new Journey); }

  /// Sets up the transaction of a packet; `data` has as many bytes as any packet carries.
  void begin(const Packet& its_packet, unsigned char* data) {
    packet = its_packet;
    request_arrived = false;
    get_extension<Journey>()->hops = 0;
    const unsigned bytes = (packet.length - 1) * kFlitBytes;
    set_command(bytes == 0 ? ::tlm::TLM_IGNORE_COMMAND : ::tlm::TLM_WRITE_COMMAND);
    set_address(index(packet.destination) * kWindowBytes);
    set_data_ptr(data);
    set_data_length(bytes);
    set_streaming_width(bytes);
    set_byte_enable_ptr(nullptr);
    set_dmi_allowed(false);
    set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
  }

  /// The delivery of the packet, which arrives in cycle `now`.
  Delivery delivery(Cycle now) const {
    Delivery delivery{packet, packet.destination};
    delivery.arrival = now;
    delivery.hops = get_extension<Journey>()->hops;
    return delivery;
  }

  std::uint32_t number = 0;  ///< Number in its pool.
  Packet packet{};
  bool in_flight = false;
  bool request_arrived = false;
  Cycle arrival{};  ///< Arrival of the request.
};

/// A pool of the payloads of all nodes.
class TransactionNetwork::WritePool : public ::tlm::tlm_mm_interface {
 public:
  Write& take() {
    Write& write = writes_.take();
    write.set_mm(this);
    write.in_flight = true;
    return write;
  }
  // Every payload that the sockets of this network release comes from this pool.
  void free(Payload* payload) override { writes_.give_back(*static_cast<Write*>(payload)); }

  template <class Visit>
  void for_each_in_flight(Visit&& visit) const {
    for (std::size_t w = 0; w < writes_.size(); ++w) {
      if (writes_[w].in_flight) visit(writes_[w]);
    }
  }
  unsigned char* data() { return data_.data(); }

 private:
  Pool<Write> writes_;
  std::vector<unsigned char> data_ = std::vector<unsigned char>(kWindowBytes);
};

/// Sums over all completed transactions.
struct TransactionNetwork::Counts {
  std::uint64_t answered = 0;
  std::uint64_t request_flits = 0;
  std::uint64_t response_flits = 0;
  std::uint64_t request_cycles = 0;
  std::uint64_t response_cycles = 0;
  std::size_t most_outstanding = 0;

  nlohmann::ordered_json mean(std::uint64_t cycles) const {
    if (answered == 0) return nullptr;
    return static_cast<double>(cycles) / static_cast<double>(answered);
  }
};

/// The initiator and the target of a node.
class TransactionNetwork::Node : public BackwardInterface, public ForwardInterface {
 public:
  Node(NodeId node, TransactionNetwork& network)
      : node_(node),
        network_(network),
        initiator_(fmt::format("initiator_{}", index(node)).c_str()),
        target_(fmt::format("target_{}", index(node)).c_str()) {
    initiator_.bind(static_cast<BackwardInterface&>(*this));
    target_.bind(static_cast<ForwardInterface&>(*this));
    initiator_.bind(network.net_->target_socket[index(node)]);
    network.net_->initiator_socket[index(node)].bind(target_);
  }

  /// The number of the next packet.
  std::uint32_t take_serial() { return serial_++; }
  void enqueue(Write& write) { queue_.push_back(&write); }
  /// True if there is a request to begin and no other request is beginning.
  bool ready() const { return !beginning_ && !queue_.empty(); }

  void begin_request() {
    beginning_ = true;
    tlm_phase phase = ::tlm::BEGIN_REQ;
    sc_time delay = SC_ZERO_TIME;
    initiator_->nb_transport_fw(*queue_.front(), phase, delay);
  }

  // These functions belong to the initiator.

  tlm_sync_enum nb_transport_bw(Payload& payload, tlm_phase& phase, sc_time&) override {
    auto& write = static_cast<Write&>(payload);
    if (phase == ::tlm::END_REQ) {
      write.packet.injected = network_.cycle();
      queue_.pop_front();
      beginning_ = false;
      network_.request_ended(node_);
      return ::tlm::TLM_ACCEPTED;
    }
    network_.response_arrived(write);
    return ::tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  // These functions belong to the target.

  tlm_sync_enum nb_transport_fw(Payload& payload, tlm_phase&, sc_time&) override {
    payload.set_response_status(::tlm::TLM_OK_RESPONSE);
    network_.request_arrived(static_cast<Write&>(payload));
    return ::tlm::TLM_COMPLETED;
  }
  void b_transport(Payload& payload, sc_time&) override {
    payload.set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  bool get_direct_mem_ptr(Payload&, ::tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

 private:
  const NodeId node_;
  TransactionNetwork& network_;
  ::tlm::tlm_initiator_socket<> initiator_;
  ::tlm::tlm_target_socket<> target_;
  std::deque<Write*> queue_;  // The request of the first one may have begun.
  bool beginning_ = false;
  std::uint32_t serial_ = 0;
};

std::vector<Problem> TransactionNetwork::problems(const Topology& topology, const Routing& routing,
                                                  const NetworkParams& params) {
  if (topology.node_count() > kMostNodes) {
    return {
        problem_of("",
                   fmt::format("{} nodes are more than the {} whose transactions are kept in order",
                               topology.node_count(), kMostNodes),
                   "use a smaller topology")};
  }
  return problems_of(params_of(topology, params, 1), topology, routing, params);
}

namespace {

const Routing& routing_of(const NetworkParts& parts) {
  if (parts.routing == nullptr) throw std::invalid_argument("transactions need a routing");
  const auto problems = TransactionNetwork::problems(parts.topology, *parts.routing, parts.params);
  if (!problems.empty()) throw std::invalid_argument(problems.front().text());
  return *parts.routing;
}

}  // namespace

TransactionNetwork::TransactionNetwork(const sc_core::sc_module_name& module_name,
                                       const NetworkParts& parts, std::size_t outstanding)
    : sc_module(module_name),
      topology_(parts.topology),
      source_(parts.source),
      probe_(parts.probes.empty() ? nullptr : parts.probes.front()),
      maker_(topology_.node_count(), topology_.node_ports(), routing_of(parts), parts.params),
      net_(std::make_unique<Interconnect<>>("net", topology_, *parts.routing, parts.params,
                                            params_of(topology_, parts.params, outstanding))),
      writes_(std::make_unique<WritePool>()),
      calendar_(topology_.node_count()),
      deliveries_(source_, [this](NodeId node, Cycle cycle) { wake(node, cycle); }),
      created_(topology_.node_count(), 0),
      counts_(std::make_unique<Counts>()) {
  for (std::uint32_t n = 0; n < topology_.node_count(); ++n) {
    nodes_.push_back(std::make_unique<Node>(NodeId{n}, *this));
    calendar_.schedule(n, source_.first(NodeId{n}));
  }
  SC_HAS_PROCESS(TransactionNetwork);
  SC_METHOD(on_cycle);
  SC_METHOD(begin_requests);
  sensitive << ready_event_;
  dont_initialize();
}

TransactionNetwork::~TransactionNetwork() = default;

Cycle TransactionNetwork::cycle() const { return Cycle{net_->cycles_in(sc_core::sc_time_stamp())}; }

// In the cycle after the arrival of a request the source is notified and then asked for packets;
// requests of this cycle may have arrived earlier in this instant. With nothing in flight nothing
// can happen before the next packet.
void TransactionNetwork::on_cycle() {
  pins::do_reporting("tlm/invariant", *this, index(cycle()), [this] {
    const auto now = std::stable_partition(arrived_.begin(), arrived_.end(),
                                           [&](const auto& one) { return one.arrival < cycle(); });
    std::for_each(arrived_.begin(), now, [&](const auto& one) { deliveries_.add(one); });
    arrived_.erase(arrived_.begin(), now);
    deliveries_.report();
    calendar_.take_due(cycle(), [this](std::uint32_t node) { create(NodeId{node}, cycle()); });
  });
  const bool busy = totals_.packets_delivered != totals_.packets_created;
  const Cycle next = busy ? cycle() + 1 : calendar_.next_due(cycle());
  if (next == kNever) return;
  next_trigger(static_cast<double>(next - cycle()) * kClockPeriodNs, sc_core::SC_NS);
}

void TransactionNetwork::create(NodeId node, Cycle now) {
  requests_.clear();
  const Cycle next = source_.create(node, now, requests_);
  if (next <= now) throw InvariantError("a source asked to be called again in the past");
  calendar_.schedule(index(node), next);
  for (const PacketRequest& request : requests_) {
    if (request.receivers != 1 || request.ties || request.route_field ||
        request.message_class != 0) {
      throw InvariantError("a transaction cannot choose receivers, paths or message classes");
    }
    Write& write = writes_->take();
    const std::uint32_t serial = nodes_[index(node)]->take_serial();
    write.begin(maker_.make(node, serial, request, now), writes_->data());
    write.acquire();
    ++totals_.packets_created;
    ++totals_.receivers;
    created_[index(node)] += request.length;
    nodes_[index(node)]->enqueue(write);
  }
  request_ended(node);
}

// The next request begins in the next delta cycle, because calls over sockets must not nest.
void TransactionNetwork::request_ended(NodeId node) {
  if (!nodes_[index(node)]->ready()) return;
  ready_.push_back(node);
  ready_event_.notify(SC_ZERO_TIME);
}

void TransactionNetwork::begin_requests() {
  std::vector<NodeId> ready;
  ready.swap(ready_);
  for (const NodeId node : ready) {
    if (nodes_[index(node)]->ready()) nodes_[index(node)]->begin_request();
  }
}

void TransactionNetwork::request_arrived(Write& write) {
  write.request_arrived = true;
  write.arrival = cycle();
  created_[index(write.packet.destination)] += kResponseFlits;
  if (source_.wants_deliveries()) arrived_.push_back(write.delivery(write.arrival));
}

void TransactionNetwork::response_arrived(Write& write) {
  const Delivery delivery = write.delivery(cycle());
  ++totals_.packets_delivered;
  ++counts_->answered;
  counts_->request_flits += write.packet.length;
  counts_->response_flits += kResponseFlits;
  counts_->request_cycles += write.arrival - write.packet.created;
  counts_->response_cycles += delivery.arrival - write.arrival;
  if (probe_ != nullptr) probe_->delivered(delivery);
  write.in_flight = false;
  write.release();
}

// The interconnect reports errors through the kernel; the callers of a network expect exceptions.
void TransactionNetwork::run(std::uint64_t cycles) {
  try {
    sc_core::sc_start(static_cast<double>(cycles) * kClockPeriodNs, sc_core::SC_NS);
  } catch (const sc_core::sc_report& report) {
    throw InvariantError(report.what());
  }
  now_ = now_ + cycles;
}

Totals TransactionNetwork::totals() const {
  const Totals packets = fabric().totals();
  Totals totals = totals_;
  for (const std::uint64_t flits : created_) totals.flits_created += flits;
  totals.flits_injected = packets.flits_injected;
  totals.flits_ejected = packets.flits_ejected;
  totals.router_ticks = packets.router_ticks;
  return totals;
}

// The fabric has no cycles while it is idle, so its cycle count differs.
Cycle TransactionNetwork::busy_until(Endpoint output) const {
  const Cycle until = fabric().busy_until(output);
  return until > fabric().now() ? now_ + (until - fabric().now()) : Cycle{0};
}

void TransactionNetwork::for_each_packet(const std::function<void(const Packet&)>& visit) const {
  writes_->for_each_in_flight([&](const Write& write) {
    Packet packet = write.packet;
    if (write.request_arrived) {
      std::swap(packet.source, packet.destination);
      packet.length = kResponseFlits;
    }
    visit(packet);
  });
}

const FigureTable<TransactionNetwork::Counts>& TransactionNetwork::figures() {
  static const FigureTable<Counts> table{
      {"transactions.answered", "transactions", "Completed transactions.", &Counts::answered},
      {"transactions.request_flits", "flits", "Flits of requests.", &Counts::request_flits},
      {"transactions.response_flits", "flits", "Flits of responses.", &Counts::response_flits},
      {"transactions.request_cycles", "cycles",
       "Mean time from the creation of a packet to the arrival of its request.",
       [](const Counts& c) { return c.mean(c.request_cycles); }},
      {"transactions.response_cycles", "cycles",
       "Mean time from that arrival to the arrival of the response.",
       [](const Counts& c) { return c.mean(c.response_cycles); }},
      {"transactions.most_outstanding", "transactions",
       "Most outstanding transactions at once, in the whole network.", &Counts::most_outstanding},
  };
  return table;
}

std::vector<FigureMeaning> TransactionNetwork::figure_meanings() { return figures().meanings(); }

void TransactionNetwork::write_figures(nlohmann::ordered_json& result) const {
  Counts counts = *counts_;
  counts.most_outstanding = net_->most_outstanding();
  figures().write(counts, result);
  fabric().write_figures(result);
}

std::unique_ptr<const Inspection> TransactionNetwork::inspection() const {
  return fabric().inspection();
}

void TransactionNetwork::audit() const {
  fabric().audit();
  std::uint64_t in_flight = 0;
  writes_->for_each_in_flight([&](const Write&) { ++in_flight; });
  if (in_flight == totals_.packets_created - totals_.packets_delivered) return;
  throw InvariantError("a transaction has been lost");
}

}  // namespace flitcast::tlm
