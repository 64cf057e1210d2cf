// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// All topologies, and what a topology of one's own needs: the base class Topology, the catalog
/// topologies() that it can be added to, faults, and the figures that compare topologies. Where a
/// class has functions that make its common forms (mesh(), torus(), ring(), concentrated_mesh(),
/// k_ary_n_tree(), ...), they stand beside it. Component `fabric`; a section of a YAML file
/// (example_of(), read_section()) takes component `tlm` or `program`.
#include "topology/adjacency.h"
#include "topology/butterfly.h"
#include "topology/catalog.h"
#include "topology/clos.h"
#include "topology/concentrated.h"
#include "topology/dragonfly.h"
#include "topology/fat_tree.h"
#include "topology/faults.h"
#include "topology/graph.h"
#include "topology/graph_file.h"
#include "topology/grid.h"
#include "topology/hierarchy.h"
#include "topology/hypercube.h"
#include "topology/regular_graph.h"
#include "topology/topology.h"
