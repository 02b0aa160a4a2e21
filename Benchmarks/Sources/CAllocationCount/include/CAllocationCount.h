// Counts heap allocations. The definitions replace malloc and its kin in the program they are linked into and pass on to
// glibc's own; elsewhere all counts stay at zero.
#ifndef FLEET_TOKEN_ALLOCATION_COUNT_H
#define FLEET_TOKEN_ALLOCATION_COUNT_H

#include <stdint.h>

/// The number of allocations that this thread has made.
uint64_t fleet_token_allocation_count(void);

/// The number of allocations that all threads have made.
uint64_t fleet_token_total_allocation_count(void);

/// The bytes that are allocated now, with malloc's own for each block.
uint64_t fleet_token_allocated_bytes(void);

#endif
