"""People who sign in: chairs and observers with passwords, scripts with tokens; links, and limits on guessing them."""
