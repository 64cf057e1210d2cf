// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "base/ids.h"

namespace flitcast {

/// A set of virtual channels of one port: bit v stands for VC v.
using VcSet = std::uint32_t;

/// Most virtual channels that a port can have.
inline constexpr std::size_t kMaxVirtualChannels = 32;
/// Most message classes that a network can have.
inline constexpr std::size_t kMaxMessageClasses = 32;

/// The VCs first .. first + count - 1.
constexpr VcSet vc_range(std::size_t first, std::size_t count) {
  return static_cast<VcSet>(((std::uint64_t{1} << count) - 1) << first);
}

/// Consecutive virtual channels of a port.
struct VcRange {
  std::size_t first = 0;
  std::size_t count = 0;

  constexpr VcSet set() const { return vc_range(first, count); }
};

/// What a routing decision may depend on: where the head flit waits and what it carries.
struct RouteRequest {
  RouterId router{};
  PortId input{};  ///< The input port at which the head waits.
  VcId vc{};       ///< The virtual channel of that port.
  NodeId destination{};
  std::uint8_t ties = 0;          ///< Flit::ties.
  std::uint16_t route_field = 0;  ///< Flit::route_field.
};

/// Where the packet goes next: one output port and the VCs there that it may ask for (not empty).
struct Route {
  PortId output{};
  VcSet vcs = 0;
};

/// One of the outputs that a multicast packet leaves a router by.
struct Branch {
  PortId output{};
  VcSet vcs = 0;                  ///< Not empty.
  std::uint16_t route_field = 0;  ///< Flit::route_field of the copy.
};

/// One of the ways by which an adaptive routing lets a packet leave a router.
struct Alternative {
  PortId output{};
  std::uint16_t route_field = 0;  ///< Flit::route_field of the head once it has taken this way.
  VcSet vcs = 0;                  ///< Not empty.
  std::uint8_t priority = 0;      ///< A router takes a way of the highest priority that is open.
  /// Whether a packet may wait for it, in line behind others. Otherwise the way is open only while
  /// there is space for the packet behind it: an adaptive channel of Duato's protocol, beside which
  /// the routing offers an escape channel that packets may wait for.
  bool waits = true;
  /// Where the router decides at once: flits in the buffers behind the output count so many times,
  std::uint16_t weight = 1;
  /// and so many are added.
  std::uint16_t surcharge = 0;
};

/// What a routing offers a packet at one router, in a fixed memory.
template <class Output>
class OutputList {
 public:
  static constexpr std::size_t kMost = 128;

  void clear() { count_ = 0; }
  /// Throws std::length_error beyond kMost.
  void add(const Output& option) {
    if (count_ == kMost) throw std::length_error("more ways than a router has ports");
    outputs_[count_++] = option;
  }
  std::size_t size() const { return count_; }
  Output* begin() { return outputs_.data(); }
  Output* end() { return outputs_.data() + count_; }
  const Output* begin() const { return outputs_.data(); }
  const Output* end() const { return outputs_.data() + count_; }

 private:
  std::array<Output, kMost> outputs_;
  std::size_t count_ = 0;
};

/// The outputs of one packet at one router, all of which it takes, each at most once.
using Branches = OutputList<Branch>;

/// What a router makes of the packets of one reduction: of one from each input a single one, which
/// leaves by all branches.
struct Combination {
  OutputList<PortId>
      inputs;  ///< Each once. Empty: the packet has no business at the input it is at.
  Branches branches;

  void clear() {
    inputs.clear();
    branches.clear();
  }
};

/// The ways of one packet at one router, one of which it takes. An output may occur twice, with
/// other VCs: at most twice as many ways as outputs.
class Alternatives : public OutputList<Alternative> {
 public:
  void clear() {
    OutputList::clear();
    drawn_ = 0;
  }
  /// Lets the router decide at once instead of each cycle anew until a way is open: it draws so
  /// many of the ways, all if there are no more, and takes the one with the lowest cost, whose VCs
  /// the packet then waits for. The cost is Alternative::weight times the flits in the buffers
  /// behind the output, as far as its credits tell, plus Alternative::surcharge; of equal ones the
  /// one with the highest priority, of equal ones again any.
  void decide_at_once(std::size_t drawn = kMost) { drawn_ = drawn; }
  std::size_t drawn() const { return drawn_; }  ///< 0: the router decides each cycle anew.

 private:
  std::size_t drawn_ = 0;
};

/// Which of several open ways of the same priority a packet takes.
enum class OutputSelection : std::uint8_t {
  kFreeCredits,  ///< By the output with the most free places behind it, in all of its VCs.
  kRandom,       ///< By any of them, drawn for the packet at each router.
  kRoundRobin,   ///< By the next free VC after the one that the input VC was granted last.
};

/// Which outputs next? A pure function: equal requests get equal answers, in any order, from any
/// thread. The network asks once per packet and router, when a head flit reaches the front.
///
///   one output     route()         deterministic, or oblivious where sources draw ties or choices
///   one of several alternatives()  adaptive(): the router chooses by credits
///   all of several branches()      multicast()
///   together with  combination()   reductions(): one packet out of several, by one output or more
///   others
class Routing {
 public:
  virtual ~Routing() = default;

  virtual Route route(const RouteRequest& request) const = 0;

  /// Whether packets can leave a router by several outputs: then branches() decides, not route().
  virtual bool multicast() const { return false; }

  /// Whether route() reads the input port or the virtual channel of a request. Where it reads only
  /// router, destination and ties, whoever follows all packets asks once for each router.
  virtual bool reads_arrival() const { return true; }

  /// All outputs that a copy of the packet leaves by, at least one. The node itself is one of them
  /// where it is to receive the packet.
  virtual void branches(const RouteRequest& request, Branches& branches) const {
    const Route only = route(request);
    branches.add({only.output, only.vcs, request.route_field});
  }

  /// Reductions that routers carry out, by combining packets: then combination() decides, not
  /// branches(), and multicast() is true. 0: routers combine nothing.
  virtual std::uint32_t reductions() const { return 0; }

  /// The inputs whose packets become one with that of the request, its own among them, and where
  /// that one goes. A reduction is known by Flit::route_field, its number below reductions(), which
  /// every branch passes on; all of its packets that meet are of the same length. It has one
  /// virtual channel of the same number at all inputs and outputs: packets that wait there behind
  /// each other are those of its next turns, or of other reductions.
  virtual void combination(const RouteRequest& request, Combination& combination) const {
    combination.inputs.add(request.input);
    branches(request, combination.branches);
  }

  /// Whether routers choose among several ways by what is going on around them: then
  /// alternatives() decides, not route().
  virtual bool adaptive() const { return false; }

  /// The ways that the packet may take, at least one. Of those at a router where it does not leave
  /// the network it may wait for one at the least.
  virtual void alternatives(const RouteRequest& request, Alternatives& alternatives) const {
    const Route only = route(request);
    Alternative option;
    option.output = only.output;
    option.vcs = only.vcs;
    option.route_field = request.route_field;
    alternatives.add(option);
  }
  /// How routers choose among alternatives.
  virtual OutputSelection selection() const { return OutputSelection::kFreeCredits; }

  /// Values of Flit::route_field among which a source draws for a packet, each as likely as
  /// another; 1: there is nothing to draw. most_choices() is the largest number of any pair.
  virtual std::uint32_t choices(NodeId source, NodeId destination) const {
    static_cast<void>(source);
    static_cast<void>(destination);
    return most_choices();
  }
  virtual std::uint32_t most_choices() const { return 1; }
  /// The value of a choice by its number, from 0.
  virtual std::uint16_t choice(NodeId source, NodeId destination, std::uint32_t number) const {
    static_cast<void>(source);
    static_cast<void>(destination);
    return static_cast<std::uint16_t>(number);
  }

  /// Kinds of messages, each with the virtual channels that its packets use at every port from the
  /// first to the last. 1, except where MessageClasses makes more; at most kMaxMessageClasses.
  virtual std::size_t message_classes() const { return 1; }
  /// The VCs of a class, as far as ports have them. Two classes have the same VCs or none in
  /// common: those without a common VC cannot hold each other back.
  virtual VcSet class_vcs(std::size_t message_class) const {
    static_cast<void>(message_class);
    return vc_range(0, kMaxVirtualChannels);
  }

  /// The VCs of the injection channel that a packet may enter by, those of all message classes.
  virtual VcSet injection_vcs(NodeId source, NodeId destination) const = 0;

  /// Dimensions whose Flit::ties bit route() reads; the source draws one fair coin for each.
  /// Zero for routings without ties.
  virtual std::size_t tie_dimensions() const { return 0; }
};

/// What all adaptive routings have in common.
class AdaptiveRouting : public Routing {
 public:
  explicit AdaptiveRouting(OutputSelection selection) : selection_(selection) {}

  bool adaptive() const final { return true; }
  OutputSelection selection() const final { return selection_; }
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override = 0;

  /// Throws std::logic_error: the answer is a list.
  Route route(const RouteRequest&) const final {
    throw std::logic_error("an adaptive routing offers several ways");
  }

 private:
  OutputSelection selection_;
};

}  // namespace flitcast
