// SPDX-License-Identifier: Apache-2.0
// Sends the packets of a trace by the interface in SystemVerilog, as drive.c does by that in C.
//
// +experiment=FILE +trace=FILE +cycles=N; a line of the trace is "cycle source destination flits class".
// Prints the figures of the network after that many cycles, as JSON.
module drive;

  import flitcast_dpi_pkg::*;

  localparam longint unsigned Step = 10;

  chandle network;
  int file;
  bit has_packet;
  int unsigned source, destination, flits, message_class;
  longint unsigned cycle, sent, arrived, last;

  function automatic void check(input int code);
    if (code != FLITCAST_OK) $fatal(1, "%s", flitcast_error(network));
  endfunction

  function automatic string text_of(input string name);
    string text, line;
    int source_file;
    source_file = $fopen(name, "r");
    if (source_file == 0) $fatal(1, "%s cannot be read", name);
    while ($fgets(line, source_file) != 0) text = {text, line};
    $fclose(source_file);
    return text;
  endfunction

  function automatic void read_packet();
    has_packet = $fscanf(file, "%d %d %d %d %d", cycle, source, destination, flits, message_class) == 5;
  endfunction

  // Sends the packets before a cycle, runs up to it and takes what has arrived.
  function automatic void advance(input longint unsigned until_cycle);
    flitcast_delivery_t delivery;
    longint unsigned packet, next;
    while (has_packet && cycle < until_cycle) begin
      check(flitcast_send(network, source, destination, flits, cycle, message_class, packet));
      if (packet != sent) $fatal(1, "packets are not numbered as they are sent");
      sent++;
      read_packet();
    end
    check(flitcast_step(network, until_cycle, 0));
    if (flitcast_now(network) != until_cycle) $fatal(1, "a step did not end where it was to");
    while (flitcast_poll(network, delivery)) begin
      if (delivery.arrived < last || delivery.arrived >= until_cycle) $fatal(1, "arrivals are not in their order");
      if (delivery.packet >= sent || delivery.created > delivery.arrived) $fatal(1, "an arrival is none of a packet");
      if (delivery.source == delivery.destination || delivery.length == 0) $fatal(1, "an arrival has wrong members");
      last = delivery.arrived;
      arrived++;
    end
    check(flitcast_next_event(network, next));
    if ((next == FLITCAST_NEVER) != (sent == arrived)) $fatal(1, "the next event is not where packets are due");
  endfunction

  initial begin
    string experiment, trace, json;
    longint unsigned cycles;
    if ($value$plusargs("experiment=%s", experiment) == 0 || $value$plusargs("trace=%s", trace) == 0 ||
        $value$plusargs("cycles=%d", cycles) == 0) begin
      $fatal(1, "give +experiment=FILE +trace=FILE +cycles=N");
    end
    if (flitcast_abi() != FLITCAST_ABI) $fatal(1, "the library has another interface than its package");
    check(flitcast_open(text_of(experiment), network));
    file = $fopen(trace, "r");
    if (file == 0) $fatal(1, "%s cannot be read", trace);
    read_packet();
    for (longint unsigned at = Step; at <= cycles; at += Step) advance(at);
    check(flitcast_figures(network, json));
    $write("%s", json);
    flitcast_close(network);
    $fclose(file);
    $finish;
  end

endmodule
