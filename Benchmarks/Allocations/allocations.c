// Counts the heap allocations of a program that is started with this library in LD_PRELOAD.
//
// The counts are in the file that ALLOCATIONS names, which another process reads while the program runs. With
// ALLOCATION_STACKS, another file gets the stack of each allocation, as far as functions keep frame pointers.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

enum { FRAMES = 30, STACKS = 400000 };

struct counts {
    _Atomic uint64_t count, bytes;
};

// The layout of the files; allocations.py reads them.
static struct page {
    struct counts own, libcrypto;
} *page;

static struct stacks {
    _Atomic uint64_t next;
    struct {
        uint64_t bytes, frames[FRAMES];
    } stacks[STACKS];
} *stacks;

static uintptr_t libcrypto_start, libcrypto_end;

static int find_libcrypto(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    if (!strstr(object->dlpi_name, "libcrypto")) return 0;
    libcrypto_start = object->dlpi_addr;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t end = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr + object->dlpi_phdr[i].p_memsz;
        if (object->dlpi_phdr[i].p_type == PT_LOAD && end > libcrypto_end) libcrypto_end = end;
    }
    return 1;
}

static void *map(const char *variable, size_t size) {
    const char *path = getenv(variable);
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return NULL;
    void *memory = ftruncate(file, size) ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

__attribute__((constructor)) static void start(void) {
    dl_iterate_phdr(find_libcrypto, NULL);
    stacks = map("ALLOCATION_STACKS", sizeof *stacks);
    page = map("ALLOCATIONS", sizeof *page);
}

static void record_stack(size_t size) {
    static _Thread_local uintptr_t end;
    if (!end) {
        end = 1;  // Asking for the stack allocates.
        pthread_attr_t attributes;
        void *start;
        size_t length;
        if (pthread_getattr_np(pthread_self(), &attributes)) return;
        pthread_attr_getstack(&attributes, &start, &length);
        pthread_attr_destroy(&attributes);
        end = (uintptr_t)start + length;
    }
    uint64_t index = atomic_fetch_add(&stacks->next, 1);
    if (index >= STACKS) return;
    stacks->stacks[index].bytes = size;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0), last = 0;
    for (int i = 0; i < FRAMES && frame > last && frame + 16 <= end && frame % 8 == 0; i++) {
        last = frame;
        stacks->stacks[index].frames[i] = ((uintptr_t *)frame)[1];
        // Swift marks the frames of asynchronous functions in this bit.
        frame = ((uintptr_t *)frame)[0] & ~(1ULL << 60);
    }
}

static inline __attribute__((always_inline)) void record(size_t size) {
    if (!page) return;
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    int is_libcrypto = caller >= libcrypto_start && caller < libcrypto_end;
    struct counts *counts = is_libcrypto ? &page->libcrypto : &page->own;
    atomic_fetch_add_explicit(&counts->count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&counts->bytes, size, memory_order_relaxed);
    if (stacks && !is_libcrypto) record_stack(size);
}

void *malloc(size_t size) {
    record(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    record(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    record(size);
    return __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    record(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    record(size);
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}
