// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "sim/experiment/workload.h"

namespace flitcast {

/// A workload whose messages are planned when it is made. A player sends them; the workload ends
/// with the last arrival. Everything that the context refers to must outlive the workload. The
/// player may refer to members of the derived class, which are destroyed before it: its destructor
/// must not use them.
template <class Player>
class PlannedWorkload : public Workload {
 public:
  PacketSource& source() override { return *player_; }
  bool ends() const override { return true; }
  bool ended(const Totals&) const override { return finished(); }
  std::optional<std::uint64_t> cycles() const override {
    if (!finished()) return std::nullopt;
    return player_->cycles();
  }
  void add_figures(nlohmann::ordered_json& result) const override {
    result[phase()] = schedule_figures();
  }

 protected:
  explicit PlannedWorkload(const WorkloadContext& context) : context_(context) {}

  const WorkloadContext& context() const { return context_; }
  const Configuration& configuration() const { return context_.configuration; }
  const Section& section() const { return context_.section(); }

  /// Null before the workload has joined a network, and if it cannot join it.
  Player* player() const { return player_.get(); }
  void play(std::unique_ptr<Player> player) { player_ = std::move(player); }
  bool finished() const { return player_ != nullptr && player_->finished(); }

  /// The start-up time ts: it contains the time in the interfaces of both nodes, so it is at least
  /// as long.
  std::uint64_t startup_cycles() const {
    const std::int64_t least = interface_cycles(context_.params);
    const std::uint64_t given = configuration().section("node").count("startup");
    return std::max(given, static_cast<std::uint64_t>(std::max<std::int64_t>(least, 0)));
  }
  /// Makes nodes wait for the part of a start-up that is not spent in interfaces.
  void set_startup(NetworkPlan& network) const {
    network.params.startup = static_cast<std::uint32_t>(
        static_cast<std::int64_t>(startup_cycles()) - interface_cycles(context_.params));
  }

 private:
  const WorkloadContext context_;
  std::unique_ptr<Player> player_;
};

}  // namespace flitcast
