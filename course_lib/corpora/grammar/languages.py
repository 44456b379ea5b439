"""The languages of the grammar. A fourth one is a module with the same four functions, a column in the tables,
its function words, a line here: `linearise`, `detokenise`, `inventory` and `compound`."""

from course_lib.corpora.grammar import de, en, fr

LANGUAGES = {"en": en, "de": de, "fr": fr}
