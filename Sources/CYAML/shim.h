// The system's libyaml. Only the ServiceSupport module imports it.
#ifndef FLEET_TOKEN_CYAML_SHIM_H
#define FLEET_TOKEN_CYAML_SHIM_H

#include <yaml.h>

#endif
