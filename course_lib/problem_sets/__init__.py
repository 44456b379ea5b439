"""The problem sets: a package each, a module a task. The engine that runs them is course_lib.grading."""
