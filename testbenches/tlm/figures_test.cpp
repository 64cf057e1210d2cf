// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <systemc>
#include <vector>

#include "base/sequences.h"
#include "support/test_catch.h"
#include "tlm/bench.h"
#include "tlm/transaction_log.h"

using namespace flitcast::testing;

using flitcast::ordered_json;
using flitcast::tlm::InterconnectParams;
using flitcast::tlm::TransactionRecord;
using sc_core::SC_NS;
using sc_core::sc_time;
using ::tlm::TLM_READ_COMMAND;
using ::tlm::TLM_WRITE_COMMAND;

namespace {

/// Two initiators that read and write at the far corner of a 3x3 mesh, in the way of each other. A
/// cycle takes 2 ns, and the target 10 ns.
struct Crossing {
  explicit Crossing(std::size_t outstanding = 16)
      : net("net", *network.topology, *network.routing, network_params(), params(outstanding)) {
    for (std::size_t i = 0; i < 2; ++i) initiators[i].socket.bind(net.target_socket[i]);
    net.initiator_socket[0].bind(memory.socket);
    net.observe([this](const TransactionRecord& record) { records.push_back(record); });
  }

  static InterconnectParams params(std::size_t outstanding) {
    InterconnectParams params = params_for(2, 1, 9);
    params.period = sc_time(2, SC_NS);
    params.limits.outstanding = outstanding;
    return params;
  }
  void run(std::size_t transactions) {
    for (std::size_t k = 0; k < transactions; ++k) {
      for (std::size_t i = 0; i < 2; ++i) {
        const auto command = (k + i) % 3 == 0 ? TLM_READ_COMMAND : TLM_WRITE_COMMAND;
        const auto bytes = 4 + 4 * static_cast<unsigned>(k % 4);
        initiators[i].send(payloads.make(command, 16 * k, bytes),
                           static_cast<double>(k) * sc_time(3, SC_NS));
      }
    }
    sc_core::sc_start(10, sc_core::SC_US);
  }
  ordered_json figures() const {
    ordered_json result;
    net.write_figures(result);
    return result;
  }

  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  flitcast::tlm::Interconnect<> net;
  Memory memory{"memory", kWindow, PhaseStyle::kTwoPhases, sc_time(10, SC_NS)};
  AtInitiator initiators[2]{{"first", EndStyle::kCall}, {"second", EndStyle::kCall}};
  Payloads payloads;
  std::vector<TransactionRecord> records;
};

double sum_of_times(const ordered_json& side) {
  const ordered_json& times = side["time_cycles"];
  return flitcast::sum_of<double>(times,
                                  [](const ordered_json& time) { return time.get<double>(); });
}

}  // namespace

TEST_CASE("the figures of an initiator are those of the transactions that were observed", "[tlm]") {
  Crossing crossing;
  crossing.run(12);
  REQUIRE(crossing.records.size() == 24);
  const ordered_json figures = crossing.figures();
  for (std::size_t i = 0; i < 2; ++i) {
    const ordered_json& side = figures["initiators"][i];
    std::size_t count[2] = {0, 0};
    double cycles[2] = {0, 0};
    std::uint64_t bytes = 0;
    sc_time first = sc_core::sc_max_time();
    sc_time last;
    for (const TransactionRecord& record : crossing.records) {
      if (record.initiator != i) continue;
      const int command = record.command == TLM_READ_COMMAND ? 0 : 1;
      ++count[command];
      cycles[command] += std::floor((record.ended - record.begun) / sc_time(2, SC_NS));
      bytes += record.bytes;
      first = std::min(first, record.begun);
      last = std::max(last, record.ended);
    }
    CHECK(side["reads"] == count[0]);
    CHECK(side["writes"] == count[1]);
    CHECK(side["bytes"] == bytes);
    CHECK(side["read_latency_cycles"]["mean"] == Approx(cycles[0] / 4));
    CHECK(side["write_latency_cycles"]["mean"] == Approx(cycles[1] / 8));
    CHECK(side["latency_cycles"]["mean"] == Approx((cycles[0] + cycles[1]) / 12));
    CHECK(side["latency_cycles"]["max"] ==
          std::max(side["read_latency_cycles"]["max"].get<int>(),
                   side["write_latency_cycles"]["max"].get<int>()));
    const double span = (last - first) / sc_time(1, SC_NS);
    CHECK(side["span_ns"] == Approx(span));
    CHECK(side["bandwidth_gb_per_s"] == Approx(static_cast<double>(bytes) / span));
    std::size_t in_bins = 0;
    for (const ordered_json& bin : side["latency_cycles"]["histogram"]) {
      in_bins += bin[1].get<std::size_t>();
    }
    CHECK(in_bins == 12);
  }
}

TEST_CASE("the times of a transaction by place add up to its latency", "[tlm]") {
  Crossing crossing;
  crossing.run(12);
  double latencies = 0;
  for (const TransactionRecord& record : crossing.records) {
    latencies += (record.ended - record.begun) / sc_time(2, SC_NS);
  }
  const ordered_json figures = crossing.figures();
  const double times =
      sum_of_times(figures["initiators"][0]) + sum_of_times(figures["initiators"][1]);
  CHECK(12 * times == Approx(latencies));
  CHECK(sum_of_times(figures["targets"][0]) == Approx(times / 2));
  CHECK(figures["targets"][0]["time_cycles"]["target"] == Approx(5));
  CHECK(figures["initiators"][0]["time_cycles"]["held"] == 0);
}

TEST_CASE("a transaction without contention is in the network for the times of its two packets",
          "[tlm]") {
  Crossing crossing;
  crossing.initiators[0].send(crossing.payloads.make(TLM_READ_COMMAND, 0, 4));
  crossing.run(0);
  // Node 0 is five routers and four links from node 8. A request of two flits takes
  // 2 + 5 * 4 + 5 + 1 cycles, one of them before its packet, the response of three one more.
  const ordered_json times = crossing.figures()["initiators"][0]["time_cycles"];
  CHECK(times["network"] == Approx(1 + 28 + 1 + 29));
  CHECK(times["waiting"] == 0);
  CHECK(times["target"] == 5);
}

TEST_CASE("a transaction beyond the limit of outstanding ones is held before the network",
          "[tlm]") {
  Crossing crossing(1);
  crossing.run(2);
  const ordered_json side = crossing.figures()["initiators"][0];
  std::vector<TransactionRecord> own;
  for (const TransactionRecord& record : crossing.records) {
    if (record.initiator == 0) own.push_back(record);
  }
  REQUIRE(own.size() == 2);
  // The second waits for the whole first, which itself does not wait.
  CHECK(side["time_cycles"]["held"] ==
        Approx((own[0].ended - own[1].begun) / sc_time(2, SC_NS) / 2));
}

TEST_CASE("link loads of an interconnect are the flits of its packets on their paths", "[tlm]") {
  Crossing crossing;
  crossing.initiators[0].send(crossing.payloads.make(TLM_WRITE_COMMAND, 0, 8));
  crossing.run(0);
  const ordered_json network = crossing.figures()["network"];
  CHECK(network["packets"] == 2);
  CHECK(network["hops"] == 5);
  CHECK(network["flit_hops"] == 5 * (4 + 2));  // A header of two flits, and data of two.
  std::uint64_t flits = 0;
  for (const ordered_json& link : network["links"]) {
    const auto on_link = link["flits"].get<std::uint64_t>();
    const bool on_way = link["from"] < link["to"];
    CHECK((on_link == 0 || on_link == (on_way ? 4 : 2)));
    CHECK(link["load"] == Approx(static_cast<double>(on_link) / network["cycles"].get<double>()));
    flits += on_link;
  }
  CHECK(flits == 4 * (4 + 2));
  CHECK(network["cycles"] == 5000);
}

TEST_CASE("figures that are reset are those of what follows", "[tlm]") {
  Crossing crossing;
  crossing.run(5);
  crossing.net.reset_figures();
  ordered_json figures = crossing.figures();
  CHECK(figures["initiators"][0]["transactions"] == 0);
  for (const char* figure : {"latency_cycles", "latency_ns", "span_ns", "bandwidth_gb_per_s"}) {
    CHECK_FALSE(figures["initiators"][0].contains(figure));
  }
  CHECK(figures["targets"][0]["bytes"] == 0);
  CHECK(figures["network"]["packets"] == 0);
  CHECK(figures["network"]["links"][0]["flits"] == 0);
  crossing.run(3);
  figures = crossing.figures();
  CHECK(figures["initiators"][1]["transactions"] == 3);
  CHECK(figures["network"]["packets"] == 12);
  CHECK(figures["network"]["cycles"] == 5000);
}

TEST_CASE("figures that are reset at a response have the packets that arrive after it", "[tlm]") {
  Crossing crossing;
  std::size_t seen = 0;
  crossing.net.observe([&](const TransactionRecord&) {
    if (++seen == 7) crossing.net.reset_figures();
  });
  crossing.run(12);
  const ordered_json network = crossing.figures()["network"];
  CHECK(seen == 24);
  CHECK(network["packets"].get<std::size_t>() >= 24 - 7);
  // All paths from the initiators to node 8 have four or five routers.
  CHECK(network["hops"].get<double>() >= 4);
  CHECK(network["hops"].get<double>() <= 5);
}

TEST_CASE("the span of a side begins where its figures are reset, at the earliest", "[tlm]") {
  Crossing crossing;
  crossing.initiators[0].send(crossing.payloads.make(TLM_READ_COMMAND, 0, 4));
  sc_core::sc_start(50, SC_NS);
  crossing.net.reset_figures();
  sc_core::sc_start(1, sc_core::SC_US);
  const double ended = crossing.records.at(0).ended / sc_time(1, SC_NS);
  const ordered_json side = crossing.figures()["initiators"][0];
  CHECK(crossing.records[0].begun < sc_time(50, SC_NS));
  CHECK(side["span_ns"] == Approx(ended - 50));
  CHECK(side["bandwidth_gb_per_s"] == Approx(4 / (ended - 50)));
}

TEST_CASE("estimated transactions are observed and counted, without times by place", "[tlm]") {
  InterconnectParams params = params_for(1, 1, 2);
  params.timing = flitcast::tlm::Timing::kAnalytic;
  Pair pair(params);
  std::vector<TransactionRecord> records;
  pair.net.observe([&](const TransactionRecord& record) { records.push_back(record); });
  LtInitiator initiator("initiator", [](LtInitiator& self) { self.read(0x10, 8); });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(1, sc_core::SC_US);
  REQUIRE(records.size() == 1);
  CHECK(records[0].address == 0x10);
  CHECK(records[0].ended > records[0].begun);
  ordered_json figures;
  pair.net.write_figures(figures);
  CHECK(figures["initiators"][0]["reads"] == 1);
  CHECK_FALSE(figures["initiators"][0].contains("time_cycles"));
}

TEST_CASE("logs of transactions have a row, or a begin and an end, for each", "[tlm]") {
  std::ostringstream csv;
  std::ostringstream scv;
  Pair pair;
  const auto to_csv = flitcast::tlm::csv_log(csv);
  const auto to_scv = flitcast::tlm::scv_log(scv, pair.net);
  pair.net.observe([&](const TransactionRecord& record) {
    to_csv(record);
    to_scv(record);
  });
  LtInitiator initiator("initiator", [](LtInitiator& self) {
    sc_core::wait(100, SC_NS);
    self.write(0x20, Bytes(4, 1));
    self.read(kWindow, 4);
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(1, sc_core::SC_US);
  CHECK(csv.str() ==
        "initiator,command,address,bytes,status,begun_ns,ended_ns\n"
        "0,write,0x20,4,TLM_OK_RESPONSE,100,129\n"
        "0,read,0x1000,4,TLM_ADDRESS_ERROR_RESPONSE,129,129\n");
  CHECK(scv.str() ==
        "scv_tr_stream (ID 1, name \"net.initiator_0\", kind \"TLM-2.0\")\n"
        "scv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n)\n"
        "scv_tr_generator (ID 3, name \"write\", scv_tr_stream 1,\n)\n"
        "scv_tr_generator (ID 4, name \"other\", scv_tr_stream 1,\n)\n"
        "tx_begin 1 3 100 ns\n"
        "tx_record_attribute 1 \"address\" UNSIGNED = 32\n"
        "tx_record_attribute 1 \"bytes\" UNSIGNED = 4\n"
        "tx_record_attribute 1 \"status\" STRING = \"TLM_OK_RESPONSE\"\n"
        "tx_end 1 3 129 ns\n"
        "tx_begin 2 2 129 ns\n"
        "tx_record_attribute 2 \"address\" UNSIGNED = 4096\n"
        "tx_record_attribute 2 \"bytes\" UNSIGNED = 4\n"
        "tx_record_attribute 2 \"status\" STRING = \"TLM_ADDRESS_ERROR_RESPONSE\"\n"
        "tx_end 2 2 129 ns\n");
}
