/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Networks of flitcast in the process of their user, in C. Link with -lflitcast; C11 and C++.
 *
 *     flitcast_network *network;
 *     if (flitcast_open(yaml, &network) != FLITCAST_OK) puts(flitcast_error(network));
 *     flitcast_send(network, 0, 15, 5, 0, 0, NULL);
 *     flitcast_step(network, 100, 0);
 *     while (flitcast_poll(network, &delivery, 1) == 1) printf("%" PRIu64 "\n", delivery.arrived);
 *     flitcast_close(network);
 *
 * A network is described by the text of an experiment, with the keys of `flitcast list parameters`,
 * but gets its packets from calls:
 *
 *     workload:
 *       kind: given
 *       classes: []   # [{name: request, virtual_channels: [0, 1]}, ...]: message classes, if any
 *
 * A text that sweeps, repeats or searches is refused, and so are energy, measure.series,
 * measure.buffers and trace.signals. Paths in the text start in the working folder.
 *
 * Time is in cycles from 0. A packet that is sent for cycle c joins the queue of its node in c; it
 * arrives in the cycle in which its last flit leaves the network. Numbers of cycles are at most
 * 2^62.
 *
 * Errors: functions that return `int` return FLITCAST_OK or another code, the same numbers as the
 * exit codes of the program, and flitcast_error() then has the text, but for null pointers. A call
 * with wrong arguments has no effect, and the network can be used further. After a deadlock no
 * cycle is run any more, but arrivals and figures can be read. After FLITCAST_INTERNAL, or if the
 * network could not be opened, these functions return FLITCAST_BAD_INPUT and the text stays. No C++
 * exception leaves the library, it handles no signals, and writes to no file.
 *
 * Threads: calls for one network must not overlap. Calls for different networks may, but wait for
 * each other, because the SystemC kernel has one present context. A caller that is itself a model
 * in SystemC keeps its own context and must call from its thread alone.
 */
#ifndef FLITCAST_H
#define FLITCAST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this interface, part of the name of the library: libflitcast.so.1. It changes
 * when a program that was compiled before could no longer be run. */
#define FLITCAST_ABI 1

/** No cycle: nothing happens any more. */
#define FLITCAST_NEVER UINT64_MAX

/** The codes that calls return: done; an error of flitcast itself, or no memory; wrong arguments or
 * text; packets that wait for each other, which the text names. */
#define FLITCAST_OK 0
#define FLITCAST_INTERNAL 1
#define FLITCAST_BAD_INPUT 2
#define FLITCAST_DEADLOCK 4

/** A network with its time and its packets. */
typedef struct flitcast_network flitcast_network;

/** The arrival of a packet. */
typedef struct flitcast_delivery { /* NOLINT(readability-identifier-naming) */
  uint64_t packet;                 /**< The number that flitcast_send() has given it. */
  uint64_t created;                /**< The cycle for which it was sent. */
  uint64_t arrived;                /**< The cycle in which its last flit arrived. */
  uint32_t source;                 /**< The node that sent it. */
  uint32_t destination;            /**< The node at which it has arrived. */
  uint32_t length;                 /**< Flits. */
  uint32_t message_class;          /**< Number of its class, from 0. */
  uint32_t hops;                   /**< Routers crossed. */
} flitcast_delivery;

/** The version of flitcast, such as "0.2.0". */
const char* flitcast_version(void);
/** FLITCAST_ABI of the library that is loaded. */
int flitcast_abi(void);

/** Makes a network from the text of an experiment, in YAML or JSON. The text of an error has all
 * problems, one on each line, as `flitcast check` prints them. `*network` must be closed even after
 * an error; it is null only if there is no memory for it. */
int flitcast_open(const char* yaml, flitcast_network** network);
/** Ends a network; null has no effect. */
void flitcast_close(flitcast_network* network);
/** The text of the error of the last call that failed, until the next call that fails; "" if none
 * did. */
const char* flitcast_error(const flitcast_network* network);

/** The next cycle to run, 0 at first. */
uint64_t flitcast_now(const flitcast_network* network);

/** Sends a packet of `length` flits in `cycle`, the present one or later. Packets of one node for
 * one cycle leave in the order of the calls.
 * @param message_class  Position in workload.classes, from 0; 0 without classes.
 * @param packet         Gets the number of the packet, counted from 0 by calls; may be null. */
int flitcast_send(flitcast_network* network, uint32_t source, uint32_t destination, uint32_t length,
                  uint64_t cycle, uint32_t message_class, uint64_t* packet);
/** Runs all cycles before `cycle`, which then is the present one.
 * @param to_arrival  1: ends after the first cycle in which a packet arrives, if that comes before,
 *                    and where nothing happens any more; runs no cycle while there are arrivals to
 *                    be polled. 0: does not. */
int flitcast_step(flitcast_network* network, uint64_t cycle, int to_arrival);
/** The first cycle in which something can happen: the present one while packets are in flight,
 * FLITCAST_NEVER if all have arrived and none is due. */
int flitcast_next_event(flitcast_network* network, uint64_t* cycle);
/** Takes up to `capacity` arrivals, in the order of cycles, then of nodes and their ports, and
 * returns how many. Arrivals are kept until they are taken, 88 bytes each. */
size_t flitcast_poll(flitcast_network* network, flitcast_delivery* deliveries, size_t capacity);
/** The result so far, as `flitcast run` writes it: JSON with the figures of a workload that ends,
 * `checksum` among them. Rates are those until all packets have arrived, or until now. The text is
 * valid until the next call of this function or of flitcast_close(). */
int flitcast_figures(flitcast_network* network, const char** json);

#ifdef __cplusplus
}
#endif

#endif
