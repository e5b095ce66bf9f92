/* What came out of a grading. */
#pragma once

#include "lib/page.h"
#include "lib/rows.h"

/* Charts that lie in a folder, which the page finds behind `address`; only those of these names,
 * unless that is NULL. */
struct pictures {
    const char *folder, *address, *names;
};

/* What came out, in tables, of one submission, device, problem and input, or of each; pictures may
 * be NULL. */
void put_group(struct page *page, const struct list *list, const struct pictures *pictures);
void put_groups(struct page *page, const struct list *list, const struct pictures *pictures);

void explain_times(struct page *page,
                   const struct list *list); /* of its tables; where it has any */
