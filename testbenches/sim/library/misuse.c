/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with wrong arguments: each is refused by a code and a text, and has no effect.
 *
 * usage: misuse CLAIM     exit code 1 and a line for each statement that does not hold */
#include <flitcast.h>
#include <stdio.h>
#include <string.h>

static int faults = 0;

#define HOLDS(statement) \
  if (!(statement)) faults += printf("line %d: %s\n", __LINE__, #statement) > 0

static const char mesh[] =
    "topology: {kind: mesh, sizes: [4, 4]}\n"
    "routing: {kind: dimension_order}\n"
    "workload: {kind: given}\n";

static int says(const flitcast_network* network, const char* text) {
  if (strstr(flitcast_error(network), text) != NULL) return 1;
  printf("  the text is: %s\n", flitcast_error(network));
  return 0;
}

/* A text is refused with all its problems, and its network stays so until it is closed. */
static int refuses(const char* yaml, const char* first, const char* second) {
  flitcast_network* network = NULL;
  uint64_t cycle;
  const char* json;
  int right = flitcast_open(yaml, &network) == FLITCAST_BAD_INPUT && network != NULL;
  right = right && says(network, first) && says(network, second);
  right = right && flitcast_send(network, 0, 1, 1, 0, 0, NULL) == FLITCAST_BAD_INPUT;
  right = right && flitcast_step(network, 10, 0) == FLITCAST_BAD_INPUT;
  right = right && flitcast_next_event(network, &cycle) == FLITCAST_BAD_INPUT;
  right = right && flitcast_figures(network, &json) == FLITCAST_BAD_INPUT && says(network, first);
  right = right && flitcast_now(network) == 0 && flitcast_poll(network, NULL, 0) == 0;
  flitcast_close(network);
  return right;
}

static void texts(void) {
  HOLDS(refuses(
      "topology: {kind: mesh, sizes: [4, 0]}\nrouting: {kind: magic}\nworkload: {kind: given}\n",
      "experiment:1:35: topology.sizes", "experiment:2:17: routing.kind"));
  HOLDS(refuses("topology: [", "experiment:1", ""));
  HOLDS(refuses("", "is empty", ""));
  HOLDS(refuses(NULL, "is empty", ""));
  HOLDS(
      refuses("topology: {kind: ring, size: 4}\nrouting: {kind: dimension_order}\nworkload: {kind: "
              "traffic, load: 0.1}\n",
              "workload.kind", "given"));
  HOLDS(
      refuses("topology: {kind: torus, sizes: [4, 4]}\nrouting: {kind: dimension_order}\nrouter: "
              "{virtual_channels: 1}\n"
              "workload: {kind: given}\n",
              "virtual", ""));
  char text[512];
  const char* const outputs[] = {"measure: {series: 10}",
                                 "measure: {buffers: 10}",
                                 "energy: {cells: osu018, link_mm: 1}",
                                 "trace: {signals: [router_0]}",
                                 "repeat: 2",
                                 "sweep: {router.virtual_channels: [1, 2]}"};
  for (size_t o = 0; o < sizeof outputs / sizeof *outputs; ++o) {
    snprintf(text, sizeof text, "%s%s\n", mesh, outputs[o]);
    HOLDS(refuses(text, "leave ", " out"));
  }
}

static void arguments(void) {
  flitcast_network* network = NULL;
  flitcast_delivery delivery;
  uint64_t packet = 77, cycle;
  const char* json;
  HOLDS(flitcast_open(mesh, &network) == FLITCAST_OK);
  HOLDS(strcmp(flitcast_error(network), "") == 0);
  HOLDS(flitcast_step(network, 50, 0) == FLITCAST_OK);
  HOLDS(flitcast_send(network, 16, 0, 1, 50, 0, &packet) == FLITCAST_BAD_INPUT &&
        says(network, "source: 16 is out of range; use 0 to 15"));
  HOLDS(flitcast_send(network, 0, 16, 1, 50, 0, &packet) == FLITCAST_BAD_INPUT &&
        says(network, "destination: 16"));
  HOLDS(flitcast_send(network, 0, 1, 0, 50, 0, &packet) == FLITCAST_BAD_INPUT &&
        says(network, "length: 0"));
  HOLDS(flitcast_send(network, 0, 1, 65537, 50, 0, &packet) == FLITCAST_BAD_INPUT &&
        says(network, "use 1 to 65536"));
  HOLDS(flitcast_send(network, 0, 1, 1, 49, 0, &packet) == FLITCAST_BAD_INPUT &&
        says(network, "cycle: 49 is out of range; use 50 to"));
  HOLDS(flitcast_send(network, 0, 1, 1, FLITCAST_NEVER, 0, &packet) == FLITCAST_BAD_INPUT &&
        says(network, "cycle"));
  HOLDS(flitcast_send(network, 0, 1, 1, 50, 1, &packet) == FLITCAST_BAD_INPUT &&
        says(network, "message_class: 1"));
  HOLDS(flitcast_step(network, 49, 0) == FLITCAST_BAD_INPUT && says(network, "cycle: 49"));
  HOLDS(flitcast_step(network, FLITCAST_NEVER, 0) == FLITCAST_BAD_INPUT);
  HOLDS(flitcast_next_event(network, NULL) == FLITCAST_BAD_INPUT);
  HOLDS(flitcast_figures(network, NULL) == FLITCAST_BAD_INPUT);
  HOLDS(flitcast_poll(network, NULL, 1) == 0);
  HOLDS(packet == 77);
  /* Nothing of that had an effect. */
  HOLDS(flitcast_next_event(network, &cycle) == FLITCAST_OK && cycle == FLITCAST_NEVER);
  HOLDS(flitcast_send(network, 0, 15, 5, 60, 0, NULL) == FLITCAST_OK);
  HOLDS(flitcast_send(network, 0, 15, 5, 55, 0, &packet) == FLITCAST_OK && packet == 1);
  HOLDS(flitcast_next_event(network, &cycle) == FLITCAST_OK && cycle == 55);
  HOLDS(flitcast_step(network, 1000, 1) == FLITCAST_OK && flitcast_now(network) < 1000);
  HOLDS(flitcast_poll(network, &delivery, 1) == 1);
  HOLDS(delivery.packet == 1 && delivery.created == 55 &&
        delivery.arrived == flitcast_now(network) - 1);
  HOLDS(delivery.source == 0 && delivery.destination == 15 && delivery.length == 5 &&
        delivery.message_class == 0 && delivery.hops == 7);
  HOLDS(flitcast_step(network, 1000, 1) == FLITCAST_OK &&
        flitcast_poll(network, &delivery, 1) == 1 && delivery.packet == 0);
  HOLDS(flitcast_step(network, 1000, 1) == FLITCAST_OK &&
        flitcast_now(network) == delivery.arrived + 1);
  HOLDS(flitcast_figures(network, &json) == FLITCAST_OK && strstr(json, "\"checksum\"") != NULL);
  flitcast_close(network);
}

static void pointers(void) {
  uint64_t cycle;
  const char* json;
  HOLDS(flitcast_open(mesh, NULL) == FLITCAST_BAD_INPUT);
  HOLDS(flitcast_send(NULL, 0, 1, 1, 0, 0, NULL) == FLITCAST_BAD_INPUT);
  HOLDS(flitcast_step(NULL, 1, 0) == FLITCAST_BAD_INPUT);
  HOLDS(flitcast_next_event(NULL, &cycle) == FLITCAST_BAD_INPUT);
  HOLDS(flitcast_figures(NULL, &json) == FLITCAST_BAD_INPUT);
  HOLDS(flitcast_poll(NULL, NULL, 1) == 0 && flitcast_now(NULL) == 0);
  HOLDS(says(NULL, "null pointer"));
  flitcast_close(NULL);
}

int main(int argc, char* argv[]) {
  if (argc == 2 && strcmp(argv[1], "texts") == 0)
    texts();
  else if (argc == 2 && strcmp(argv[1], "arguments") == 0)
    arguments();
  else if (argc == 2 && strcmp(argv[1], "pointers") == 0)
    pointers();
  else
    faults = 1;
  return faults == 0 ? 0 : 1;
}
