// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Nothing to rewrite: the compiler includes it. */
#ifndef PLAIN_H
#define PLAIN_H
enum { FROM_PLAIN = 7 };
#endif
