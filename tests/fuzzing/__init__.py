"""Seeded fuzzing of the reader and the judge: ``python -m tests.fuzzing``."""
