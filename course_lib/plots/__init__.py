"""The lectures' figures, a file a lecture, and the curve of any training: functions that draw what a notebook computed.

All give a `picture.Picture`.
"""
