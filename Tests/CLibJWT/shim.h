// libjwt 1.x: one of the tests' independent verifiers.
#ifndef FLEET_TOKEN_CLIBJWT_SHIM_H
#define FLEET_TOKEN_CLIBJWT_SHIM_H

#include <jwt.h>

#endif
