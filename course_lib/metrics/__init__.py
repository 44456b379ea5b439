"""How good a translation is.

truth/    a judge that knows the meaning: computed adequacy and fluency
"""
