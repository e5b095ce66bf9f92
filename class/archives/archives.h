/* Of what strangers hand in. */
#pragma once

/* Which step a loose file is, by its path in the submission or by its text: how (name or text) and
 * the steps that it may be, with blanks between; "" where it is none. */
const char *step_of_loose(const char *path, const char *text);
