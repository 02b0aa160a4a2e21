#include "CProgram.h"

#include <stdlib.h>

// Not in a constructor: it moves the environment, beside which a statically linked Swift finds the arguments.
void fleet_token_silence_dispatch(void) { setenv("LIBDISPATCH_LOG", "NO", 0); }

#ifdef __linux__
#include <unistd.h>

// Before all else: without /proc, the standard library has no arguments or crashes, and so does Dispatch when it counts
// its threads.
__attribute__((constructor)) static void require_proc(void) {
    static const char message[] = "Error: /proc is not mounted.\n";
    if (access("/proc/self/cmdline", R_OK) == 0) return;
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(1);
}
#endif
