/* Views of grades, as report/views/views.h has views. */
#ifndef CLASS_VIEWS_H
#define CLASS_VIEWS_H

int view_assignment(int count, char **words); /* FILE [KEY] */
int view_rubric(int count, char **words);

/* RESULTS.jsonl, of the assignment that ENVIRON ASSIGNMENT names. */
int view_points(int count, char **words);
int view_export(int count, char **words);   /* FORMAT,... OUT before it */
int view_changes(int count, char **words);  /* FILE before it */
int view_feedback(int count, char **words); /* OUT before it */
int view_overview(int count, char **words);
int view_near_boundary(int count, char **words);

int view_private(int count, char **words);      /* SEED, of standard input */
int view_unmatched(int count, char **words);    /* PEOPLE.tsv */
int view_unsuccessful(int count, char **words); /* WANTED RESULTS.jsonl */

/* What is handed out: handout.c. */
int view_check_marks(int count, char **words);
int view_lines(int count, char **words);
int view_sheet(int count, char **words);
int view_starter(int count, char **words);
int view_story(int count, char **words);

/* What was handed in: archives.c. */
int view_judge_list(int count, char **words);
int view_which_step(int count, char **words);

int view_similar(int count, char **words);

#endif
