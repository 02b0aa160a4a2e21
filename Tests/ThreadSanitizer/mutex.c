// Shows ThreadSanitizer the order that Synchronization.Mutex makes where threads wait for each other.
//
// A lock that is free is taken by an atomic instruction in our own code, which is seen. One that is not is waited for in the
// Swift runtime, which is not built with ThreadSanitizer: what the thread before wrote would be reported as a race. With this
// in the program, both ends of the wait touch the lock atomically where it can be seen. It suppresses nothing.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

static void *runtime(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    if (!symbol) abort();
    return symbol;
}

// Synchronization._MutexHandle._lockSlow(UInt32)
SWIFT void lockSlow(uint32_t thread, SELF uint32_t *lock) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void lockSlow(uint32_t thread, SELF uint32_t *lock) {
    SWIFT void (*wait)(uint32_t, SELF uint32_t *) = runtime("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    wait(thread, lock);
    __atomic_load_n(lock, __ATOMIC_ACQUIRE);
}

// Synchronization._MutexHandle._unlockSlow()
SWIFT void unlockSlow(SELF uint32_t *lock) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void unlockSlow(SELF uint32_t *lock) {
    SWIFT void (*wake)(SELF uint32_t *) = runtime("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    __atomic_fetch_or(lock, 0, __ATOMIC_RELEASE);
    wake(lock);
}
