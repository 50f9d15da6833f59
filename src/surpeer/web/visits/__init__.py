"""Sessions of browsers. Backups leave them out: whoever has one is signed in."""
