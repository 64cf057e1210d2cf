// SPDX-License-Identifier: Apache-2.0
// The folders of the RTL; a module is in the file of its name. The paths start in this folder:
// `verilator -F PATH/rtl/flitcast.f YOURS.sv`, or in this folder `iverilog -c flitcast.f YOURS.sv`.
-y adaptive
-y clos
-y clos_search
-y common
-y crossbar
-y link
-y node
-y store_forward
-y wormhole
+libext+.sv
