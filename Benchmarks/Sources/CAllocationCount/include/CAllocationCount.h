// Counts the heap allocations of a thread. The definitions replace malloc and its kin in the program they are linked
// into and pass on to glibc's own; elsewhere the count stays at zero.
#ifndef FLEET_TOKEN_ALLOCATION_COUNT_H
#define FLEET_TOKEN_ALLOCATION_COUNT_H

#include <stdint.h>

/// The number of allocations that this thread has made.
uint64_t fleet_token_allocation_count(void);

#endif
