"""What templates of this app can do beyond Django's own."""
