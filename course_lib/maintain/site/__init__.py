"""`make site`: the course as pages of HTML that need no Python and no network, in dist/site/.

__main__.py  the command; make.py: the whole of it
executed.py  a lecture with its outputs, kept until something changes
pages.py     a notebook as a page, by template/; prose.py: its Markdown; places.py: where its links lead
elsewhere.py links to Colab and Binder
search.py    the index of all sections
katex.py     what draws formulas, from npm; assets/ holds it, the pages' style and their scripts
"""
