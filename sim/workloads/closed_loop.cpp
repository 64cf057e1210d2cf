// SPDX-License-Identifier: Apache-2.0
// Requests in a closed loop: a number of them outstanding at every node, without end or in batches.
#include "traffic/closed_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/workloads/random_packets.h"

namespace flitcast {
namespace {

FigureTable<ClosedLoop::RoundTrips> round_trip_figures() {
  return {
      {"round_trip.requests", "packets",
       "Answered requests of the window, for which the run drains; without a window of all.",
       &ClosedLoop::RoundTrips::count},
      {"round_trip.unanswered", "packets", "Requests without an answer after the drain.",
       [](const ClosedLoop::RoundTrips& r) { return figure_of(r.unanswered); }},
      {"round_trip.mean", "cycles",
       "Mean time of these from the creation of the request to the arrival of its answer.",
       [](const ClosedLoop::RoundTrips& r) {
         return figure_of(r.count == 0 ? std::nullopt
                                       : std::optional<double>(static_cast<double>(r.cycles) /
                                                               static_cast<double>(r.count)));
       }},
      {"round_trip.max", "cycles", "The longest time.", &ClosedLoop::RoundTrips::longest},
  };
}

class ClosedLoopWorkload : public Workload {
 public:
  explicit ClosedLoopWorkload(const WorkloadContext& context) : context_(context) {}

  void join(const NetworkPlan& network) override {
    source_ =
        make_closed_loop(section(), *network.topology, context_.seed(), network.routing.get());
  }
  PacketSource& source() override { return *source_; }
  std::uint32_t longest_packet() const override {
    std::vector<std::int64_t> lengths = requests();
    lengths.push_back(section().integer("reply_length"));
    return static_cast<std::uint32_t>(*std::max_element(lengths.begin(), lengths.end()));
  }
  bool ends() const override { return section().count("batch") != 0; }
  bool ended(const Totals& totals) const override {
    return source_->finished() && totals.packets_delivered == totals.packets_created;
  }
  void open_window(Cycle now) override { source_->open_window(now); }
  bool finish_window(Cycle end) override { return source_->finish_window(end); }

  std::string text() const override {
    std::string text =
        fmt::format("{} traffic, {} outstanding, packets of {}", section().text("pattern"),
                    section().integer("outstanding"), lengths_text(requests()));
    if (section().count("reply_length") != 0) {
      text += fmt::format(", replies of {}", counted(section().integer("reply_length"), "flit"));
    }
    if (ends()) text += fmt::format(", a batch of {}", section().integer("batch"));
    return text;
  }

  const char* phase() const override { return "batch"; }
  std::vector<std::string> notes() const override {
    const std::string note = source_->pattern().note();
    return note.empty() ? std::vector<std::string>{} : std::vector<std::string>{note};
  }
  void add_figures(nlohmann::ordered_json& result) const override {
    if (source_) round_trip_figures().write(source_->round_trips(), result);
  }

  std::vector<SummaryLine> more_summary() const override {
    const ClosedLoop::RoundTrips& trips = source_->round_trips();
    if (trips.count == 0) return {};
    return {{"round trip",
             fmt::format("mean {:.2f}  max {} cycles of {}",
                         static_cast<double>(trips.cycles) / static_cast<double>(trips.count),
                         trips.longest, counted(trips.count, "request"))}};
  }

 private:
  const Section& section() const { return context_.section(); }
  std::vector<std::int64_t> requests() const { return section().integers("packet_length"); }

  const WorkloadContext context_;
  std::unique_ptr<ClosedLoop> source_;
};

}  // namespace

WorkloadEntry closed_loop_workload() {
  return {{"closed_loop",
           "Requests in a closed loop: the next follows the answer to one before.",
           closed_loop_params,
           makes<ClosedLoopWorkload>(),
           {"", "outstanding: 4, reply_length: 5, service: 10", "pattern: tornado, batch: 20"}},
          round_trip_figures().meanings()};
}

}  // namespace flitcast
