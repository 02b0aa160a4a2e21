/// The commit that this was built from; empty if the build does not know it.
const char *fleet_token_revision(void);
