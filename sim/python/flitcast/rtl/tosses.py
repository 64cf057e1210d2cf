# SPDX-License-Identifier: Apache-2.0
"""The coins that sources of the model toss, from its stream of random numbers for each packet."""

SEED = 1  # Seed of the runs whose packets are played.

_WORD = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


def _mix(word):
    """The output function of SplitMix64, as in models/base/random.h."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31


def tosses_of(packet, seed=SEED):
    """A bit for each dimension: 1 goes minus. The name of a packet, SOURCE.NUMBER, is that of the logs."""
    source, number = map(int, packet.split("."))
    stream = ~(source << 32 | number) & _WORD
    state = _mix(_mix(seed + _GAMMA & _WORD) ^ (stream + 1) * 0xD1342543DE82EF95 & _WORD)
    return _mix(state + _GAMMA & _WORD) >> 56
