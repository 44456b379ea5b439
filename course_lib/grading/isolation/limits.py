"""What a submission may use: written here, once; nbgrader_config.py names those that a course wants otherwise."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Raises ValueError for a limit that is no positive number, or a call that may take longer than a cell."""

    call_seconds: float = 5  # one call of a student's function by a test; seconds count as boundary/timelimit.py says
    cell_seconds: float = 30  # one cell that the student wrote
    notebook_seconds: float = 300  # everything of one submission together
    memory_mb: int = 4096  # all of the student's processes together
    processes: int = 128  # processes and threads
    files_mb: int = 256  # all files that the student writes, and the largest one
    output_kb: int = 1024  # what one cell may print or draw
    outputs_mb: int = 8  # what is kept of the outputs of all cells together
    answers_mb: int = 48  # what the student's kernel may answer in one test
    messages_mb: int = 256  # what messages that wait may add to the memory of nbgrader's own process
    grader_mb: int = 3072  # memory of the grader's kernel

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not isinstance(value, (int, float)) or not value > 0:
                raise ValueError(f"{name} must be a positive number, got {value!r}")
        if self.call_seconds > self.cell_seconds:
            raise ValueError(
                f"call_seconds must be at most cell_seconds ({self.cell_seconds}), got {self.call_seconds}"
            )
