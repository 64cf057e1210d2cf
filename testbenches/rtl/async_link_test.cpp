// SPDX-License-Identifier: Apache-2.0
#include <Vasync_link_1x1.h>
#include <Vasync_link_1x16.h>
#include <Vasync_link_2x4.h>
#include <Vasync_link_3x5.h>

#include <cmath>
#include <deque>

#include "cosim/faults.h"
#include "rtl/two_clocks.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// A sender with credits and a receiver with buffers, at the two ends of a link in RTL. Both pause
/// at random; the receiver compares what arrives with what was sent on the VC, and each side how
/// many of its edges a flit or a credit has taken.
template <class Model>
class LinkTraffic {
 public:
  LinkTraffic(unsigned vcs, unsigned credits, const ClockPair& clocks, double pause = 0.3)
      : link_(clocks), pause_(pause), credits_(vcs, credits), sent_(vcs), stored_(vcs) {
    link_.context().fatalOnError(false);
    link_->in_valid_i = link_->out_credit_valid_i = link_->wrong_i = link_->clear_i = 0;
    const auto [faster, slower] = std::minmax(clocks.in_period, clocks.out_period);
    for (std::uint64_t edges = 4 + 4 * slower / faster; edges > 0; --edges) link_.edge();
    link_->in_rst_ni = link_->out_rst_ni = 1;
    link_.disturb("u_flits", true);
    link_.disturb("u_credits", false);
  }

  /// Sends flits until `flits` more have arrived; false if that takes more than `edges` edges, or
  /// something arrives that should not.
  bool deliver(std::uint64_t flits, std::uint64_t edges) {
    const std::uint64_t goal = arrived + flits;
    for (; arrived < goal && edges > 0 && wrong_.empty(); --edges) step();
    return arrived == goal && wrong_.empty();
  }
  /// Lets everything arrive and come back; true if all credits are home then.
  bool drain(std::uint64_t edges) {
    to_send_ = false;
    for (; edges > 0 && wrong_.empty() && !home(); --edges) step();
    return home() && wrong_.empty();
  }
  /// The next flit that arrives has a wrong bit.
  void break_next_flit() { link_->wrong_i = 1; }

  TwoClockBench<Model>& link() { return link_; }
  const std::string& wrong() const { return wrong_; }

  std::uint64_t arrived = 0;
  std::uint64_t in_edges = 0;
  std::uint64_t out_edges = 0;
  std::uint64_t errors = 0;  // Cycles with error_o.

 private:
  struct Flit {
    std::uint32_t data;
    std::uint64_t out_edges;  // Before it was sent.
  };

  bool pauses() { return std::generate_canonical<double, 32>(random_) < pause_; }
  unsigned draw(std::size_t below) { return static_cast<unsigned>(random_() % below); }
  void complain(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }

  void step() {
    const bool in = link_.in_is_next(), out = link_.out_is_next();
    if (in) offer_flit();
    if (out) offer_credit();
    link_->eval();
    if (in) take_credit();
    const std::uint64_t arrived_before = arrived;
    if (out) take_flit();
    if (in) note_flit();
    link_.edge();
    if (arrived > arrived_before) link_->wrong_i = 0;
    in_edges += in ? 1 : 0;
    out_edges += out ? 1 : 0;
    if (out) errors += link_->error_o;
    if (link_.context().gotError()) complain("an assertion of the RTL failed");
  }

  void offer_flit() {
    const unsigned vc = draw(credits_.size());
    link_->in_valid_i = to_send_ && credits_[vc] > 0 && !pauses();
    link_->in_vc_i = static_cast<CData>(vc);
    link_->in_flit_i = static_cast<std::uint32_t>(random_());
  }
  void note_flit() {
    if (link_->in_valid_i == 0) return;
    --credits_[link_->in_vc_i];
    sent_[link_->in_vc_i].push_back({link_->in_flit_i, out_edges});
  }
  void take_flit() {
    if (link_->out_valid_o == 0) return;
    const unsigned vc = link_->out_vc_o;
    if (vc >= sent_.size() || sent_[vc].empty()) return complain("a flit that was not sent");
    const Flit flit = sent_[vc].front();
    sent_[vc].pop_front();
    if (link_->out_flit_o != (flit.data ^ link_->wrong_i)) return complain("another flit");
    if (out_edges - flit.out_edges < 2) return complain("a flit after fewer than two edges");
    ++stored_[vc];
    ++arrived;
  }
  void offer_credit() {
    const unsigned vc = draw(stored_.size());
    link_->out_credit_valid_i = stored_[vc] > 0 && !pauses();
    link_->out_credit_vc_i = static_cast<CData>(vc);
    if (link_->out_credit_valid_i == 0) return;
    --stored_[vc];
    credits_back_.push_back({vc, in_edges});
  }
  void take_credit() {
    if (link_->in_credit_valid_o == 0) return;
    if (credits_back_.empty() || link_->in_credit_vc_o != credits_back_.front().data) {
      return complain("a credit that was not given");
    }
    if (in_edges - credits_back_.front().out_edges < 2) complain("a credit too early");
    credits_back_.pop_front();
    ++credits_[link_->in_credit_vc_o];
  }
  bool home() const {
    for (const auto& flits : sent_) {
      if (!flits.empty()) return false;
    }
    for (const unsigned stored : stored_) {
      if (stored > 0) return false;
    }
    return credits_back_.empty();
  }

  TwoClockBench<Model> link_;
  const double pause_;
  std::vector<unsigned> credits_;
  std::vector<std::deque<Flit>> sent_;
  std::vector<unsigned> stored_;
  std::deque<Flit> credits_back_;  // VC, and edges of in_clk_i before it was given.
  std::string wrong_;
  bool to_send_ = true;
  std::mt19937 random_{11};
};

using Link2x4 = LinkTraffic<Vasync_link_2x4>;

/// Periods whose ratio is from 1/10 to 10, and any phase.
std::vector<ClockPair> drawn_clocks(std::size_t number) {
  std::mt19937 random(3);
  std::vector<ClockPair> result;
  while (result.size() < number) {
    const double ratio = std::pow(10.0, 2 * std::generate_canonical<double, 32>(random) - 1);
    const auto period = static_cast<std::uint64_t>(1000 * ratio);
    result.push_back({1000, period, random() % period});
  }
  // Equal clocks whose edges are simultaneous, or far from each other, and nearly equal ones.
  for (const ClockPair& clocks :
       {ClockPair{1000, 1000, 0}, {1000, 1000, 500}, {1000, 1001, 0}, {1001, 1000, 7}}) {
    result.push_back(clocks);
  }
  return result;
}

template <class Model>
void check_delivery(unsigned vcs, unsigned credits, double pause, std::uint64_t flits) {
  const auto clocks = drawn_clocks(16);
  for (const ClockPair& pair : clocks) {
    INFO("periods " << pair.in_period << ", " << pair.out_period << ", phase " << pair.out_phase);
    LinkTraffic<Model> traffic(vcs, credits, pair, pause);
    CHECK(traffic.deliver(flits / clocks.size(), flits * 100));
    CHECK(traffic.drain(10'000));
    CHECK(traffic.wrong().empty());
    CHECK(traffic.errors == 0);
  }
}

/// Flits per cycle of the slower clock, without pauses.
template <class Model>
double throughput(unsigned credits, const ClockPair& clocks) {
  LinkTraffic<Model> traffic(1, credits, clocks, 0);
  CHECK(traffic.deliver(100, 100'000));
  const std::uint64_t in = traffic.in_edges, out = traffic.out_edges;
  CHECK(traffic.deliver(2'000, 1'000'000));
  const std::uint64_t edges = std::min(traffic.in_edges - in, traffic.out_edges - out);
  return 2'000 / static_cast<double>(edges);
}

/// True if a stuck register bit shows in what arrives, its parity, its times or the lack of it.
bool is_found(const std::string& name, bool value) {
  Link2x4 traffic(2, 4, {1000, 1300, 100});
  traffic.link().context().assertOn(false);  // The outputs must reveal the fault.
  auto bits = traffic.link().registers(name);
  REQUIRE(!bits.empty());
  for (int i = 0; i < 10'000 && traffic.errors == 0; ++i) {
    bits.front().set(value);
    if (!traffic.deliver(1, 200)) return true;
  }
  return traffic.errors > 0;
}

}  // namespace

TEST_CASE("a link between two clocks loses, changes and reorders nothing at any ratio and phase",
          "[rtl]") {
  check_delivery<Vasync_link_2x4>(2, 4, 0.3, 1'000'000);
}

TEST_CASE("a link between two clocks loses nothing with hasty and slow ends", "[rtl]") {
  check_delivery<Vasync_link_2x4>(2, 4, 0, 20'000);
  check_delivery<Vasync_link_2x4>(2, 4, 0.9, 5'000);
  check_delivery<Vasync_link_3x5>(3, 5, 0.1, 20'000);
  check_delivery<Vasync_link_1x1>(1, 1, 0.1, 5'000);
}

TEST_CASE("a link between two clocks carries a flit per cycle of the slower one", "[rtl]") {
  for (const ClockPair& clocks : drawn_clocks(16)) {
    INFO("periods " << clocks.in_period << ", " << clocks.out_period);
    CHECK(throughput<Vasync_link_1x16>(16, clocks) > 0.98);
  }
}

TEST_CASE("parity reports the flits that were changed and no others", "[rtl]") {
  Link2x4 traffic(2, 4, {1000, 700, 0});
  CHECK(traffic.deliver(1'000, 100'000));
  CHECK(traffic.link()->failed_o == 0);
  for (unsigned broken = 1; broken <= 20; ++broken) {
    traffic.break_next_flit();
    CHECK(traffic.deliver(50, 10'000));
    CHECK(traffic.errors == broken);
    CHECK(traffic.link()->failed_o == 1);
    traffic.link()->clear_i = 1;
    CHECK(traffic.deliver(2, 1'000));
    traffic.link()->clear_i = 0;
    CHECK(traffic.link()->failed_o == 0);
  }
}

TEST_CASE("assertions of a link find a flit and a credit without space", "[rtl]") {
  for (const bool credit : {false, true}) {
    TwoClockBench<Vasync_link_1x1> link({1000, 1000, 500});
    link.context().fatalOnError(false);
    link->in_valid_i = link->out_credit_valid_i = 0;
    link->in_vc_i = link->out_credit_vc_i = 0;
    for (int edge = 0; edge < 8; ++edge) link.edge();
    link->in_rst_ni = link->out_rst_ni = 1;
    // The other end stays in reset and takes nothing.
    (credit ? link->in_rst_ni : link->out_rst_ni) = 0;
    (credit ? link->out_credit_valid_i : link->in_valid_i) = 1;
    for (int edge = 0; edge < 4; ++edge) link.edge();
    CHECK_FALSE(link.context().gotError());  // There are two slots.
    for (int edge = 0; edge < 2; ++edge) link.edge();
    CHECK(link.context().gotError());
  }
}

TEST_CASE("a stuck bit in any register of a link between two clocks is found", "[faults]") {
  Link2x4 sound(2, 4, {1000, 1300, 100});
  std::vector<std::string> missed;
  for (const RegisterBit& bit : sound.link().registers("u_link")) {
    for (const bool value : {false, true}) {
      if (!is_found(bit.name(), value))
        missed.push_back(bit.name() + (value ? " stuck at 1" : " stuck at 0"));
    }
  }
  // A sender with credits never meets a full FIFO. This bit alone makes none seem full.
  const std::vector<std::string> rules{"u_to_in\\.(first|second)_q\\[0\\] stuck at [01]"};
  CHECK(unexplained(missed, rules) == std::vector<std::string>{});
}
