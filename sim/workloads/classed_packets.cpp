// SPDX-License-Identifier: Apache-2.0
// Random packets of several classes, some of which are replies to others.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/sequences.h"
#include "sim/experiment/capacity.h"
#include "sim/workloads/message_classes.h"
#include "sim/workloads/random_packets.h"
#include "traffic/traffic_classes.h"

namespace flitcast {
namespace {

/// The share of a class in the flits of all classes, and its traffic; replies go from the
/// destinations of their requests to the sources.
struct Flow {
  const RandomTraffic* traffic = nullptr;
  double share = 0;
  bool backwards = false;
};

/// Adds the flow of a class and, recursively, those of its replies.
void add_flows(const std::vector<TrafficClass>& classes, std::size_t c, double packets, Flow flow,
               std::vector<Flow>& flows) {
  flow.share = packets * classes[c].mean_length();
  flows.push_back(flow);
  if (!classes[c].reply) return;
  flow.backwards = !flow.backwards;
  add_flows(classes, *classes[c].reply, packets, flow, flows);
}

class ClassedPackets : public RandomPackets {
 public:
  explicit ClassedPackets(const WorkloadContext& context)
      : RandomPackets(context),
        sections_(context.section().sections("classes")),
        source_(context.topology.node_count(), context.seed(),
                make_traffic_classes(context.section(), context.topology, context.seed(),
                                     context.params.router.virtual_channels)) {}

  void adapt(NetworkPlan& network) override {
    add_classes({classes().begin(), classes().end()}, section(), "classes", network);
  }

  void join(const NetworkPlan& network) override {
    for (std::size_t c = 0; c < classes().size(); ++c) {
      if (!classes()[c].traffic) continue;
      note_pattern(classes()[c].traffic->pattern(), sections_[c], *network.topology,
                   classes()[c].name + ": ");
    }
    compare_with_injection(network, "the classes together are", offered_load()->load);
  }

  PacketSource& source() override { return source_; }

  // The load is that of all classes, so the bound limits their total load, with fixed shares.
  std::optional<OfferedLoad> offered_load() const override {
    const std::vector<double> all = loads();
    const double load = std::accumulate(all.begin(), all.end(), 0.0);
    OfferedLoad offered{load, {}, {}};
    std::vector<Flow> flows;
    for (std::size_t c = 0; c < classes().size(); ++c) {
      offered.packet_lengths.push_back(classes()[c].mean_length());
      add(offered.packet_rates, classes()[c].packet_lengths().rates(all[c]));
      if (!classes()[c].traffic || load == 0) continue;
      offered.burst_cycle = std::max(offered.burst_cycle, classes()[c].traffic->burst_cycle());
      const double packets = all[c] / load / classes()[c].mean_length();
      add_flows(classes(), c, packets, {classes()[c].traffic.get()}, flows);
    }
    offered.shares = [flows](NodeId source, NodeId destination) {
      return sum_if_all<double>(flows, [&](const Flow& flow) {
        const auto share = flow.backwards ? flow.traffic->share(destination, source)
                                          : flow.traffic->share(source, destination);
        return share ? std::optional(flow.share * *share) : share;
      });
    };
    return offered;
  }

  std::string text() const override {
    std::string text =
        fmt::format("{} traffic {}", classes().size(), classes().size() == 1 ? "class" : "classes");
    for (std::size_t c = 0; c < classes().size(); ++c) {
      text += (c == 0 ? ": " : "; ") + class_text(c);
    }
    return text;
  }

  std::vector<std::string> class_names() const override {
    return mapped(classes(), &TrafficClass::name);
  }

 private:
  const std::vector<TrafficClass>& classes() const { return source_.classes(); }
  std::vector<std::int64_t> lengths() const override {
    return concatenated(sections_,
                        [](const Section& one) { return one.integers("packet_length"); });
  }
  std::vector<double> loads() const {
    return loads_of(classes(), mapped(classes(), [](const TrafficClass& one) {
                      return one.traffic ? one.traffic->load().mean_rate() : 0;
                    }));
  }

  std::string class_text(std::size_t c) const {
    const Section& section = sections_[c];
    const std::string packets = lengths_text(section.integers("packet_length"));
    if (!classes()[c].traffic)
      return fmt::format("{} in reply, packets of {}", classes()[c].name, packets);
    return fmt::format("{} {} at {}, packets of {}", classes()[c].name, section.text("pattern"),
                       load_text(classes()[c].traffic->load()), packets);
  }

  const std::vector<Section>& sections_;
  ClassTraffic source_;
};

}  // namespace

std::unique_ptr<Workload> make_classed_packets(const WorkloadContext& context) {
  return std::make_unique<ClassedPackets>(context);
}

}  // namespace flitcast
