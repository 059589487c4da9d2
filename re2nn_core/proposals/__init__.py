"""Rules proposed from labelled texts: phrases, what each would fix and break out-of-fold, and the few worth a rule.
What people see of it, and how rules are written into a project, is in services/rule_writing."""
