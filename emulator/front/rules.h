/* What a graded step may say. Reads it as the preprocessor leaves it, and makes of it what all
 * builds compile. What could tell the builds apart, or leave the analysis of the checked one, is
 * refused: in the step's own text, which is that of the files beside its source and of what their
 * macros become in other headers. Line markers tell whose a line is. */
#pragma once
#include "../text/text.h"

struct step {
    const char *directory; /* of the step; its own headers are below it */
    const char *source;    /* its .cu file, as line markers name it */
    const char *tree;      /* the directory in which the emulator is */
    /* The text is one without the C++ library and mathematics (EMULATOR_NO_LIBRARY). */
    bool lean;
};

enum rules { KEPT, BROKEN, WANT_LIBRARY };

/* `out` gets what is compiled, `notes` lines for people (FILE:LINE: error: …, and notes of pragmas
 * that are left out because they could change how a part of the step is compiled), `flags` lines of
 * evidence: includes of the harness's headers. WANT_LIBRARY: the text is lean, and the step names
 * something of the library or includes a system header; what was written is then worth nothing. */
enum rules keep_rules(const struct step *step, const struct text *preprocessed, struct text *out,
                      struct text *notes, struct text *flags);
