"""Every annotation of course_lib is checked while the tests run; hypothesis has no deadline on a shared machine."""

import os

import hypothesis
from jaxtyping import install_import_hook

os.environ.setdefault("COURSE_FAST", "1")
install_import_hook("course_lib", "beartype.beartype")

hypothesis.settings.register_profile("course", deadline=None, print_blob=True, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("course")
