"""`make site`: the course as pages of HTML that need no Python and no network, in dist/site/.

__main__.py  the command; make.py: the whole of it
executed.py  a lecture with its outputs, kept until something changes
pages.py     a notebook as a page, by template/; prose.py: its Markdown; places.py: where its links lead
start.md     what the start page says of how it works; elsewhere.py: how to get the course, Colab and Binder
search.py    the index of all sections; words.py: their words, with formulas as they are read
katex.py     what draws formulas, from npm; assets/ holds it, the pages' style and their scripts
"""
