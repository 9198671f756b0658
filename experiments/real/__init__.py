"""Judges of real evaluations, and the judge tables of a published lesson, held against the models of simstudy."""
