/* When the compiler complains about a file that is not C++, it shows what the file contains. */
#include "/etc/passwd"
