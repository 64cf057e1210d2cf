/* SPDX-License-Identifier: Apache-2.0 */
/* A network driven in C: part of a program, or of a shared library. */
#include <flitcast.h>
#include <stdio.h>
#include <string.h>

int drive_network(void);

/* Sends a packet from every node of a mesh to every other; prints their arrivals and the checksum.
 */
int drive_network(void) {
  flitcast_network* network;
  flitcast_delivery delivery;
  const char* json = "";
  unsigned arrived = 0;
  int code = flitcast_open(
      "topology: {kind: mesh, sizes: [4, 4]}\n"
      "routing: {kind: dimension_order}\n"
      "workload: {kind: given}\n",
      &network);
  for (uint32_t packet = 0; packet < 240 && code == FLITCAST_OK; ++packet) {
    const uint32_t source = packet / 15;
    code = flitcast_send(network, source, (source + packet % 15 + 1) % 16, 5, 0, 0, NULL);
  }
  if (code == FLITCAST_OK) code = flitcast_step(network, 1000, 0);
  while (flitcast_poll(network, &delivery, 1) == 1) ++arrived;
  if (code == FLITCAST_OK) code = flitcast_figures(network, &json);
  const char* const checksum = strstr(json, "\"checksum\": \"");
  if (code == FLITCAST_OK && checksum != NULL) {
    printf("%u packets, checksum %.16s\n", arrived, checksum + strlen("\"checksum\": \""));
  } else {
    fprintf(stderr, "%s\n", flitcast_error(network));
  }
  flitcast_close(network);
  return code;
}
