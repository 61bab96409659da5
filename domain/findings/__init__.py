"""Findings: what a machine notices about an event, given who decides for whom at that moment."""

from __future__ import annotations

from domain.findings.finding import CODES, UNLAWFUL, Finding, Severity, in_order
from domain.findings.judging import findings_of, lawful, verdict_on
from domain.findings.silence import reading_used

__all__ = [
    "CODES",
    "UNLAWFUL",
    "Finding",
    "Severity",
    "findings_of",
    "in_order",
    "lawful",
    "reading_used",
    "verdict_on",
]
