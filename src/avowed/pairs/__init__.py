"""Hinted pairs: records, rules, estimators."""
