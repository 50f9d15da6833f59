"""HotCRP: reviews and form settings in, form settings and tags out."""
