"""Options and arguments that several commands share. Those that describe the reviews are in reviews_input."""

from typing import Annotated

import typer

MethodName = Annotated[
    str, typer.Option("--method", "-m", metavar="NAME", help="How papers are scored; `surpeer methods` lists the ways.")
]

HOW_MANY = "How many papers can be accepted: a number such as 12, or a share such as 25%."

Accept = Annotated[str, typer.Option(metavar="M|SHARE", help=HOW_MANY, show_default=False)]
AcceptOrNot = Annotated[
    str | None,
    typer.Option(
        metavar="M|SHARE", help=f"{HOW_MANY} Without it there is no cut, and nothing is proposed.", show_default=False
    ),
]
Certainty = Annotated[
    str, typer.Option(metavar="P", help="Propose to discuss papers whose side of the cut is less certain than this.")
]
