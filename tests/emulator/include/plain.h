/* Nothing to rewrite: the compiler includes it. */
#ifndef PLAIN_H
#define PLAIN_H
enum { FROM_PLAIN = 7 };
#endif
