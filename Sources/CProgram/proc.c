#ifdef __linux__
#include <stdlib.h>
#include <unistd.h>

// Before Dispatch starts: without the privilege to raise a thread's priority, it writes a line to standard error for each
// worker, which is no line of the service's log.
__attribute__((constructor)) static void silence_dispatch(void) { setenv("LIBDISPATCH_LOG", "NO", 0); }

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
