// SPDX-License-Identifier: Apache-2.0
// Numbers of a result, and their repeatability.
#include "result.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment.h"
#include "folder.h"

using namespace flitcast::program;

namespace {

const char* const kTraffic = "{kind: traffic, load: 0.2, packet_length: 5}";

Experiment busy_mesh() {
  return {"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", kTraffic,
          "{warmup: 500, window: 10000}"};
}

std::uint64_t count(const Json& result, const char* group, const char* key) {
  return result.at(group).at(key).get<std::uint64_t>();
}

/// True for a channel between routers of a square mesh whose ends are both off the border that is
/// perpendicular to it.
bool is_inner(const Json& link, std::uint32_t side) {
  if (link["kind"] != "router") return false;
  const auto from = link["from"].get<std::uint32_t>();
  const auto to = link["to"].get<std::uint32_t>();
  const bool along_x = from / side == to / side;
  const auto coordinate = [&](std::uint32_t router) {
    return along_x ? router % side : router / side;
  };
  const auto is_border = [&](std::uint32_t c) { return c == 0 || c == side - 1; };
  return !is_border(coordinate(from)) && !is_border(coordinate(to));
}

}  // namespace

TEST_CASE("a result has every key that is promised for traffic", "[program]") {
  const Folder folder;
  folder.write("mesh.yaml", busy_mesh().text());
  const Json result = result_of(folder.path(), "mesh.yaml");
  for (const char* key : {"name", "version", "seed", "config", "status", "complete", "cycles",
                          "hops_mean", "links", "checksum", "wall_seconds"}) {
    INFO(key);
    CHECK(result.contains(key));
  }
  CHECK(result["name"] == "mesh");
  CHECK(result["status"] == "ok");
  CHECK(result["complete"] == true);
  CHECK(result["checksum"].get<std::string>().size() == 16);
  CHECK(result["latency_cycles"].contains("mean"));
  CHECK(result["network_latency_cycles"].contains("mean"));
  CHECK(result["accepted_flits_per_node_cycle"].contains("worst_node"));
  CHECK_FALSE(result.contains("collective"));
  CHECK_FALSE(result.contains("deadlock"));
}

TEST_CASE("latencies, loads and counts of a result agree with each other", "[program]") {
  const Folder folder;
  folder.write("mesh.yaml", busy_mesh().text());
  const Json result = result_of(folder.path(), "mesh.yaml");

  const Json& latency = result["latency_cycles"];
  CHECK(latency["p50"] <= latency["p95"]);
  CHECK(latency["p95"] <= latency["p99"]);
  CHECK(latency["p99"] <= latency["max"]);
  CHECK(latency["mean"] <= latency["max"]);
  CHECK(result["network_latency_cycles"]["mean"] <= latency["mean"]);

  // 16 nodes create 6400 packets in 10000 cycles, with a standard deviation of 80.
  const auto offered = result["offered_flits_per_node_cycle"].get<double>();
  CHECK(offered == Approx(0.2).epsilon(0.05));
  CHECK(result["accepted_flits_per_node_cycle"]["mean"].get<double>() ==
        Approx(offered).epsilon(0.02));
  CHECK(result["accepted_flits_per_node_cycle"]["worst_node"] <=
        result["accepted_flits_per_node_cycle"]["mean"]);

  const std::uint64_t created = count(result, "packets", "created");
  const std::uint64_t delivered = count(result, "packets", "delivered");
  const std::uint64_t injected = count(result, "flits", "injected");
  const std::uint64_t ejected = count(result, "flits", "ejected");
  CHECK(delivered <= created);
  CHECK(created - delivered < 16 * 4);  // At this load few packets wait.
  CHECK(ejected >= 5 * delivered);
  CHECK(ejected <= injected);
  CHECK(injected <= 5 * created);
  // Two random nodes of a 4x4 mesh are 2.5 links apart; hops also count the source's router.
  CHECK(result["hops_mean"].get<double>() == Approx(3.5).epsilon(0.03));
  CHECK(static_cast<double>(count(result, "flits", "hops")) ==
        Approx(3.5 * static_cast<double>(ejected)).epsilon(0.03));
  CHECK(result["cycles"] >= 10500);
  CHECK(result["window_cycles"] == 10000);
}

TEST_CASE("the histogram is a list of rising latencies, each with its packets", "[program]") {
  const Folder folder;
  folder.write("mesh.yaml", busy_mesh().text());
  const Json latency = result_of(folder.path(), "mesh.yaml")["latency_cycles"];
  const Json& bins = latency["histogram"];
  REQUIRE(bins.is_array());
  std::uint64_t packets = 0;
  std::uint64_t last = 0;
  for (const Json& bin : bins) {
    REQUIRE(bin.size() == 2);
    CHECK(bin[0].get<std::uint64_t>() > last);
    last = bin[0].get<std::uint64_t>();
    packets += bin[1].get<std::uint64_t>();
  }
  CHECK(packets == latency["count"]);
  CHECK(last == latency["max"]);  // Bins are exact below 256 cycles.
}

TEST_CASE("links are listed by falling load, and carry all hops between routers", "[program]") {
  const Folder folder;
  folder.write("mesh.yaml", busy_mesh().text());
  const Json result = result_of(folder.path(), "mesh.yaml");
  const Json& links = result["links"];
  REQUIRE(links.size() == 48 + 2 * 16);
  double sum = 0;
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (l > 0) CHECK(links[l]["load"] <= links[l - 1]["load"]);
    CHECK(links[l]["load"] <= 1.0);
    if (links[l]["kind"] == "router") sum += links[l]["load"].get<double>();
  }
  // 16 nodes send 0.2 flits per cycle over 2.5 links each.
  CHECK(sum == Approx(0.2 * 16 * 2.5).epsilon(0.05));
}

// On this mesh, k(16 - k)/16 of the load L of a node crosses each channel from column k - 1 to k of
// a row: 832 channels between routers carry at least 1.75 L, the 128 at the border 0.94 L, and the
// 512 of the nodes L. The list contains all of the 832, and of the others those above the mean.
TEST_CASE("of more than 1024 channels the 1024 most loaded are listed", "[program]") {
  const Folder folder;
  Experiment experiment = with_topology("{kind: mesh, sizes: [16, 16]}");
  experiment.measure = "{warmup: 500, window: 8000}";
  folder.write("wide.yaml", experiment.text());
  const Json result = result_of(folder.path(), "wide.yaml");
  const Json& links = result["links"];
  REQUIRE(links.size() == 1024);
  std::size_t inner = 0;
  for (const Json& link : links) inner += is_inner(link, 16) ? 1 : 0;
  CHECK(inner == 832);
  CHECK(links.back()["load"] > result["accepted_flits_per_node_cycle"]["mean"]);
}

TEST_CASE("equal experiments give equal bytes, wall time and host apart", "[program]") {
  const Folder folder;
  folder.write("mesh.yaml", busy_mesh().text());
  const std::string first = repeatable(result_of(folder.path(), "mesh.yaml"));
  CHECK(repeatable(result_of(folder.path(), "mesh.yaml")) == first);
  CHECK(repeatable(result_of(folder.path(), "mesh.yaml", {"--set", "seed=2"})) != first);
}

TEST_CASE("the number of threads changes no byte", "[program]") {
  const Folder folder;
  folder.write("mesh.yaml", busy_mesh().text());
  const std::string one = repeatable(result_of(folder.path(), "mesh.yaml"));
  for (const char* threads : {"run.threads=1", "run.threads=2", "run.threads=3"}) {
    INFO(threads);
    CHECK(repeatable(result_of(folder.path(), "mesh.yaml", {"--set", threads})) == one);
  }
}

TEST_CASE("the configuration of a result is the experiment: run as a file it repeats it",
          "[program]") {
  const Folder folder;
  folder.write("sub/torus.yaml", Experiment{"{kind: torus, sizes: [4, 4]}"}.text());
  const Json first = result_of(folder.path(), "sub/torus.yaml",
                               {"--set", "workload.load=0.15", "--set", "seed=9"});
  folder.write("effective.json", first["config"].dump());
  CHECK(repeatable(result_of(folder.path(), "effective.json")) == repeatable(first));
}

TEST_CASE("with --json - standard output is the result and nothing else", "[program]") {
  const Folder folder;
  folder.write("mesh.yaml", Experiment{}.text());
  const Outcome loud = run(folder.path(), {"run", "mesh.yaml", "--json", "-"});
  CHECK(loud.exit_code == 0);
  CHECK(Json::accept(loud.out));
  CHECK(loud.err.find("mesh: mesh 4x4, dimension_order routing") == 0);
  CHECK(loud.err.find('\r') == std::string::npos);  // No progress bar: not a terminal.
  CHECK(folder.contents() == std::vector<std::string>{"mesh.yaml"});
}

TEST_CASE("a quiet run says nothing, and the result is written all the same", "[program]") {
  const Folder folder;
  folder.write("mesh.yaml", Experiment{}.text());
  const Outcome quiet = run(folder.path(), {"run", "mesh.yaml", "--quiet"});
  CHECK(quiet.exit_code == 0);
  CHECK(quiet.out.empty());
  CHECK(quiet.err.empty());
  CHECK(folder.contents() == std::vector<std::string>{"mesh.yaml", "out/", "out/mesh.json"});
}

TEST_CASE("results go where --out and --json say, and both hold the same", "[program]") {
  const Folder folder;
  folder.write("mesh.yaml", Experiment{}.text());
  const Outcome outcome =
      run(folder.path(), {"run", "mesh.yaml", "--out", "a/b", "--json", "c/d.json"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find("mesh: mesh 4x4") == 0);
  CHECK(folder.read("a/b/mesh.json") == folder.read("c/d.json"));
  CHECK(folder.contents() ==
        std::vector<std::string>{"a/", "a/b/", "a/b/mesh.json", "c/", "c/d.json", "mesh.yaml"});
}

TEST_CASE("a pipe named as the file for the result stays a pipe and carries it", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  const std::filesystem::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int end = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);  // Waits for no reader.
  REQUIRE(end >= 0);
  CHECK(run(folder.path(), {"run", "x.yaml", "--quiet", "--json", "pipe"}).exit_code == 0);
  CHECK(std::filesystem::is_fifo(pipe));
  std::string text(1 << 16, ' ');
  const ssize_t size = ::read(end, text.data(), text.size());
  ::close(end);
  REQUIRE(size > 0);
  CHECK(Json::accept(text.substr(0, static_cast<std::size_t>(size))));
}

TEST_CASE("a series of more spans than are kept joins them in pairs and loses no cycle", "[sim]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  REQUIRE(
      run(folder.path(), {"run", "x.yaml", "--quiet", "--out", "o", "--set", "measure.series=1"})
          .exit_code == 0);
  const Json result = Json::parse(folder.read("o/x.json"));
  const Json& series = result["series"];
  const std::size_t spans = series["flits_waiting"].size();
  CHECK(spans > 128);
  CHECK(spans <= 256 + 1);
  CHECK(series["cycles"].get<std::size_t>() * (spans - 1) +
            series["last_cycles"].get<std::size_t>() ==
        result["cycles"]);
}
