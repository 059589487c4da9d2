"""Rules for slots proposed from annotated spans: values, contexts, what each would fix and break out-of-fold."""
