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

/// What a packet carries, where its sender gives it bytes.
using Bytes = std::vector<std::uint8_t>;

/// A packet as a terminal hands it over.
struct Arrival : Delivery {
  Bytes bytes{};  ///< Those that its sender gave it; each receiver of a multicast gets a copy.
};

/// Packet::payload as a pointer to an object of the sender's, which has to outlive the packet.
template <class T>
std::uint64_t payload_of(T* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}
/// The object of a payload_of() the same type.
template <class T>
T* payload_as(const Packet& packet) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(packet.payload));
}

/// Where one node's packets enter and leave the network: the place to connect one's own SystemC.
///
///   send, nb_put, put --> [ source queue per message class ] --> network
///   get, nb_get       <-- [ arrivals per message class ]     <-- network
///
/// The calls are those of an sc_fifo, on both sides: nb_ calls answer at once, put() and get() wait
/// and so need an SC_THREAD, events tell of room and of arrivals. In a lockstep fabric any process
/// may call at any time. What processes do in one delta cycle takes effect together at its end, so
/// it does not matter whether they run before or after the fabric at a clock edge: a packet that is
/// put at the edge of cycle t is created in cycle t + 1, and one that arrives in cycle t can be got
/// from the next delta cycle on.
///
/// Back-pressure, where it is wanted. bound_queue(): puts wait for room in the source queue.
/// listen() with a number of places: flits of a packet without a place keep the credits that they
/// took until the receiver gets another packet of that class, and so the network backs up behind
/// them. Places and queues are counted per message class, so classes stay independent. Nothing is
/// lost in either direction.
///
/// While rst_ni of the fabric is low there is no room, and nothing arrives; see Fabric.
///
/// Misuse is reported by SC_REPORT_ERROR in the name of the terminal, with the cycle: it throws
/// sc_report unless the user has decided otherwise, and then the call has no effect.
class Terminal : public sc_core::sc_module {
 public:
  Terminal(const sc_core::sc_module_name& name, NodeId node, Fabric& fabric);

  NodeId node() const { return node_; }

  // Into the network.

  /// Joins the source queue, which takes any number of packets unless it is bounded.
  ///
  /// Misuse: a packet that the network cannot carry (node, length, port, message class, receivers);
  /// no room.
  void send(const PacketRequest& request, Bytes bytes = {});
  /// As send(), if there is room; else leaves `bytes` alone and returns false.
  bool nb_put(const PacketRequest& request, Bytes&& bytes = {});
  /// As send(), as soon as there is room.
  void put(const PacketRequest& request, Bytes bytes = {});

  /// From now on at most so many packets of each message class wait in the source queue, the one
  /// that is leaving included. Misuse: none at all.
  void bound_queue(std::size_t packets);
  bool can_send(std::uint8_t message_class = 0) const;
  /// Notified when there is room again in a bounded queue that had none, of any message class.
  const sc_core::sc_event& space_event();

  // Out of the network.

  /// Keeps what arrives from now on, any number of packets, until it is taken; otherwise arrivals
  /// are counted and forgotten. Misuse: a fabric that does not run in lockstep.
  void listen();
  /// Keeps at most so many packets of each message class. Misuse, besides: no place at all; after
  /// another listen(); while a packet is arriving; where NetworkParams::reply_queue has given the
  /// node places already.
  void listen(std::size_t places);
  bool listening() const { return listening_; }

  /// Packets of a message class that can be got at once.
  std::size_t available(std::uint8_t message_class = 0) const;
  /// The one that arrived first. Misuse, of the next two as well: without listen(); a message class
  /// that the network does not have.
  bool nb_get(Arrival& arrival, std::uint8_t message_class = 0);
  Arrival get(std::uint8_t message_class = 0);
  /// All that can be got, of all message classes, in order of arrival.
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
  /// Both sides of a message class.
  struct Class {
    std::size_t space = 0;        // Of a bounded queue; more may be free once this is 0.
    std::deque<Arrival> arrived;  // To be got.
    std::size_t taken = 0;        // Since the last update.
  };

  // Called by Terminals and TerminalUpdates.
  void deliver(Arrival arrival);
  void update();
  /// Whether there is a class without room, about which to ask the network after each cycle.
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
  std::size_t most_waiting_ = 0;  // 0: any number.
  std::size_t places_ = 0;        // 0: any number.
  std::vector<Class> classes_;    // Empty before there is a bound or a listener.
  std::vector<Put> puts_;         // Since the last update, as the next.
  std::vector<Arrival> arriving_;
  std::unique_ptr<sc_core::sc_event> space_;  // Made when somebody asks for it.
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
