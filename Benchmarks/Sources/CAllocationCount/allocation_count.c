#include "CAllocationCount.h"

#include <stdatomic.h>
#include <stddef.h>

#ifdef __linux__
#include <malloc.h>
#endif

static _Thread_local uint64_t count;
static _Atomic uint64_t total;

uint64_t fleet_token_allocation_count(void) { return count; }

uint64_t fleet_token_total_allocation_count(void) { return atomic_load_explicit(&total, memory_order_relaxed); }

uint64_t fleet_token_allocated_bytes(void) {
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

#ifdef __GLIBC__

static void note(void) {
    count++;
    atomic_fetch_add_explicit(&total, 1, memory_order_relaxed);
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    note();
    return __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    note();
    *result = __libc_memalign(alignment, size);
    return *result == NULL ? 12 /* ENOMEM */ : 0;
}

#endif
