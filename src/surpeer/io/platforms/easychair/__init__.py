"""EasyChair: the conference data."""
