"""The examples in the documents, taken from matches played by the rules."""
