/* The compiler's complaint about a file that is no C++ shows what is in it: to whom, on whose
 * machine? */
#include "/etc/passwd"
