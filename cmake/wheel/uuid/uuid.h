// Stands for libuuid, for ANTLR's runtime: random UUIDs.
#pragma once

#include <sys/random.h>

typedef unsigned char uuid_t[16];

static inline void uuid_generate(uuid_t id) {
  (void)getrandom(id, sizeof(uuid_t), 0);
  id[6] = (unsigned char)((id[6] & 0x0f) | 0x40);  // version 4
  id[8] = (unsigned char)((id[8] & 0x3f) | 0x80);
}
