/* SPDX-License-Identifier: Apache-2.0 */
/* Sends the packets of traces by the C interface, each trace on a network of its own, all networks
 * step by step by turns.
 *
 * usage: drive CYCLES EXPERIMENT TRACE [EXPERIMENT TRACE]...
 *
 * A line of a trace is "cycle source destination flits class". Packets are sent a few at a time.
 * Prints the figures of each network after that many cycles, one JSON in a line. */
#include <flitcast.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, TEXT = 1 << 16, STEP = 10 };

struct drive {
  flitcast_network* network;
  FILE* trace;
  uint64_t cycle; /* That of the packet below. */
  uint32_t source, destination, flits, message_class;
  int has_packet;
  uint64_t sent, arrived;
};

static void fail(const char* what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static void check(flitcast_network* network, int code) {
  if (code != FLITCAST_OK) fail(flitcast_error(network));
}

static void read_packet(struct drive* drive) {
  drive->has_packet =
      fscanf(drive->trace, "%" SCNu64 "%" SCNu32 "%" SCNu32 "%" SCNu32 "%" SCNu32, &drive->cycle,
             &drive->source, &drive->destination, &drive->flits, &drive->message_class) == 5;
}

static void start(struct drive* drive, const char* experiment, const char* trace) {
  static char text[TEXT];
  FILE* file = fopen(experiment, "r");
  if (file == NULL) fail(experiment);
  text[fread(text, 1, TEXT - 1, file)] = '\0';
  fclose(file);
  check(drive->network, flitcast_open(text, &drive->network));
  drive->trace = fopen(trace, "r");
  if (drive->trace == NULL) fail(trace);
  read_packet(drive);
}

static void advance(struct drive* drive, uint64_t cycle) {
  flitcast_delivery deliveries[3];
  size_t found;
  uint64_t packet, next, last = 0;
  for (; drive->has_packet && drive->cycle < cycle; read_packet(drive)) {
    check(drive->network, flitcast_send(drive->network, drive->source, drive->destination,
                                        drive->flits, drive->cycle, drive->message_class, &packet));
    if (packet != drive->sent++) fail("packets are not numbered as they are sent");
  }
  check(drive->network, flitcast_step(drive->network, cycle, 0));
  if (flitcast_now(drive->network) != cycle) fail("a step did not end where it was to");
  while ((found = flitcast_poll(drive->network, deliveries, 3)) > 0) {
    for (size_t d = 0; d < found; ++d, ++drive->arrived) {
      if (deliveries[d].arrived < last || deliveries[d].arrived >= cycle)
        fail("arrivals are not in their order");
      last = deliveries[d].arrived;
    }
  }
  check(drive->network, flitcast_next_event(drive->network, &next));
  if ((next == FLITCAST_NEVER) != (drive->sent == drive->arrived))
    fail("the next event is not where packets are due");
}

int main(int argc, char* argv[]) {
  struct drive drives[MOST];
  const int count = (argc - 2) / 2;
  if (argc < 4 || argc % 2 != 0 || count > MOST)
    fail("usage: drive CYCLES EXPERIMENT TRACE [EXPERIMENT TRACE]...");
  if (flitcast_abi() != FLITCAST_ABI) fail("the library has another interface than its header");
  memset(drives, 0, sizeof drives);
  for (int d = 0; d < count; ++d) start(&drives[d], argv[2 * d + 2], argv[2 * d + 3]);
  const uint64_t end = strtoull(argv[1], NULL, 10);
  for (uint64_t cycle = STEP; cycle <= end; cycle += STEP) {
    for (int d = 0; d < count; ++d) advance(&drives[d], cycle);
  }
  for (int d = 0; d < count; ++d) {
    const char* json;
    check(drives[d].network, flitcast_figures(drives[d].network, &json));
    printf("%s%s", json, d + 1 < count ? "," : "");
  }
  for (int d = 0; d < count; ++d) {
    flitcast_close(drives[d].network);
    fclose(drives[d].trace);
  }
  return 0;
}
