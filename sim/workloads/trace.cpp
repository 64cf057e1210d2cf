// SPDX-License-Identifier: Apache-2.0
// The packets of a recorded program, from the first to the last.
#include <fmt/format.h>

#include "sim/workload.h"
#include "traffic/trace_source.h"

namespace flitcast {
namespace {

class TraceReplay : public Workload {
 public:
  explicit TraceReplay(const WorkloadContext& context) : context_(context) {}

  void join(const NetworkPlan& network) override {
    source_ = make_trace(context_.section(), *network.topology);
  }
  PacketSource& source() override { return *source_; }
  std::uint32_t longest_packet() const override { return source_->longest_packet(); }
  bool ends() const override { return true; }
  bool ended(const Totals& totals) const override {
    return source_->all_created() && totals.packets_delivered == source_->packet_count();
  }
  std::string text() const override {
    return fmt::format("{} trace {}", context_.section().text("format"),
                       context_.section().text("file"));
  }
  std::vector<std::string> notes() const override { return source_->notes(); }
  const char* phase() const override { return "replay"; }
  std::optional<std::uint64_t> completion_cycle(Cycle last_arrival) const override {
    return index(last_arrival);
  }

 private:
  const WorkloadContext context_;
  std::unique_ptr<TraceSource> source_;
};

std::vector<Param> trace_keys() { return with_interfaces(trace_params()); }

}  // namespace

WorkloadEntry trace_workload() {
  return {{"trace",
           "The packets of a recorded program, each after those that it depends on.",
           trace_keys,
           makes<TraceReplay>(),
           {"format: csv, file: trace.csv"}}};
}

}  // namespace flitcast
