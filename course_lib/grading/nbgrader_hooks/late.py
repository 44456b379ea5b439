"""What late work loses, worked out anew whenever work is graded, feedback is made, or grades are exported."""

import math
from datetime import timedelta
from numbers import Real

from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bunch, Dict, Float, List, TraitError, validate

DAY = 24 * 3600


class LatePenalty(NbGraderPreprocessor):
    """min(at_most, per_day · ⌈days late⌉) of the points earned; named in nbgrader_config.py among the preprocessors.

    Late is what its timestamp.txt puts behind the due date in the gradebook; work that never had one is not. A time
    that the gradebook knows stays when the file is taken away, until another file says another.
    """

    per_day = Float(0.0, min=0, max=1, help="The share of the points that each started day costs.").tag(config=True)
    at_most = Float(1.0, min=0, max=1, help="The largest share that lateness costs.").tag(config=True)
    extensions = Dict(help="{problem set: {student: days}}: who may hand in later, and by how much.").tag(config=True)

    display_data_priority = List(help="What an exporter sets for all of its preprocessors; not used.").tag(config=True)

    @validate("extensions")
    def _in_days(self, proposal: Bunch) -> dict:
        """The extensions; raises TraitError for one that is no number of days."""
        for name, students in proposal.value.items():
            if not isinstance(students, dict):
                raise TraitError(f"c.LatePenalty.extensions must be {{student: days}} for {name}, got {students!r}")
            for student, days in students.items():
                if not isinstance(days, Real) or not 0 <= days < math.inf:
                    raise TraitError(
                        "c.LatePenalty.extensions must be numbers of days, finite and not negative, got "
                        f"{days!r} for {student} in {name}"
                    )
        return proposal.value

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            self.apply(gradebook, about["assignment"], about["student"])
        return nb, resources

    def apply(self, gradebook: Gradebook, assignment: str, student: str) -> None:
        """Write into the gradebook what a submission loses; without extensions for the set, those in it stay."""
        submission = gradebook.find_submission(assignment, student)
        if assignment in self.extensions:
            days = self.extensions[assignment].get(student)
            submission.extension = timedelta(days=days) if days else None
        share = self.share(submission.total_seconds_late)
        for notebook in submission.notebooks:
            notebook.late_submission_penalty = share * notebook.score or None
        gradebook.db.commit()

    def share(self, seconds_late: float) -> float:
        """The share of the points that is lost."""
        return min(self.at_most, self.per_day * math.ceil(seconds_late / DAY))
