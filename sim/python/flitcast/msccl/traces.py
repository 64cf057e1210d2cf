# SPDX-License-Identifier: Apache-2.0
"""Chakra traces of an MSCCL algorithm. A microsecond of the traces is a nanosecond."""
from ..chakra import Traces
from .algorithm import COMBINES, RECEIVES, SENDS


def traces_of(algorithm, order, chunk_bytes, rate):
    """The Traces and the number of messages.

    A send is done when it has begun, as a sender may run ahead by any number of messages. A fused step sends when its whole message is there
    and combined.

    @param rate  Bytes in a nanosecond that a thread block combines; 0: it takes no time.
    """
    traces, done, tags = Traces(len(algorithm.gpus)), {}, {}
    for key in order.steps:
        step, rank = algorithm.step(key), key[0]
        block, size = algorithm.gpus[rank].blocks[key[1]], step.count * chunk_bytes
        sender = order.sender.get(key)
        after = traces.join(rank, [node for before in order.before[key] if before != sender for node in done[before]])
        if step.type in RECEIVES:
            after = traces.receive(rank, after, block.receive, tags[sender], size)
        if step.type in COMBINES:
            after = traces.wait(rank, after, int(size / rate) if rate else 0)
        if step.type in SENDS:
            tags[key] = len(tags)
            traces.send(rank, after, block.send, tags[key], size)
        done[key] = after
    return traces, len(tags)
