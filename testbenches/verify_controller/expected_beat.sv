// SPDX-License-Identifier: Apache-2.0
// The expected beat of a controller, for its waveform: the verifier drives the ports, and nothing reads them.
//
// From the clock in which a request is taken to the one in which its last beat is taken, it shows
// the pass whose beat is visible or comes next, the part U of the request that this pass finds
// unserved, and the correct beat.
module expected_beat #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int MiddleW = M > 1 ? $clog2(M) : 1  // Derived.
) (
  input logic [10:0]        pass,         // From 1; 0: nothing is due.
  input logic [R-1:0]       unserved,
  input logic [MiddleW-1:0] beat_middle,
  input logic [R-1:0]       beat_set,
  input logic               beat_last,
  input logic               beat_fail
);
endmodule
