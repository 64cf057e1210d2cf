/* SPDX-License-Identifier: Apache-2.0 */
int drive_network(void);

int main(void) { return drive_network(); }
