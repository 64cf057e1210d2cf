// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "base/ids.h"

namespace flitcast {

/// A set of virtual channels (VCs) of one port: bit v represents VC v.
using VcSet = std::uint32_t;

/// The largest number of virtual channels of a port.
inline constexpr std::size_t kMaxVirtualChannels = 32;
/// The largest number of message classes of a network.
inline constexpr std::size_t kMaxMessageClasses = 32;

/// The VCs first .. first + count - 1.
constexpr VcSet vc_range(std::size_t first, std::size_t count) {
  return static_cast<VcSet>(((std::uint64_t{1} << count) - 1) << first);
}

/// vc_range() with a check: throws std::invalid_argument unless the result is 1 to
/// kMaxVirtualChannels VCs of a port.
inline VcSet valid_vc_range(std::size_t first, std::size_t count) {
  if (count >= 1 && first + count <= kMaxVirtualChannels) return vc_range(first, count);
  throw std::invalid_argument("a port has 1 to kMaxVirtualChannels virtual channels");
}

/// The lowest VC of a set, which must not be empty.
constexpr VcId lowest_vc(VcSet vcs) {
  return to_id<VcId>(static_cast<std::size_t>(__builtin_ctz(vcs)));
}

/// The VCs of a set in rising order: `for (const VcId vc : EachVc(vcs))`.
class EachVc {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(VcSet rest) : rest_(rest) {}
    constexpr VcId operator*() const { return lowest_vc(rest_); }
    constexpr Iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    friend constexpr bool operator!=(Iterator a, Iterator b) { return a.rest_ != b.rest_; }

   private:
    VcSet rest_;
  };

  constexpr explicit EachVc(VcSet vcs) : vcs_(vcs) {}
  constexpr Iterator begin() const { return Iterator(vcs_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  VcSet vcs_;
};

/// Consecutive virtual channels of a port.
struct VcRange {
  std::size_t first = 0;
  std::size_t count = 0;

  constexpr VcSet set() const { return vc_range(first, count); }
};

/// The inputs of a routing decision: where the head flit is and what it carries.
struct RouteRequest {
  RouterId router{};
  PortId input{};  ///< The input port at which the head flit waits.
  VcId vc{};       ///< The virtual channel of that port.
  NodeId destination{};
  std::uint8_t ties = 0;          ///< Flit::ties.
  std::uint16_t route_field = 0;  ///< Flit::route_field.
};

/// The answer of a deterministic or oblivious routing: one output port, and the VCs of its channel
/// that the packet may request.
struct Route {
  PortId output{};
  VcSet vcs = 0;  ///< Not empty.
};

/// One of the outputs by which the copies of a multicast packet leave a router.
struct Branch {
  PortId output{};
  VcSet vcs = 0;                  ///< Not empty.
  std::uint16_t route_field = 0;  ///< Flit::route_field of this copy.
};

/// One of the candidate outputs that an adaptive routing offers a packet.
struct Alternative {
  PortId output{};
  std::uint16_t route_field = 0;  ///< Flit::route_field of the head flit behind this output.
  VcSet vcs = 0;                  ///< Not empty.
  /// The router takes an available alternative of the highest priority.
  std::uint8_t priority = 0;
  /// True if the packet may wait for this output in line behind others. False for an adaptive
  /// channel of Duato's protocol: it is available only while the buffer behind it has space for the
  /// packet, and the routing offers an escape channel (waits = true) beside it.
  bool waits = true;
  /// Alternatives::decide_at_once(): the factor of the queue length in the cost of this output.
  std::uint16_t weight = 1;
  /// Alternatives::decide_at_once(): the constant part of the cost, in flits.
  std::uint16_t surcharge = 0;
};

/// A list of outputs of one router, of fixed capacity, so that routing allocates no memory.
template <class Output>
class OutputList {
 public:
  static constexpr std::size_t kMost = 128;

  void clear() { count_ = 0; }
  /// Throws std::length_error beyond kMost.
  void add(const Output& output) {
    if (count_ == kMost)
      throw std::length_error("a routing offers more outputs than OutputList holds");
    outputs_[count_++] = output;
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

/// The branches of a multicast packet at one router. The packet leaves by all of them; no output
/// occurs twice.
using Branches = OutputList<Branch>;

/// How a router combines the packets of one reduction: it takes one packet from each input and
/// sends the single packet that results by all branches.
struct Combination {
  /// Each input occurs once. Empty if the reduction does not use the input of the request.
  OutputList<PortId> inputs;
  Branches branches;

  void clear() {
    inputs.clear();
    branches.clear();
  }
};

/// The alternatives of a packet at one router, of which it takes one. An output may occur twice,
/// with different VCs, so there are at most twice as many alternatives as outputs.
class Alternatives : public OutputList<Alternative> {
 public:
  void clear() {
    OutputList::clear();
    drawn_ = 0;
  }
  /// Makes the router decide once, when the packet reaches it, instead of in every cycle until an
  /// alternative is available. The router draws `drawn` of the alternatives at random, or all if
  /// there are no more, and takes the one of the lowest cost; the packet then waits for the VCs of
  /// that one. The cost is Alternative::weight * (flits in the buffers behind the output, as far as
  /// credits show) + Alternative::surcharge. Equal costs are decided by priority, then at random.
  void decide_at_once(std::size_t drawn = kMost) { drawn_ = drawn; }
  std::size_t drawn() const { return drawn_; }  ///< 0 if the router decides in every cycle.

 private:
  std::size_t drawn_ = 0;
};

/// Which of several available alternatives of the same priority a packet takes.
enum class OutputSelection : std::uint8_t {
  kFreeCredits,  ///< The output with the most credits, summed over all of its VCs.
  kRandom,       ///< A random one, drawn for the packet at each router.
  kRoundRobin,   ///< The next free VC after the one that the input VC was granted last.
};

/// A routing function. It is pure: equal requests get equal answers, in any order, from any thread.
/// The network asks once per packet and router, when the head flit reaches the front of its buffer.
///
///   kind                         decided by      declared by     outputs that the packet takes
///   deterministic or oblivious   route()         -               the only one
///   adaptive                     alternatives()  adaptive()      one of several, chosen by credits
///   multicast                    branches()      multicast()     all of several, a copy by each
///   reduction                    combination()   reductions()    several packets leave as one
///
/// A routing is oblivious if sources draw `ties` or `choices` at random, else deterministic.
class Routing {
 public:
  virtual ~Routing() = default;

  /// The output of a packet. Throws std::logic_error unless routes have a single output.
  virtual Route route(const RouteRequest& request) const {
    static_cast<void>(request);
    throw std::logic_error("a routing without a single output; ask the function that decides");
  }

  /// True if route() reads the input port or the VC of a request. Where it reads only router,
  /// destination and ties, an analysis that follows all packets asks once per router.
  virtual bool reads_arrival() const { return true; }

  /// The VCs of the injection channel that a packet may use, those of all message classes.
  virtual VcSet injection_vcs(NodeId source, NodeId destination) const = 0;

  /// The number of dimensions whose bit of Flit::ties route() reads. The source of a packet tosses
  /// a fair coin for each. 0 for routings without ties.
  virtual std::size_t tie_dimensions() const { return 0; }

  /// The number of values of Flit::route_field among which the source draws for each packet, all
  /// equally likely; 1 if there is nothing to draw. most_choices() is the maximum over all pairs.
  virtual std::uint32_t choices(NodeId source, NodeId destination) const {
    static_cast<void>(source);
    static_cast<void>(destination);
    return most_choices();
  }
  virtual std::uint32_t most_choices() const { return 1; }
  /// The value of choice `number`, which counts from 0.
  virtual std::uint16_t choice(NodeId source, NodeId destination, std::uint32_t number) const {
    static_cast<void>(source);
    static_cast<void>(destination);
    return static_cast<std::uint16_t>(number);
  }

  /// True if a router chooses among several outputs by its state, such as credits. Then
  /// alternatives() decides, not route().
  virtual bool adaptive() const { return false; }

  /// Adds the candidate outputs of a packet, at least one. At a router where the packet does not
  /// leave the network, it may wait for at least one of them (Alternative::waits).
  virtual void alternatives(const RouteRequest& request, Alternatives& alternatives) const {
    const Route only = route(request);
    alternatives.add({only.output, request.route_field, only.vcs});
  }
  /// How routers choose among available alternatives of equal priority.
  virtual OutputSelection selection() const { return OutputSelection::kFreeCredits; }

  /// True if packets can leave a router by several outputs. Then branches() decides, not route().
  virtual bool multicast() const { return false; }

  /// Adds all outputs by which a copy of the packet leaves, at least one. The output to the node of
  /// the router is one of them if that node is a destination.
  virtual void branches(const RouteRequest& request, Branches& branches) const {
    const Route only = route(request);
    branches.add({only.output, only.vcs, request.route_field});
  }

  /// The number of reductions that routers carry out by combining packets; 0 if routers combine
  /// nothing. If positive, combination() decides, not branches(), and multicast() is true.
  virtual std::uint32_t reductions() const { return 0; }

  /// Sets the inputs whose packets become one with the packet of the request, its own input among
  /// them, and the branches of the result.
  ///
  /// Flit::route_field of a packet is the number of its reduction, below reductions(), and every
  /// branch keeps it. Packets of one reduction that meet have the same length. A reduction uses the
  /// same VC at all inputs and outputs, so the packets that wait in that VC one behind the other
  /// belong to later repetitions of the same reduction, or to other reductions.
  virtual void combination(const RouteRequest& request, Combination& combination) const {
    combination.inputs.add(request.input);
    branches(request, combination.branches);
  }

  /// The number of message classes. Each class uses virtual channels of its own, the same at every
  /// port. 1, except for MessageClasses; at most kMaxMessageClasses.
  virtual std::size_t message_classes() const { return 1; }
  /// The VCs of a class; ports may have fewer. Two classes have either the same VCs or none in
  /// common. Classes without a common VC cannot block each other.
  virtual VcSet class_vcs(std::size_t message_class) const {
    static_cast<void>(message_class);
    return vc_range(0, kMaxVirtualChannels);
  }
};

/// The base class of all adaptive routings.
class AdaptiveRouting : public Routing {
 public:
  explicit AdaptiveRouting(OutputSelection selection) : selection_(selection) {}

  bool adaptive() const final { return true; }
  OutputSelection selection() const final { return selection_; }
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override = 0;

 private:
  OutputSelection selection_;
};

/// A routing whose packets may use all of its VCs in injection channels.
/// @tparam Kind  Routing or AdaptiveRouting.
template <class Kind>
class OnAllVcs : public Kind {
 public:
  VcSet injection_vcs(NodeId, NodeId) const final { return all_; }

 protected:
  /// @param kind  The arguments of the constructor of Kind.
  template <class... Arguments>
  explicit OnAllVcs(VcSet all, Arguments... kind) : Kind(kind...), all_(all) {}

  VcSet all_;
};

}  // namespace flitcast
