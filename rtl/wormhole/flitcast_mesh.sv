// SPDX-License-Identifier: Apache-2.0
// Square mesh of wormhole routers with their local ports outside.
//
//   in_valid_i, in_vc_i, in_flit_i, one each for a node    --> out_valid_o, out_vc_o, out_flit_o
//   in_credit_valid_o, in_credit_vc_o                      <-- out_credit_valid_i, out_credit_vc_i
//
// Numbers   Node x + Size*y is at column x and row y. A destination is x + 2^CoordinateWidth * y,
//           with CoordinateWidth = $clog2(Size): the node's number where Size is a power of two.
// Use       Each local port as a port of wormhole_router.sv, which also says what a flit is. Where
//           every node gives all credits back in the end, all packets arrive: XY routing on a mesh
//           has no deadlock.
// Timing    An idle router takes RouteCycles + VcAllocationCycles + DepartureCycles cycles from one
//           input to the next, and a channel between routers LinkCycles more.
// Misuse    As wormhole_router.sv; and a destination outside the mesh fails an assertion.
module flitcast_mesh #(
  parameter int Size               = 4,                        // Routers of a side, from 2 up.
  parameter int LinkCycles         = 0,                        // Registers in every channel between
                                                               // routers and in its credit wires.
  // As those of wormhole_router.sv.
  parameter int NumVcs             = 2,
  parameter int Depth              = 4,
  parameter int RemainingWidth     = 4,
  parameter int Width              = 34,
  parameter int RouteCycles        = 1,
  parameter int VcAllocationCycles = 1,
  parameter int DepartureCycles    = 2,
  parameter int WholePacketCredit  = 0,
  // The others follow from those above and are not to be set.
  parameter int NumNodes           = Size * Size,
  parameter int VcWidth            = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,                // Synchronous, active low.
  input  logic [NumNodes-1:0]           in_valid_i,
  input  logic [NumNodes*VcWidth-1:0]   in_vc_i,
  input  logic [NumNodes*Width-1:0]     in_flit_i,
  output logic [NumNodes-1:0]           in_credit_valid_o,
  output logic [NumNodes*VcWidth-1:0]   in_credit_vc_o,
  output logic [NumNodes-1:0]           out_valid_o,
  output logic [NumNodes*VcWidth-1:0]   out_vc_o,
  output logic [NumNodes*Width-1:0]     out_flit_o,
  input  logic [NumNodes-1:0]           out_credit_valid_i,
  input  logic [NumNodes*VcWidth-1:0]   out_credit_vc_i
);

  if (NumNodes != Size * Size || VcWidth != ((NumVcs > 1) ? $clog2(NumVcs) : 1)) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  if (Size < 2 || LinkCycles < 0) begin : gen_refused
    size_must_be_at_least_2_and_link_cycles_at_least_0 u_refused ();
  end

  localparam int CoordinateWidth = $clog2(Size);
  localparam int Local           = 4;
  localparam int ChannelWidth    = 1 + VcWidth + Width;  // Flit, VC and valid,
  localparam int CreditWidth     = 1 + VcWidth;          // and the same of a credit.

  for (genvar n = 0; n < NumNodes; n++) begin : gen_router
    localparam int X = n % Size;
    localparam int Y = n / Size;

    logic [Local:0]               in_valid, in_credit_valid, out_valid, out_credit_valid;
    logic                         unused_idle;
    logic [(Local+1)*VcWidth-1:0] in_vc, in_credit_vc, out_vc, out_credit_vc;
    logic [(Local+1)*Width-1:0]   in_flit, out_flit;

    flitcast_wormhole_router #(
      .Dimensions        (2),
      .CoordinateWidth   (CoordinateWidth),
      .NumVcs            (NumVcs),
      .Depth             (Depth),
      .RemainingWidth    (RemainingWidth),
      .Width             (Width),
      .RouteCycles       (RouteCycles),
      .VcAllocationCycles(VcAllocationCycles),
      .DepartureCycles   (DepartureCycles),
      .WholePacketCredit (WholePacketCredit)
    ) u_router (
      .clk_i,
      .rst_ni,
      .here_i            ({CoordinateWidth'(Y), CoordinateWidth'(X)}),
      .in_valid_i        (in_valid),
      .in_vc_i           (in_vc),
      .in_flit_i         (in_flit),
      .in_credit_valid_o (in_credit_valid),
      .in_credit_vc_o    (in_credit_vc),
      .out_valid_o       (out_valid),
      .out_vc_o          (out_vc),
      .out_flit_o        (out_flit),
      .out_credit_valid_i(out_credit_valid),
      .out_credit_vc_i   (out_credit_vc),
      .idle_o            (unused_idle)
    );

    assign in_valid[Local]                        = in_valid_i[n];
    assign in_vc[Local*VcWidth+:VcWidth]          = in_vc_i[n*VcWidth+:VcWidth];
    assign in_flit[Local*Width+:Width]            = in_flit_i[n*Width+:Width];
    assign out_credit_valid[Local]                = out_credit_valid_i[n];
    assign out_credit_vc[Local*VcWidth+:VcWidth]  = out_credit_vc_i[n*VcWidth+:VcWidth];
    assign in_credit_valid_o[n]                   = in_credit_valid[Local];
    assign in_credit_vc_o[n*VcWidth+:VcWidth]     = in_credit_vc[Local*VcWidth+:VcWidth];
    assign out_valid_o[n]                         = out_valid[Local];
    assign out_vc_o[n*VcWidth+:VcWidth]           = out_vc[Local*VcWidth+:VcWidth];
    assign out_flit_o[n*Width+:Width]             = out_flit[Local*Width+:Width];

    // The outputs of a port go to the facing port of the neighbour.
    for (genvar p = 0; p < Local; p++) begin : gen_port
      localparam int Facing  = (p % 2 == 0) ? p + 1 : p - 1;
      localparam int Step    = ((p < 2) ? 1 : Size) * ((p % 2 == 0) ? 1 : -1);
      localparam int Place   = (p < 2) ? X : Y;
      localparam int Present = ((p % 2 == 0) ? Place < Size - 1 : Place > 0) ? 1 : 0;

      if (Present == 1) begin : gen_joined
        flitcast_delay_line #(
          .Width(ChannelWidth), .Cycles(LinkCycles), .ResetWidth(1)
        ) u_channel (
          .clk_i,
          .rst_ni,
          .in_i ({gen_router[n+Step].out_valid[Facing],
                  gen_router[n+Step].out_vc[Facing*VcWidth+:VcWidth],
                  gen_router[n+Step].out_flit[Facing*Width+:Width]}),
          .out_o({in_valid[p], in_vc[p*VcWidth+:VcWidth], in_flit[p*Width+:Width]})
        );
        flitcast_delay_line #(
          .Width(CreditWidth), .Cycles(LinkCycles), .ResetWidth(1)
        ) u_credits (
          .clk_i,
          .rst_ni,
          .in_i ({gen_router[n+Step].in_credit_valid[Facing],
                  gen_router[n+Step].in_credit_vc[Facing*VcWidth+:VcWidth]}),
          .out_o({out_credit_valid[p], out_credit_vc[p*VcWidth+:VcWidth]})
        );
      end else begin : gen_border
        assign in_valid[p]                       = 1'b0;
        assign in_vc[p*VcWidth+:VcWidth]         = '0;
        assign in_flit[p*Width+:Width]           = '0;
        assign out_credit_valid[p]               = 1'b0;
        assign out_credit_vc[p*VcWidth+:VcWidth] = '0;

        logic unused_outputs;
        assign unused_outputs = ^{out_valid[p], out_vc[p*VcWidth+:VcWidth],
                                  out_flit[p*Width+:Width], in_credit_valid[p],
                                  in_credit_vc[p*VcWidth+:VcWidth]};
`ifndef SYNTHESIS
        always @(posedge clk_i) if (rst_ni) begin
          assert (!out_valid[p]) else
              $error("flitcast_mesh: node %0d, port %0d: a flit leaves over the border", n, p);
        end
`endif
      end
    end
  end

endmodule
