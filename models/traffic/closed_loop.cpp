// SPDX-License-Identifier: Apache-2.0
#include "traffic/closed_loop.h"

#include <algorithm>
#include <utility>

#include "base/flit.h"
#include "base/sequences.h"

namespace flitcast {

namespace {

constexpr std::uint64_t kRequest = 0;
constexpr std::uint64_t kReply = 1;

}  // namespace

ClosedLoop::ClosedLoop(std::size_t nodes, std::uint64_t seed, std::unique_ptr<Pattern> pattern,
                       Params params)
    : pattern_(std::move(pattern)), params_(std::move(params)) {
  const std::uint64_t left = params_.batch == 0 ? ~std::uint64_t{0} : params_.batch;
  nodes_.reserve(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    nodes_.push_back({Random::stream(seed, n), left});
    nodes_.back().free.assign(params_.outstanding, Cycle{0});
  }
}

Cycle ClosedLoop::create(NodeId id, Cycle now, std::vector<PacketRequest>& packets) {
  Node& node = nodes_[index(id)];
  for (; !node.replies.empty() && node.replies.front().cycle <= now; node.replies.pop_front()) {
    PacketRequest reply{node.replies.front().to, params_.replies->draw(node.random), kReply};
    reply.payload = node.replies.front().asked;
    packets.push_back(reply);
  }
  while (node.left > 0 && !node.free.empty() && node.free.front() <= now) {
    const NodeId to = pattern_->destination(id, node.random);
    packets.push_back({to, params_.requests.draw(node.random), kRequest});
    node.free.pop_front();
    --node.left;
  }
  Cycle next = node.replies.empty() ? kNever : node.replies.front().cycle;
  if (node.left > 0 && !node.free.empty()) next = std::min(next, node.free.front());
  return next;
}

void ClosedLoop::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  const Packet& packet = delivery.packet;
  if (packet.tag == kReply) {
    return answered(delivery.node, packet.payload, delivery.arrival, wake_ups);
  }
  if (!params_.replies) {
    return answered(packet.source, index(packet.created), delivery.arrival, wake_ups);
  }
  const Cycle due = delivery.arrival + 1 + params_.service;
  nodes_[index(delivery.node)].replies.push_back({due, packet.source, index(packet.created)});
  wake_ups.push_back({delivery.node, due});
}

void ClosedLoop::answered(NodeId node, std::uint64_t asked, Cycle arrival,
                          std::vector<WakeUp>& wake_ups) {
  ++answered_;
  nodes_[index(node)].free.push_back(arrival + 1);
  wake_ups.push_back({node, arrival + 1});
  if (round_trips_.unanswered && Cycle{asked} < end_) --*round_trips_.unanswered;
  if (Cycle{asked} < begin_ || Cycle{asked} >= end_) return;
  const std::uint64_t cycles = index(arrival) - asked;
  ++round_trips_.count;
  round_trips_.cycles += cycles;
  round_trips_.longest = std::max(round_trips_.longest, cycles);
}

void ClosedLoop::open_window(Cycle now) {
  begin_ = now;
  round_trips_ = {};
}

bool ClosedLoop::finish_window(Cycle end) {
  if (round_trips_.unanswered) return *round_trips_.unanswered == 0;
  end_ = end;
  std::uint64_t& unanswered = round_trips_.unanswered.emplace(0);
  for (const Node& node : nodes_) unanswered += params_.outstanding - node.free.size();
  return unanswered == 0;
}

std::unique_ptr<ClosedLoop> make_closed_loop(const Section& workload, const Topology& topology,
                                             std::uint64_t seed, const Routing* routing) {
  ClosedLoop::Params params;
  std::unique_ptr<Pattern> pattern;
  ProblemList problems;
  problems.attempt([&] { pattern = make_pattern(workload, topology, routing); });
  problems.attempt([&] { params.requests = make_packet_lengths(workload); });
  problems.throw_if_any();
  params.outstanding = static_cast<std::uint32_t>(workload.count("outstanding"));
  params.batch = workload.count("batch");
  const auto reply = static_cast<std::uint32_t>(workload.count("reply_length"));
  if (reply != 0) params.replies = PacketLengths({reply}, {1});
  params.service = workload.count("service");
  return std::make_unique<ClosedLoop>(topology.node_count(), seed, std::move(pattern),
                                      std::move(params));
}

std::vector<Param> closed_loop_params() {
  constexpr double kMost = 1e9;
  Catalog<PatternEntry> without_rates{};
  for (const PatternEntry& entry : patterns()) {
    if (!entry.brings_rates) without_rates.add(entry);
  }
  std::vector<Param> params = pattern_params(without_rates);
  append(params, packet_length_params());
  append(
      params,
      {Param::integer("outstanding", "packets",
                      "Requests of a node without an answer; the next follows one.", 1, 65536)
           .defaults_to(1),
       Param::integer("batch", "packets",
                      "Requests of every node, after whose answers the run ends; 0: without end.",
                      0, kMost)
           .defaults_to(0),
       Param::integer("reply_length", "flits",
                      "Length of the replies; 0: a request is answered by its arrival.", 0,
                      kMaxPacketLength)
           .defaults_to(0),
       Param::integer("service", "cycles",
                      "Time from the cycle after a request's arrival to the creation of its reply.",
                      0, kMost)
           .defaults_to(0)});
  return params;
}

}  // namespace flitcast
