// The system's hiredis, the C client for Redis. Only TokenService/Redis imports it, for its parser.
#ifndef FLEET_TOKEN_CHIREDIS_SHIM_H
#define FLEET_TOKEN_CHIREDIS_SHIM_H

#include <hiredis/hiredis.h>

#endif
