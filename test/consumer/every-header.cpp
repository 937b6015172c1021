// Fails to compile where an installed header needs a file that is not
// installed.
#include "every-header.inc"
