/// The commit that this was built from; empty if the build does not know it.
const char *fleet_token_revision(void);

/// Keeps Dispatch from writing to standard error.
///
/// Without the privilege to raise a thread's priority, it writes a line for each worker, which is no line of the service's log.
/// Call it once the arguments were read and before Dispatch starts a thread.
void fleet_token_silence_dispatch(void);
