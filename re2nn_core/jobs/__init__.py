"""Long work in processes of its own: launched, watched, cancelled, found again after a restart."""

from re2nn_core.jobs.launch import launch
from re2nn_core.jobs.recover import recover
from re2nn_core.jobs.report import Report, seconds_since_step

__all__ = ["Report", "launch", "recover", "seconds_since_step"]
