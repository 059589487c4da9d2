"""What pages share: state, store, messages, labels, the bar. Streamlit lives here and in the pages alone."""
