#include "CRevision.h"

// In C, because a Swift module has no definitions on the command line.
const char *fleet_token_revision(void) { return FLEET_TOKEN_REVISION; }
