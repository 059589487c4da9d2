"""Not a test: a process that labels texts as fast as it can. Arguments: database, project, person, labels."""

from __future__ import annotations

import sys

from re2nn_core.store import open_store, record_label, texts_of

database, project, person, count = sys.argv[1:]
with open_store(database) as store:
    texts = texts_of(store, int(project))
    for number in range(int(count)):
        record_label(store, texts[number % len(texts)].id, f"{person}-{number}", person)
