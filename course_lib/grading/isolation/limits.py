"""What a submission may use, in seconds and bytes; each is set in nbgrader_config.py."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Raises ValueError for a limit that is not positive, or a call that may take longer than a cell."""

    call_seconds: float = 5  # one call of a student's function by a test
    cell_seconds: float = 30  # one cell that the student wrote
    notebook_seconds: float = 300  # everything of one submission together
    memory_bytes: int = 4 << 30  # all of the student's processes together
    processes: int = 128  # processes and threads
    file_bytes: int = 256 << 20  # all files that the student writes, and the largest one
    output_bytes: int = 1 << 20  # what one cell may print or draw
    message_bytes: int = 96 << 20  # one message from the student's kernel

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not value > 0:
                raise ValueError(f"{name} must be positive, got {value}")
        if self.call_seconds > self.cell_seconds:
            raise ValueError(
                f"call_seconds must be at most cell_seconds ({self.cell_seconds}), got {self.call_seconds}"
            )
