// SPDX-License-Identifier: Apache-2.0
// Networks of flitcast in a SystemVerilog testbench: the functions of flitcast.h by DPI-C, under their names.
//
//   chandle             network;
//   flitcast_delivery_t delivery;
//   if (flitcast_open(yaml, network) != FLITCAST_OK) $fatal(1, "%s", flitcast_error(network));
//   void'(flitcast_send(network, 0, 15, 5, 0, 0, packet));
//   void'(flitcast_step(network, 100, 0));
//   while (flitcast_poll(network, delivery)) $display("%0d", delivery.arrived);
//   flitcast_close(network);
//
// The simulator loads or links libflitcast. flitcast.h says what the functions do; what is different here:
//   flitcast_poll     takes one arrival and returns true, or returns false if there is none.
//   Cycles            are of the network and not of the simulator, whose clock calls flitcast_step() where they go together.
//   Byte order        flitcast_delivery_t is the structure of C on processors that store the lowest byte first.
package flitcast_dpi_pkg;

  // A testbench need not use all of them.
  // verilator lint_off UNUSEDPARAM
  // The version of the interface that these functions belong to; flitcast_abi() is that of the library.
  parameter int FLITCAST_ABI = 1;

  // The codes that functions return, and the cycle in which nothing happens.
  parameter int FLITCAST_OK        = 0;
  parameter int FLITCAST_INTERNAL  = 1;
  parameter int FLITCAST_BAD_INPUT = 2;
  parameter int FLITCAST_DEADLOCK  = 4;
  parameter longint unsigned FLITCAST_NEVER = '1;
  // verilator lint_on UNUSEDPARAM

  // The arrival of a packet; members of C in rising addresses are bits in rising order.
  typedef struct packed {
    bit [31:0] padding;
    bit [31:0] hops;
    bit [31:0] message_class;
    bit [31:0] length;
    bit [31:0] destination;
    bit [31:0] source;
    bit [63:0] arrived;
    bit [63:0] created;
    bit [63:0] packet;
  } flitcast_delivery_t;

  import "DPI-C" function string flitcast_version();
  import "DPI-C" function int flitcast_abi();
  import "DPI-C" function int flitcast_open(input string yaml, output chandle network);
  import "DPI-C" function void flitcast_close(input chandle network);
  import "DPI-C" function string flitcast_error(input chandle network);
  import "DPI-C" function longint unsigned flitcast_now(input chandle network);
  import "DPI-C" function int flitcast_send(
    input chandle network, input int unsigned source, input int unsigned destination, input int unsigned length,
    input longint unsigned cycle, input int unsigned message_class, output longint unsigned packet
  );
  import "DPI-C" function int flitcast_step(input chandle network, input longint unsigned cycle, input int to_arrival);
  import "DPI-C" function int flitcast_next_event(input chandle network, output longint unsigned cycle);
  // The function of C would write beyond the structure with a capacity above 1.
  import "DPI-C" flitcast_poll = function longint unsigned flitcast_poll_up_to(
    input chandle network, output flitcast_delivery_t delivery, input longint unsigned capacity
  );
  import "DPI-C" function int flitcast_figures(input chandle network, output string json);

  function automatic bit flitcast_poll(input chandle network, output flitcast_delivery_t delivery);
    return flitcast_poll_up_to(network, delivery, 1) == 1;
  endfunction

endpackage
