#include "CProgram.h"

// In C, because a definition on the command line compiles this file alone, and a Swift module has no such definitions.
const char *fleet_token_revision(void) { return FLEET_TOKEN_REVISION; }
