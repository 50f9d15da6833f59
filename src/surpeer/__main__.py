"""`python -m surpeer`."""

from surpeer.cli.main import main

main()
