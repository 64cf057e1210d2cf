// SPDX-License-Identifier: Apache-2.0
// Files of interconnects (tlm::Interconnect): checked, explained, and tried with random masters.
#include <fmt/format.h>

#include <iostream>
#include <list>
#include <sstream>
#include <string>
#include <systemc>
#include <vector>

#include "base/sequences.h"
#include "config/schema.h"
#include "config/wording.h"
#include "sim/commands/command.h"
#include "sim/host/output_file.h"
#include "sim/host/process.h"
#include "tlm/interconnect.h"
#include "tlm/random_master.h"
#include "tlm/transaction_log.h"

namespace flitcast {
namespace {

struct TlmOptions {
  std::string file;
  std::vector<std::string> overrides;
  tlm::RandomAccesses accesses;
  std::string csv;
  std::string scv;
  bool json = false;
};

std::string table_of(const ordered_json& sides) {
  const char* const head =
      "   transactions    bytes  latency mean    p99    max cycles  in network  GB/s\n";
  return head + sum_of<std::string>(numbers(sides.size()), [&](std::size_t i) {
           const auto figure = [&](const char* name, int digits = 0) {
             const ordered_json value = figure_at(sides[i], name);
             return value.is_null() ? "-" : fmt::format("{:.{}f}", value.get<double>(), digits);
           };
           return fmt::format("{:>3} {:>11} {:>8} {:>13} {:>6} {:>6} {:>18} {:>5}\n", i,
                              figure("transactions"), figure("bytes"),
                              figure("latency_cycles.mean", 2), figure("latency_cycles.p99"),
                              figure("latency_cycles.max"), figure("time_cycles.network", 2),
                              figure("bandwidth_gb_per_s", 3));
         });
}

/// Writes every transaction to the files that the user has requested, while they grow.
class Logs {
 public:
  Logs(tlm::InterconnectCore& net, const TlmOptions& options) {
    std::vector<Output> outputs;
    if (!options.csv.empty()) outputs.push_back({"--csv", options.csv});
    if (!options.scv.empty()) outputs.push_back({"--scv", options.scv});
    require_writable(outputs, {options.file});
    for (const Output& output : outputs) {
      OutputFile& file = files_.emplace_front(output.path);
      std::ostringstream& text = texts_.emplace_front();
      const auto log = output.option == "--csv" ? tlm::csv_log(text) : tlm::scv_log(text, net);
      logs_.emplace_back([&file, &text, log](const tlm::TransactionRecord& record) {
        log(record);
        file.write(text.str());
        text.str("");
      });
    }
    net.observe([this](const tlm::TransactionRecord& record) {
      for (const tlm::TransactionObserver& log : logs_) log(record);
      if (StopSignal::received() != 0) sc_core::sc_pause();
    });
  }

  /// Gives the files their names; the objects remove them otherwise.
  void finish() { put_in_place(files_); }

 private:
  std::list<OutputFile> files_;
  std::list<std::ostringstream> texts_;
  std::vector<tlm::TransactionObserver> logs_;
};

/// Runs until all masters have ended, or a signal has come.
void run_masters(tlm::Interconnect<>& net, const TlmOptions& options) {
  std::list<tlm::RandomMaster> masters;
  std::list<tlm::Answerer> answerers;
  for (std::size_t i = 0; i < net.initiators(); ++i) {
    masters.emplace_back(("master_" + std::to_string(i)).c_str(), i, net.params(),
                         options.accesses);
    masters.back().socket.bind(net.target_socket[i]);
  }
  for (std::size_t t = 0; t < net.targets(); ++t) {
    answerers.emplace_back(("answerer_" + std::to_string(t)).c_str());
    net.initiator_socket[t].bind(answerers.back().socket);
  }
  try {
    sc_core::sc_start();
    if (StopSignal::received() == 0) net.audit();
  } catch (const sc_core::sc_report& report) {
    if (std::string(report.get_msg_type()) != "/flitcast/tlm/time_out") throw;
    fail_option("tlm.timeout", report.get_msg(), "raise it, or ask for longer pauses");
  }
}

// The kernel's times end at 2^64 units of its resolution.
void require_time(const tlm::InterconnectParams& params, const tlm::RandomAccesses& accesses) {
  const double pauses = 2.0 * static_cast<double>(accesses.transactions * accesses.pause);
  if (pauses * params.period.to_seconds() < sc_core::sc_max_time().to_seconds() / 2) return;
  fail_option("--pause", "the pauses are longer than the time that the simulation can have",
              "ask for fewer transactions, or for shorter pauses");
}

int run_interconnect(const TlmOptions& options) {
  tlm::Interconnect<> net("net", options.file, options.overrides);
  require_time(net.params(), options.accesses);
  Logs logs(net, options);
  const StopSignal stop;
  run_masters(net, options);
  if (StopSignal::received() != 0) return kStoppedBySignal + StopSignal::received();
  logs.finish();
  ordered_json figures;
  net.write_figures(figures);
  return print(options.json, figures, [&] {
    std::cout << "initiators\n" << table_of(figures["initiators"]);
    std::cout << "targets\n" << table_of(figures["targets"]);
  });
}

int check_interconnect(const TlmOptions& options) {
  const tlm::InterconnectPlan plan = tlm::read_interconnect(options.file, options.overrides);
  const tlm::InterconnectParams& params = plan.params;
  std::cout << fmt::format(
      "{}: valid\n  network   {}, {} nodes\n  sides     initiators {}, targets {}, windows {}\n"
      "  clock     {}\n",
      visible(options.file), visible(plan.topology->name()), plan.topology->node_count(),
      params.placement.initiators.size(), params.placement.targets.size(), params.windows.size(),
      params.period.to_string());
  return kDone;
}

int print_keys(const TlmOptions& options) {
  const Schema& schema = tlm::interconnect_schema();
  return print(options.json, parameter_json(schema), [&] { std::cout << parameter_text(schema); });
}

void add_interconnect(CLI::App& app, TlmOptions& options) {
  add_file(app, "FILE", options.file, "An interconnect in YAML")->required();
  add_overrides(app, options.overrides);
}

void add_json(CLI::App& app, TlmOptions& options) {
  app.add_flag("--json", options.json, "As JSON");
}

void add_run_options(CLI::App& app, TlmOptions& options) {
  add_interconnect(app, options);
  add_json(app, options);
  const auto number = [&](const char* name, auto& value, const char* help, std::uint64_t least,
                          std::uint64_t most) {
    app.add_option(name, value, help)
        ->option_text("N")
        ->capture_default_str()
        ->check(CLI::Range(least, most));
  };
  number("--transactions", options.accesses.transactions, "Transactions of each initiator", 1,
         1U << 30);
  number("--pause", options.accesses.pause,
         "Mean cycles between two of them; each pause is drawn from 0 to twice this", 0, 1U << 30);
  number("--bytes", options.accesses.bytes, "Bytes of each, or of its window if that is smaller", 1,
         1U << 20);
  number("--reads", options.accesses.reads, "Percentage of reads; the others are writes", 0, 100);
  number("--seed", options.accesses.seed, "Start of the random numbers of the masters", 0,
         1U << 30);
  add_file(app, "--csv", options.csv, "Write a row for every transaction");
  add_file(app, "--scv", options.scv, "Write every transaction in the text format of SCV");
}

std::string schema_text(const CLI::App&) {
  ordered_json schema = json_schema(tlm::interconnect_schema());
  schema["title"] = "flitcast interconnect";
  return schema.dump(2) + "\n";
}

Action declare_tlm(CLI::App& app) {
  return declare_subcommands(
      app,
      {{"check", "Validate an interconnect without a run",
        declare<TlmOptions, add_interconnect, check_interconnect>},
       {"run", "Try an interconnect with random masters at all initiators",
        declare<TlmOptions, add_run_options, run_interconnect>},
       {"keys", "List the keys of interconnect files", declare<TlmOptions, add_json, print_keys>},
       {"schema", "Print the JSON Schema of interconnect files", declare_text<schema_text>}});
}

}  // namespace

Command tlm_command() {
  return {"tlm", "Interconnects with TLM-2.0 sockets: check a file, try it, list its keys",
          declare_tlm};
}

}  // namespace flitcast
