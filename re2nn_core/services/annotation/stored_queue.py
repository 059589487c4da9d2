"""The queue as the store has it, for pages that show it as it is."""

from re2nn_core.store import count_queue, get_queue, queue_texts, waiting_for
from re2nn_core.store.queue.opening import MOST_OVERLAP

__all__ = ["MOST_OVERLAP", "count_queue", "get_queue", "queue_texts", "waiting_for"]
