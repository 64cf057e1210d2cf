// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/packet.h"
#include "base/packet_source.h"

namespace flitcast {

class Fabric;
class Terminal;

/// The data that a packet carries.
using Bytes = std::vector<std::uint8_t>;

/// A packet that a terminal hands over to its receiver.
struct Arrival : Delivery {
  Bytes bytes{};  ///< The bytes given by the sender; each receiver of a multicast gets a copy.
};

/// Packet::payload for a pointer to an object of the sender, which must outlive the packet.
template <class T>
std::uint64_t payload_of(T* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}
/// The object whose payload_of() the packet carries; T must be the type of that object.
template <class T>
T* payload_as(const Packet& packet) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(packet.payload));
}

/// The point where one node's packets enter and leave the network, for processes of the user.
///
///   send, nb_put, put --> [ source queue per message class ] --> network
///   get, nb_get       <-- [ arrivals per message class ]     <-- network
///
/// Both sides have the calls of an sc_fifo: nb_ calls return immediately, put() and get() wait and
/// so need an SC_THREAD, and events report space and arrivals. In a lockstep fabric any process may
/// call at any time. Calls of a delta cycle take effect at its end, so it does not matter whether a
/// process runs before or after the fabric at a clock edge: a packet that is put at the edge of
/// cycle t is created in cycle t + 1, and a packet that arrives in cycle t is available from the
/// next delta cycle on.
///
/// Back-pressure is optional. After bound_queue() puts wait for space in the source queue. After
/// listen() with a number of slots, flits of a packet without a slot keep their credits until the
/// receiver gets another packet of that class, so the network fills up behind them. Slots and
/// queues are counted per message class, so classes stay independent. No packet is lost in either
/// direction.
///
/// While rst_ni of the fabric is low there is no space, and no packet arrives; see Fabric.
///
/// Misuse is reported by report_error() in the name of the terminal, with the cycle. The report
/// throws sc_report unless the user has set other actions; then the call has no effect.
class Terminal : public sc_core::sc_module {
 public:
  Terminal(const sc_core::sc_module_name& name, NodeId node, Fabric& fabric)
      : sc_module(name), node_(node), fabric_(fabric) {}

  NodeId node() const { return node_; }

  // The functions below send packets.

  /// Puts a packet into the source queue, which is unbounded unless bound_queue() was called.
  ///
  /// Misuse: a packet that the network cannot carry (node, length, port, message class, receivers);
  /// no space.
  void send(const PacketRequest& request, Bytes bytes = {});
  /// The same as send() if there is space; else leaves `bytes` unchanged and returns false.
  bool nb_put(const PacketRequest& request, Bytes&& bytes = {});
  /// The same as send(), after waiting for space.
  void put(const PacketRequest& request, Bytes bytes = {});
  /// Creates a packet in the cycle that is about to run, whatever bound_queue() says; only for a
  /// CycleModule in sample(). Misuse: a packet that the network cannot carry.
  void send_now(const PacketRequest& request, Bytes bytes);

  /// Bounds the source queue to `packets` packets of each message class, including the one that is
  /// leaving. Misuse: 0.
  void bound_queue(std::size_t packets);
  bool can_send(std::uint8_t message_class = 0) const;
  /// Notified when a full queue, of any message class, has space again.
  const sc_core::sc_event& space_event();

  // The functions below receive packets.

  /// Stores all packets that arrive from now on until they are taken; without listen() arrivals are
  /// only counted. Misuse: a fabric that does not run in lockstep.
  void listen();
  /// Stores at most `slots` packets of each message class. Further misuse: 0 slots; a second
  /// listen(); a call while a packet is arriving; NetworkParams::reply_queue.
  void listen(std::size_t slots);
  bool listening() const { return listening_; }

  /// The number of packets of a message class that can be got without waiting.
  std::size_t available(std::uint8_t message_class = 0) const {
    return message_class < classes_.size() ? classes_[message_class].arrived.size() : 0;
  }
  /// Gets the packet that arrived first. Misuse of nb_get() and get(): no listen(); a message class
  /// that the network does not have.
  bool nb_get(Arrival& arrival, std::uint8_t message_class = 0);
  Arrival get(std::uint8_t message_class = 0);
  /// Gets all packets that have arrived, of all message classes, in order of arrival.
  std::vector<Arrival> take_deliveries();
  /// Notified after the cycle in which a tail arrives.
  const sc_core::sc_event& delivery_event() const { return delivered_; }

  std::uint64_t flits_sent() const;
  std::uint64_t flits_received() const;

 private:
  friend class Terminals;
  friend class TerminalUpdates;

  struct Put {
    PacketRequest request;
    Bytes bytes;
  };
  /// The state of a message class in both directions.
  struct Class {
    std::size_t space = 0;        // Free slots of a bounded queue, at least; refreshed when 0.
    std::deque<Arrival> arrived;  // Packets that get() has not returned.
    std::size_t taken = 0;        // Packets that get() has returned since the last update.
  };

  // The functions below are called by Terminals and TerminalUpdates.
  void deliver(Arrival arrival);
  void update();
  /// True if some class has no space, so that the network must be checked after each cycle.
  bool full() const;
  void reset();

  bool sendable(const PacketRequest& request, const Bytes& bytes) const;
  bool receiving() const;
  bool gettable(std::uint8_t message_class) const;
  void join(const PacketRequest& request, Bytes&& bytes);
  Arrival take(Class& from);
  void find_space();
  void notify_space() {
    if (space_ != nullptr) space_->notify(sc_core::SC_ZERO_TIME);
  }
  void misuse(const char* rule, const std::string& what) const;

  const NodeId node_;
  Fabric& fabric_;
  bool listening_ = false;
  std::size_t most_waiting_ = 0;              // Slots of a source queue; 0: unlimited.
  std::size_t slots_ = 0;                     // Slots for arrivals; 0: unlimited.
  std::vector<Class> classes_;                // Empty before bound_queue() or listen().
  std::vector<Put> puts_;                     // Puts since the last update.
  std::vector<Arrival> arriving_;             // Arrivals since the last update.
  std::unique_ptr<sc_core::sc_event> space_;  // Made by the first call of space_event().
  sc_core::sc_event delivered_;
};

/// Makes the calls and arrivals of a delta cycle visible at its end.
class TerminalUpdates : public sc_core::sc_prim_channel {
 public:
  explicit TerminalUpdates(const char* name) : sc_prim_channel(name) {}

  void request(Terminal& terminal) {
    changed_.push_back(&terminal);
    request_update();
  }

 private:
  void update() override;

  std::vector<Terminal*> changed_;
};

/// The terminals of a fabric and the bytes that its packets carry.
class Terminals {
 public:
  ~Terminals();

  /// Makes a terminal for every node.
  void build(Fabric& fabric, std::size_t nodes);
  /// Returns a node's terminal; throws std::logic_error if there are no terminals.
  Terminal& at(NodeId node) const;

  /// Schedules the next update() of a terminal for the end of this delta cycle.
  void request_update(Terminal& terminal) { updates_->request(terminal); }
  /// Makes end_cycle() look at a terminal, whose source queue is bounded.
  void watch(Terminal& terminal) { bounded_.push_back(&terminal); }
  /// Called after each cycle: makes terminals with a full source queue look for space.
  void end_cycle();
  /// Gives a packet that has arrived, with its bytes, to the terminal of its receiver.
  void deliver(const Delivery& delivery);
  /// Stores the bytes of a packet until `receivers` terminals have got them.
  void carry(PacketId packet, Bytes&& bytes, std::uint32_t receivers) {
    if (!bytes.empty()) carried_[index(packet)] = {std::move(bytes), receivers};
  }
  /// The bytes of a packet in flight; none if it was sent without.
  const Bytes& carried(PacketId packet) const;
  /// Drops all packets in terminals and all bytes.
  void reset();
  /// Wakes all processes that wait for space.
  void notify_space() {
    for (const auto& terminal : terminals_) terminal->notify_space();
  }

 private:
  struct CarriedBytes {
    Bytes bytes;
    std::uint32_t receivers = 0;
  };

  Bytes bytes_of(const Packet& packet);

  std::unique_ptr<TerminalUpdates> updates_ = std::make_unique<TerminalUpdates>("terminal_updates");
  std::vector<std::unique_ptr<Terminal>> terminals_;
  std::vector<Terminal*> bounded_;
  std::unordered_map<std::uint64_t, CarriedBytes> carried_;  // Bytes by packet.
};

}  // namespace flitcast
