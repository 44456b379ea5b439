"""The languages of the grammar. A fourth one is a module with the same five functions, a column in the tables,
its function words, a line here: `linearise`, `detokenise`, `inventory`, `compound` and `regular`."""

from course_lib.corpora.grammar import de, en, fr

LANGUAGES = {"en": en, "de": de, "fr": fr}
