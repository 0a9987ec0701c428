"""Measurements, ours beside a blank Reflex app in one run; they report and never assert."""
