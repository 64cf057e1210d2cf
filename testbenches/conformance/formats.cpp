// SPDX-License-Identifier: Apache-2.0
#include "conformance/formats.h"

#include "conformance/cdg_rows.h"
#include "conformance/clos_bound_rows.h"
#include "conformance/clos_controller_rows.h"
#include "conformance/clos_crosspoint_rows.h"
#include "conformance/clos_join_leave_rows.h"
#include "conformance/clos_lemma1_rows.h"
#include "conformance/clos_minimum_rows.h"
#include "conformance/clos_strategy_rows.h"
#include "conformance/clos_traffic_rows.h"
#include "conformance/collective_rows.h"
#include "conformance/curves.h"
#include "conformance/fat_tree_rows.h"
#include "conformance/multicast_rows.h"
#include "conformance/permutation_rows.h"
#include "conformance/rank_rows.h"

namespace flitcast::conformance {
namespace {

TableFormat broadcast_and_gossip() {
  TableFormat format;
  format.header = {"id",
                   "algorithm",
                   "network",
                   "source",
                   "ports",
                   "rule",
                   "rounds",
                   "transmissions",
                   "duplicates",
                   "new_per_round",
                   "longest_path_per_round",
                   "lower_bound",
                   "time",
                   "normative",
                   "ts",
                   "td",
                   "tm",
                   "m"};
  format.naming_columns = 6;
  format.group_column = "id";
  format.category_column = "algorithm";
  format.categories = {
      {"doubling", each<collective_row>},
      {"sbt", each<collective_row>},
      {"flooding", each<collective_row>},
      {"dimension-order", each<collective_row>},
      {"dta", each<collective_row>},
      {"ho-kao", each<collective_row>},
      {"u-mesh", each<collective_row>},
      {"tiling", each<collective_row>},
      {"edn", each<collective_row>},
      {"dilated-diagonal", each<collective_row>},
      {"aab", each<collective_row>},
      {"oas", each<collective_row>},
      {"aas", each<collective_row>},
      {"gossip hamiltonian", each<collective_row>},
      {"gossip zigzag thm 1", each<collective_row>},
      {"gossip thm 2", each<collective_row>},
      {"gossip thm 3/4", each<collective_row>},
      {"gossip tadt", each<collective_row>},
  };
  return format;
}

TableFormat routing_and_collectives() {
  TableFormat format;
  format.header = {"id",     "category", "topology", "instance",
                   "metric", "expected", "kind",     "tolerance"};
  format.naming_columns = 4;
  format.group_column = "id";
  format.category_column = "category";
  format.categories = {
      {"hypercube_fifo", each<permutation_row>},
      {"hypercube_farthest", each<permutation_row>},
      {"hypercube_valiant_fifo", each<permutation_row>},
      {"butterfly_fifo", each<permutation_row>},
      {"line_ff_many_to_one", each<permutation_row>},
      {"line_ff_perm", each<permutation_row>},
      {"xy_max_queue_any_perm", each<permutation_row>},
      {"xy_worst_instance", each<permutation_row>},
      {"xy_ff_perm", each<permutation_row>},
      {"xy_ff_func", each<permutation_row>},
      {"dor3d_bad", each<permutation_row>},
      {"dor3d_ff_perm", each<permutation_row>},
      {"offline_bound", each<permutation_row>},
      {"shearsort_steps", each<permutation_row>},
      {"sortroute_total", each<permutation_row>},
      {"collective", each<rank_row>},
      {"collective_time_Q", each<rank_time_row>},
      {"umesh", each<multicast_row>},
      {"dual_path", each<multicast_row>},
      {"multi_path", each<multicast_row>},
      {"column_path", each<multicast_row>},
      {"xy_tree", each<multicast_row>},
      {"separate_unicast_xy", each<multicast_row>},
      {"ucube", each<multicast_row>},
      {"cdg", each<cdg_row>},
      {"cdg_turns", each<cdg_turns_row>},
      {"cdg_duato", each<cdg_duato_row>},
      {"fattree_dmodk", each<fat_tree_row>},
      {"stat_valiant_cube", each<permutation_row>},
      {"stat_xy_random_perm", each<permutation_row>},
      {"stat_rand3", each<permutation_row>},
  };
  return format;
}

TableFormat clos() {
  TableFormat format;
  format.header = {"id", "kind", "params", "expected"};
  format.naming_columns = 3;
  format.group_column = "id";
  format.category_column = "kind";
  format.categories = {
      {"m_thm3", each<clos_bound_row>},
      {"m_cor1", each<clos_bound_row>},
      {"m_asym", each<clos_bound_row>},
      {"m_refined", each<clos_bound_row>},
      {"m_multirate", each<clos_bound_row>},
      {"m_multirate_asym", each<clos_bound_row>},
      {"crosspoints", each<clos_crosspoint_row>},
      {"controller", each<clos_controller_row>},
      {"strategy", each<clos_strategy_row>},
      {"g1", each<clos_traffic_row>},
      {"g2", each<clos_traffic_row>},
      {"blocking_trace", each<clos_traffic_row>},
      {"min_m", each<clos_minimum_row>},
      {"rearrangeable", each<clos_minimum_row>},
      {"lemma1", each<clos_lemma1_row>},
      {"joinleave_trace", each<clos_join_leave_row>},
  };
  return format;
}

TableFormat latency_load_curves() {
  TableFormat format;
  format.header = {"curve",
                   "topology",
                   "k",
                   "n",
                   "routing",
                   "traffic",
                   "packet_size",
                   "num_vcs",
                   "vc_buf_size",
                   "other_params",
                   "nodes",
                   "point",
                   "offered_flits_node_cycle",
                   "seed",
                   "warmup_cycles",
                   "measure_cycles",
                   "packet_latency",
                   "network_latency",
                   "flit_latency",
                   "max_packet_latency",
                   "injected_rate",
                   "accepted_rate",
                   "accepted_min_node",
                   "hops_avg",
                   "sat_lo",
                   "sat_hi"};
  format.naming_columns = 12;
  format.group_column = "curve";
  format.category_column = "topology";
  format.categories = {{"mesh", curve},         {"torus", curve}, {"fly", curve},
                       {"fattree", curve},      {"cmesh", curve}, {"flatfly", curve},
                       {"dragonflynew", curve}, {"anynet", curve}};
  return format;
}

}  // namespace

const std::vector<TableFormat>& table_formats() {
  static const std::vector<TableFormat> formats{broadcast_and_gossip(), routing_and_collectives(),
                                                clos(), latency_load_curves()};
  return formats;
}

}  // namespace flitcast::conformance
