/// The commit that this was built from; empty if the build does not know it.
const char *fleet_token_revision(void);

/// Releases the pages of the program's code and constants; on Linux, and elsewhere nothing.
///
/// The start parses arguments and YAML, reads keys and searches types. Half of the pages that it leaves mapped are never used
/// again. The kernel maps a page again when it is used, from its cache of the file.
void fleet_token_release_pages(void);

/// Keeps Dispatch from writing to standard error.
///
/// Without the privilege to raise a thread's priority, it writes a line for each worker, which is no line of the service's log.
/// Call it once the arguments were read and before Dispatch starts a thread.
void fleet_token_silence_dispatch(void);
