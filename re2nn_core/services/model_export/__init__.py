"""Trained models for programs that are not this one."""
