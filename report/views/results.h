/* What came out of a grading. */
#pragma once

#include "lib/page.h"
#include "lib/rows.h"

/* What came out, in tables, of one submission, device, problem and input, or of each. Charts that
 * lie in the folder `drawn` are shown, which the page finds behind `address`; NULL: none. */
void put_group(struct page *page, const struct list *list, const char *drawn, const char *address);
void put_groups(struct page *page, const struct list *list, const char *drawn);

enum colour colour_of(const struct row *row); /* of its verdict */

void explain_times(struct page *page,
                   const struct list *list); /* of its tables; where it has any */
