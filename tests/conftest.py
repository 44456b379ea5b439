"""The shapes of every module that states them are checked while the tests run; hypothesis has no deadline here."""

import os
from pathlib import Path

import hypothesis
from jaxtyping import install_import_hook

ROOT = Path(__file__).parent.parent
os.environ.setdefault("COURSE_FAST", "1")

shaped = [path for path in (ROOT / "course_lib").rglob("*.py") if "from jaxtyping import" in path.read_text()]
install_import_hook([".".join(path.relative_to(ROOT).with_suffix("").parts) for path in shaped], "beartype.beartype")

hypothesis.settings.register_profile("course", deadline=None, print_blob=True, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("course")
