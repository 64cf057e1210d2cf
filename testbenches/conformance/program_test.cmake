# SPDX-License-Identifier: Apache-2.0
# What a user of flitcast-conform sees. Run by ctest: cmake -DCONFORM=program -DFOLDER=scratch -P this
file(WRITE ${FOLDER}/unbuilt.csv "curve,topology,k,n,routing,traffic,packet_size,num_vcs,vc_buf_size,other_params,nodes,point,offered_flits_node_cycle,seed,warmup_cycles,measure_cycles,packet_latency,network_latency,flit_latency,max_packet_latency,injected_rate,accepted_rate,accepted_min_node,hops_avg,sat_lo,sat_hi
C1,mesh,4,2,dor,diagonal,1,2,4,,16,zero_load,0.004,11,15000,15000,19.348,19.348,19.348,37,0.00405,0.00405,0.00353,3.4686,,
")
file(WRITE ${FOLDER}/controller.csv "id,kind,params,expected
C1,controller,\"m=10 r=6 I=3f avail=1d2 M=3f,1a,3,13,3d,38,2a,7,3e,f\",1:25 7:18 4:2 passes=3 SC=185 SA=35 PC=23 PA=5
C2,controller,\"m=10 r=6 I=3f avail=1d2 M=3f,1a,3,13,3d,38,2a,7,3e,f\",1:25 7:18 4:2 passes=3 SC=185 SA=36 PC=23 PA=5
")
file(WRITE ${FOLDER}/header.csv "name,value\na,1\n")

# expect(WHAT ARGS... CODE n SAYS regex): exit code n, and the output matches.
function(expect what)
  cmake_parse_arguments(arg "" "CODE;SAYS" "" ${ARGN})
  execute_process(COMMAND ${CONFORM} ${arg_UNPARSED_ARGUMENTS} WORKING_DIRECTORY ${FOLDER}
                  RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT code EQUAL ${arg_CODE} OR NOT said MATCHES "${arg_SAYS}")
    message(SEND_ERROR "not so: ${what}; exit code ${code}:\n${said}")
  endif()
endfunction()

expect("the summary closes the run" unbuilt.csv CODE 0 SAYS "\n0 passed, 0 failed, 1 skipped\n$")
expect("the output starts without a banner" unbuilt.csv CODE 0 SAYS "^skipped 1 row, not built yet: traffic diagonal\n")
expect("several files add up" unbuilt.csv unbuilt.csv CODE 0 SAYS "0 passed, 0 failed, 2 skipped\n$")
expect("an unknown header is bad input" header.csv CODE 2 SAYS "^header.csv:1: unknown header")
expect("a missing file is bad input" unbuilt.csv none.csv CODE 2 SAYS "^none.csv: cannot be opened")
expect("a level outside the four is bad usage" --level gate unbuilt.csv CODE 2 SAYS "gate")
expect("each of the four levels is taken" --level rtl unbuilt.csv CODE 0 SAYS "1 skipped")
expect("no table is bad usage" CODE 2 SAYS "FILE.csv is required")
expect("help is no error" --help CODE 0 SAYS "--only SUBSTRING")
expect("the RTL is built for the size of a row, and judged" --level rtl controller.csv CODE 1
       SAYS "^C2 [^\n]*: clocks of seq_adder in RTL: expected 36, got 35\n1 passed, 1 failed, 0 skipped\n$")
set(ENV{PATH} ${FOLDER}/bin)
find_program(shell bash PATHS /bin /usr/bin NO_DEFAULT_PATH REQUIRED)
find_program(dirname dirname PATHS /bin /usr/bin NO_DEFAULT_PATH REQUIRED)
find_program(env env PATHS /bin /usr/bin NO_DEFAULT_PATH REQUIRED)
file(COPY ${shell} ${dirname} ${env} DESTINATION ${FOLDER}/bin FOLLOW_SYMLINK_CHAIN)
expect("without Verilator the level rtl is refused" --level rtl controller.csv CODE 2
       SAYS "^--level rtl: the RTL needs Verilator 5, which is not installed")
