# SPDX-License-Identifier: Apache-2.0
"""Questions of newcomers, from threads of users of such programs, and where the manual answers each: the page, and words that are there."""

MOST_CLICKS = 3  # From the front page, by links in the text of pages.
ANSWERS = {
    "How do I run it?": ("start.md", "scripts/run"),
    "How do I say a topology of my own?": ("catalogs/topologies/custom.md", "topology.file"),
    "Is the result right?": ("truth.md", "BookSim2"),
    "Why is my run saturated?": ("how/verdicts.md", "backlog"),
    "How do I use the RTL in my simulator?": ("tutorials/rtl.md", "verilator"),
    "What is the load of each link?": ("figures/links.load.md", "links.load"),
    "Can it replay Chakra traces?": ("catalogs/trace_formats/chakra.md", "workload.format"),
    "How do routers multicast?": ("keys/workload.forwarding.md", "routers"),
    "How do I add a collective of my own?": ("extend.md", "collective"),
    "How do I couple it with my SystemC?": ("tutorials/systemc.md", "target_socket"),
    "Which key is vc_buf_size here?": ("coming_from.md", "vc_buf_size"),
    "How do I make one link longer than others?": ("keys/link.exceptions.md", "link"),
    "What does this message want from me?": ("errors.md", "unknown key"),
    "Why does my network deadlock?": ("catalogs/routings.md", "VC"),
    # Ten that were drawn by lot from the rest of the threads.
    "Has UGAL a threshold, and is there PAR?": ("guide/routing.md", "PAR"),
    "Are results repeatable?": ("cite.md", "on every machine"),
    "Is there a timeline of a run?": ("commands/run.md", "Perfetto"),
    "What power does a router take that the table lacks?": ("modules/sim/energy.md", "estimated from the rows"),
    "How do I keep four requests of each node in flight?": ("catalogs/workloads/closed_loop.md", "workload.outstanding"),
    "Is there AXI, and who orders its transactions?": ("tutorials/rtl.md", "AXI"),
    "Which all-reduce is the fastest here, and is that advice right?": ("guide/collectives.md", "ranks by measured cycles"),
    "Which buffers cover the round trip of a link of 100 cycles?": ("questions.md", "Over a link of 100 cycles"),
    "May a class of packets have links of its own?": ("guide/links.md", "share all links"),
    "How do I bring a routing table of my own?": ("guide/routing.md", "A table of one's own"),
}
