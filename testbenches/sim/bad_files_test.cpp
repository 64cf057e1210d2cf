// SPDX-License-Identifier: Apache-2.0
// Messages for errors on the command line and in files other than the experiment.
#include <filesystem>
#include <string>
#include <vector>

#include "experiment.h"
#include "refusal.h"
#include "traffic/netrace_writer.h"

using namespace flitcast::program;

namespace {

/// Returns the message of `run` about an experiment that replays this text as a trace.
std::string trace_refusal(const std::string& format, const std::string& trace) {
  const Folder folder;
  folder.write("trace.dat", trace);
  folder.write("x.yaml",
               with_workload("{kind: trace, format: " + format + ", file: trace.dat}").text());
  return refusal(folder, {"run", "x.yaml", "--json", "x.json"});
}

/// Returns the message of `run` about an experiment on this graph.
std::string graph_refusal(const std::string& graph) {
  const Folder folder;
  folder.write("some.graph", graph);
  folder.write("x.yaml",
               Experiment{"{kind: custom, file: some.graph}", "{kind: shortest_path}"}.text());
  return refusal(folder, {"run", "x.yaml", "--json", "x.json"});
}

}  // namespace

TEST_CASE("an experiment that is no readable file is refused", "[program]") {
  const Folder folder;
  CHECK(refusal(folder, {"run", "none.yaml"}) ==
        "none.yaml: cannot be read; name a YAML file that exists and is readable\n");
  CHECK(refusal(folder, {"check", "."}) == ".: is a directory; name a YAML file\n");
  CHECK(refusal(folder, {"points", "none.yaml"}).find("none.yaml: cannot be read") == 0);
}

TEST_CASE("the result of a run is refused as an experiment, in one line", "[program]") {
  const Folder folder;
  folder.write("r.json", R"({"name": "quick", "status": "ok", "config": {}, "digest": "1f"})");
  for (const char* command : {"run", "check"}) {
    CHECK(refusal(folder, {command, "r.json"}) ==
          "r.json: is the result of a run, not an experiment; a file with only what stands under "
          "its `config` repeats the run\n");
  }
}

TEST_CASE("a trace or a graph that is not there is refused where it is named", "[program]") {
  const Folder folder;
  folder.write("t.yaml", with_workload("{kind: trace, format: csv, file: none.csv}").text());
  CHECK(refusal(folder, {"run", "t.yaml"})
            .find("t.yaml:3:44: workload.file: cannot read \"none.csv\"") == 0);
  folder.write("g.yaml",
               Experiment{"{kind: custom, file: none.graph}", "{kind: shortest_path}"}.text());
  CHECK(refusal(folder, {"run", "g.yaml"})
            .find("g.yaml:1:32: topology.file: cannot read \"none.graph\"") == 0);
}

TEST_CASE("faults of a CSV trace are told with line and column, all of them", "[program]") {
  const std::string error = trace_refusal("csv",
                                          "cycle,src,dst,flits\n"
                                          "0,1,2,5\n"
                                          "soon,1,2,5\n"
                                          "0,1,2\n"
                                          "0,1,2,0\n");
  CHECK(says(error, "trace.dat:3:1: cycle: \"soon\" is not a whole number from 0"));
  CHECK(says(error, "\ntrace.dat:4:1: 3 fields under 4 columns;"));
  CHECK(says(error, "\ntrace.dat:5:7: flits: \"0\" is not a whole number from 1"));
}

TEST_CASE("a CSV trace without a column, or with a cycle, is refused", "[program]") {
  CHECK(trace_refusal("csv", "cycle,src,dst\n0,1,2\n").find("trace.dat:1:1: flits: this column") ==
        0);
  CHECK(trace_refusal("csv", "").find("trace.dat: no header;") == 0);
  const std::string cycle =
      trace_refusal("csv", "cycle,src,dst,flits,id,deps\n0,1,2,5,7,8\n0,2,1,5,8,7\n");
  CHECK(says(cycle, "trace.dat:2:11: deps: "));
}

TEST_CASE("a trace whose packets leave the network is refused with the size it needs",
          "[program]") {
  CHECK(trace_refusal("csv", "cycle,src,dst,flits\n0,1,2,5\n9,3,16,5\n") ==
        "trace.dat:3:5: node 16 is not one of the 16 nodes of mesh 4x4 (1 packets leave it); use a "
        "topology of at least 17 nodes\n");
}

TEST_CASE("a damaged Netrace file is refused with the byte", "[program]") {
  const std::string good = flitcast::netrace_bytes({{0, 1, 1, 2, 3}, {5, 2, 1, 3, 2}}, 16);
  const std::string byte = "trace.dat: at byte " + std::to_string(flitcast::kFirstPacket);
  std::string wrong_type = good;
  wrong_type[flitcast::kFirstPacket + 16] = 99;
  CHECK(trace_refusal("netrace", wrong_type).find(byte) == 0);
  std::string wrong_node = good;
  wrong_node[flitcast::kFirstPacket + 17] = 77;
  CHECK(trace_refusal("netrace", wrong_node).find(byte) == 0);
  CHECK(says(trace_refusal("netrace", good.substr(0, good.size() - 1)), "the file ends within"));
  CHECK(says(trace_refusal("netrace", "cycle,src,dst,flits\n"), "the file ends within the header"));
  CHECK(says(trace_refusal("netrace", std::string(100, 'x')), "no Netrace file"));
}

TEST_CASE("faults of a graph are told with line and column, all of them", "[program]") {
  const std::string error = graph_refusal(
      "router a\n"
      "router b\n"
      "terminal 0 a\n"
      "terminal 1 c\n"
      "link a b latency soon\n"
      "lnik a b\n"
      "link a a\n");
  for (const char* line :
       {"some.graph:4:12: ", "some.graph:5:18: ", "some.graph:6:1: ", "some.graph:7:8: "}) {
    INFO(error << "lacks " << line);
    CHECK(says("\n" + error, std::string("\n") + line));
  }
}

TEST_CASE("a graph that is not connected, or has a router with too many ports, is refused",
          "[program]") {
  CHECK(graph_refusal("router a\nrouter b\nterminal 0 a\nterminal 1 b\nlink a b oneway\n")
            .find("some.graph:") == 0);
  std::string star = "router hub\nterminal t hub\n";
  for (int leaf = 0; leaf < 130; ++leaf) {
    star += "router r" + std::to_string(leaf) + "\nlink hub r" + std::to_string(leaf) + "\n";
  }
  CHECK(graph_refusal(star).find("some.graph:1:8: ") == 0);
}

TEST_CASE("a wrong command line is refused", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  CHECK(says(refusal(folder, {"run\033[31m"}), "there is no command \"run\\u001b[31m\""));
  CHECK(says(refusal(folder, {"run", "x.yaml", "\033[31m\x7f"}), "\\u001b[31m\\x7f"));
  CHECK(says(refusal(folder, {"run", "x.yaml", "--point", "first"}), "--point"));
  CHECK(says(refusal(folder, {"run", "x.yaml", "--point", "-1"}), "--point"));
  CHECK(says(refusal(folder, {"check", "x.yaml", "--json", "x.json"}), "--json"));
  CHECK(says(refusal(folder, {"list", "topologeis"}), "choose one of topologies, routings,"));
}

TEST_CASE("a wrong command line is refused by a sentence that says what is possible", "[program]") {
  const Folder folder;
  struct Wrong {
    Arguments arguments;
    const char* sentence;
  };
  for (const auto& [arguments, sentence] : {
           Wrong{{}, "a command is missing; see flitcast --help"},
           Wrong{{"clos"}, "a command is missing; see flitcast clos --help"},
           Wrong{{"rnu", "x.yaml"}, "there is no command \"rnu\"; did you mean run?"},
           Wrong{{"clos", "bnd"}, "there is no command \"bnd\"; see flitcast clos --help"},
           Wrong{{"run"}, "FILE is missing; see flitcast run --help"},
           Wrong{{"run", "x", "y"}, "\"y\" is not expected here; see flitcast run --help"},
           Wrong{{"run", "x", "--point=a", "--jsn", "y"},
                 "\"--jsn\" is not expected here; did you mean --json?"},
           Wrong{{"run", "x", "--set"}, "--set needs a value; write --set KEY=VALUE"},
           Wrong{{"run", "x", "--point"}, "--point needs a value; write --point K"},
           Wrong{{"clos", "designs"}, "--ports needs a value; write --ports N"},
           Wrong{{"run", "x", "--point", "1", "--point", "2"},
                 "--point is given more than once; see flitcast run --help"},
           Wrong{{"run", "x", "--point", "1", "--points", "2"},
                 "--point and --points exclude each other; give one of them"},
           Wrong{{"run", "x", "--rerun", "all"}, "--rerun: \"all\" is unknown; choose failed"},
           Wrong{{"clos", "minimum", "--ties", "all"},
                 "--ties: \"all\" is unknown; choose index or adversary"},
           Wrong{{"run", "x", "--quiet=maybe"}, "--quiet takes no value; write --quiet"},
           Wrong{{"run", "x", "--memory-limit", "2X"},
                 "--memory-limit: \"2X\" is no size; write 512M or 2G"},
           Wrong{{"run", "x", "--point", "1000000"},
                 "--point is 1000000; give a whole number from 0 to 999999"},
           Wrong{{"run", "x", "--point", "first"},
                 "--point is \"first\"; give a whole number from 0 to 999999"},
           Wrong{{"clos", "crosspoints", "-N", "4", "--k", "1.5"},
                 "--k is 1.5; give a whole number from 0 to 16"},
           Wrong{{"claims", "--n", "many"}, "--n is \"many\"; give a whole number"},
           Wrong{{"clos", "route", "--events", "a", "b"},
                 "--events and FILE exclude each other; give one of them"},
           Wrong{{"schedule", "x", "--measure"}, "--measure needs --compare; give both"},
       }) {
    CHECK(refusal(folder, arguments) == std::string(sentence) + "\n");
  }
}

TEST_CASE("help for a command that there is not is refused with the closest name", "[program]") {
  const Folder folder;
  for (const Arguments& arguments :
       {Arguments{"rnu", "--help"}, {"--help", "rnu"}, {"rnu", "x.yaml", "-h"}}) {
    CHECK(refusal(folder, arguments) == "there is no command \"rnu\"; did you mean run?\n");
  }
  CHECK(refusal(folder, {"nosuch", "--help"}) ==
        "there is no command \"nosuch\"; see flitcast --help\n");
  CHECK(refusal(folder, {"clos", "bnd", "--help"}) ==
        "there is no command \"bnd\"; see flitcast clos --help\n");
  CHECK(run(folder.path(), {"clos", "--help"}).exit_code == 0);
  CHECK(run(folder.path(), {"run", "x.yaml", "--help"}).exit_code == 0);
}

TEST_CASE("a result that cannot be written is bad input, and leaves nothing behind", "[program]") {
  struct Place {
    const char* option;
    const char* path;
    const char* blamed;
  };
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  folder.write("taken/file", "");
  for (const Place& place :
       {Place{"--json", "x.yaml/x.json", "x.yaml: the folder cannot be made: "},
        {"--json", "taken", "taken: cannot be written"},
        {"--out", "x.yaml", "x.yaml: the folder cannot be made: "},
        {"--packet-log", "taken", "taken: cannot be written"}}) {
    CHECK(says(refusal(folder, {"run", "x.yaml", "--quiet", place.option, place.path}),
               place.blamed));
  }
}

TEST_CASE("a result that standard output does not take is not passed over", "[program]") {
  if (!std::filesystem::is_character_file("/dev/full")) {
    WARN("skipped: this system has no device /dev/full");
    return;
  }
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  Process shell(folder.path(), {"-c", FLITCAST_PROGRAM " run x.yaml --quiet --json - > /dev/full"},
                "/bin/sh");
  const Outcome outcome = shell.wait();
  CHECK(outcome.exit_code == 2);
  CHECK(says(outcome.err, "standard output"));
}
