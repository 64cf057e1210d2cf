// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/packet.h"
#include "base/packet_source.h"

namespace flitcast {

class Fabric;
class Terminal;

/// The data that a packet carries.
using Bytes = std::vector<std::uint8_t>;

/// A packet as a terminal hands it over.
struct Arrival : Delivery {
  Bytes bytes{};  ///< The bytes from its sender; each receiver of a multicast gets a copy.
};

/// Packet::payload for a pointer to an object of the sender, which must outlive the packet.
template <class T>
std::uint64_t payload_of(T* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}
/// The object whose payload_of() the packet has; it must have the same type.
template <class T>
T* payload_as(const Packet& packet) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(packet.payload));
}

/// Where one node's packets enter and leave the network, for processes of the user.
///
///   send, nb_put, put --> [ source queue per message class ] --> network
///   get, nb_get       <-- [ arrivals per message class ]     <-- network
///
/// Both sides have the calls of an sc_fifo: nb_ calls return at once, put() and get() wait and so
/// need an SC_THREAD, events report space and arrivals. In a lockstep fabric any process may call
/// at any time. What processes do in a delta cycle takes effect at its end, so it does not matter
/// whether they run before or after the fabric at a clock edge: a packet that is put at the edge of
/// cycle t is created in cycle t + 1, and a packet that arrives in cycle t can be got from the next
/// delta cycle on.
///
/// Back-pressure is optional. bound_queue(): puts wait for space in the source queue. listen() with
/// a number of slots: flits of a packet without a slot keep their credits until the receiver gets
/// another packet of that class, so the network fills up behind them. Slots and queues are counted
/// per message class, so classes stay independent. No packet is lost in either direction.
///
/// While rst_ni of the fabric is low there is no space, and no packet arrives; see Fabric.
///
/// Misuse is reported by SC_REPORT_ERROR in the name of the terminal, with the cycle. It throws
/// sc_report unless the user has set other actions; then the call has no effect.
class Terminal : public sc_core::sc_module {
 public:
  Terminal(const sc_core::sc_module_name& name, NodeId node, Fabric& fabric);

  NodeId node() const { return node_; }

  // Sending.

  /// Puts a packet into the source queue, which is unbounded unless bound_queue() was called.
  ///
  /// Misuse: a packet that the network cannot carry (node, length, port, message class, receivers);
  /// no space.
  void send(const PacketRequest& request, Bytes bytes = {});
  /// As send() if there is space; else leaves `bytes` unchanged and returns false.
  bool nb_put(const PacketRequest& request, Bytes&& bytes = {});
  /// As send(), as soon as there is space.
  void put(const PacketRequest& request, Bytes bytes = {});

  /// Bounds the source queue to `packets` packets of each message class, the one that is leaving
  /// included. Misuse: 0.
  void bound_queue(std::size_t packets);
  bool can_send(std::uint8_t message_class = 0) const;
  /// Notified when a full queue, of any message class, has space again.
  const sc_core::sc_event& space_event();

  // Receiving.

  /// Keeps all packets that arrive from now on until they are taken; without it arrivals are only
  /// counted. Misuse: a fabric that does not run in lockstep.
  void listen();
  /// Keeps at most `slots` packets of each message class. Misuse, besides: 0 slots; a second
  /// listen(); while a packet is arriving; with NetworkParams::reply_queue.
  void listen(std::size_t slots);
  bool listening() const { return listening_; }

  /// The number of packets of a message class that can be got without waiting.
  std::size_t available(std::uint8_t message_class = 0) const;
  /// Gets the packet that arrived first. Misuse, also of get(): no listen(); a message class that
  /// the network does not have.
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
  /// The state of a message class, both directions.
  struct Class {
    std::size_t space = 0;        // Of a bounded queue: a lower bound, refreshed when it is 0.
    std::deque<Arrival> arrived;  // Not got yet.
    std::size_t taken = 0;        // Got since the last update.
  };

  // Called by Terminals and TerminalUpdates.
  void deliver(Arrival arrival);
  void update();
  /// Whether some class has no space, so that the network must be asked after each cycle.
  bool full() const;
  void reset();

  bool sendable(const PacketRequest& request, const Bytes& bytes) const;
  bool receiving() const;
  bool gettable(std::uint8_t message_class) const;
  void join(const PacketRequest& request, Bytes&& bytes);
  Arrival take(Class& from);
  void find_space();
  void notify_space();
  void misuse(const std::string& what) const;

  const NodeId node_;
  Fabric& fabric_;
  bool listening_ = false;
  std::size_t most_waiting_ = 0;              // 0: any number.
  std::size_t slots_ = 0;                     // 0: any number.
  std::vector<Class> classes_;                // Empty before bound_queue() or listen().
  std::vector<Put> puts_;                     // Since the last update.
  std::vector<Arrival> arriving_;             // Since the last update.
  std::unique_ptr<sc_core::sc_event> space_;  // Made by the first space_event().
  sc_core::sc_event delivered_;
};

/// Makes what happened at terminals in a delta cycle visible at its end.
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
  /// Throws std::logic_error if there are none.
  Terminal& at(NodeId node) const;

  /// Makes the next update() of a terminal happen at the end of this delta cycle.
  void request_update(Terminal& terminal) { updates_->request(terminal); }
  /// After each cycle: makes terminals whose source queue is full look for space.
  void end_cycle();
  /// Gives a packet that has arrived, with its bytes, to the terminal of its receiver.
  void deliver(const Delivery& delivery);
  /// Keeps the bytes of a packet until `receivers` terminals have got them.
  void carry(PacketId packet, Bytes&& bytes, std::uint32_t receivers);
  /// Loses everything that lies in terminals and all bytes.
  void reset();
  /// Wakes all processes that wait for space.
  void notify_space();

 private:
  struct CarriedBytes {
    Bytes bytes;
    std::uint32_t receivers = 0;
  };

  Bytes bytes_of(const Packet& packet);

  std::unique_ptr<TerminalUpdates> updates_ = std::make_unique<TerminalUpdates>("terminal_updates");
  std::vector<std::unique_ptr<Terminal>> terminals_;
  std::unordered_map<std::uint64_t, CarriedBytes> carried_;  // By packet.
};

}  // namespace flitcast
