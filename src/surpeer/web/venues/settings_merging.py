"""Settings that are saved from a page which was opened before somebody else saved.

The form brings along what each field was when the page was opened (Django's hidden initials). Only what she changed
herself is written. Where somebody else changed the same field to something else meanwhile, nothing is written: the
page comes again with what she typed, what the field is now, and everything else as it is now.
"""

from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict

from surpeer.web.venues.scale_form import ScaleRows
from surpeer.web.venues.scales import Level, in_one_line

CLOCK = {"deadline", "time_zone"}
"""A time means nothing without its zone: who changes one of them has changed both."""
LOCAL_TIME = "%Y-%m-%dT%H:%M"
LONGEST_SHOWN = 300
KEPT = "What you typed stands here. Save again to put it in place of that."


def bring_along(form: forms.BaseForm) -> None:
    """Let the fields carry what they were when the page was opened; a script, and a page of an earlier version, does
    not say what that was."""
    for name, field in form.fields.items():
        field.show_hidden_initial = not form.is_bound or form.add_initial_prefix(name) in form.data


def touched(form: forms.BaseForm) -> set[str]:
    """The fields that she changed herself."""
    changed = set(form.changed_data)
    return changed | CLOCK if changed & CLOCK else changed


def overtaken(form: forms.BaseForm) -> dict[str, str]:
    """What to say at fields that she changed and somebody else changed, too, to something else."""
    hers = touched(form)
    found = [{name} for name in hers - CLOCK] + ([CLOCK] if hers & CLOCK else [])
    return {min(names): _meanwhile(_now(form, names)) for names in found if _both_changed(form, names)}


def _both_changed(form: forms.BaseForm, names: set[str]) -> bool:
    known = all(form.fields[name].show_hidden_initial for name in names)
    opened = any(_differs(form, name, form.add_initial_prefix(name)) for name in names)
    return known and opened and any(_differs(form, name, form.add_prefix(name)) for name in names)


def _differs(form: forms.BaseForm, name: str, sent_as: str) -> bool:
    """Whether what the browser sent is something else than what the field is now; line ends do not matter."""
    field, text = form.fields[name], form.data.get(sent_as)
    now = form.get_initial_for_field(field, name)
    if isinstance(now, str):
        return _plain(now) != _plain(text or "")
    return field.has_changed(now, text)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _now(form: forms.BaseForm, names: set[str]) -> str:
    """What the fields are now, as people read it."""
    return ", ".join(_shown(form, name) for name in sorted(names))


def _shown(form: forms.BaseForm, name: str) -> str:
    field = form.fields[name]
    value = form.get_initial_for_field(field, name)
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    choices: dict[Any, Any] = dict(getattr(field, "choices", ()))
    return str(choices.get(value, value))


def _meanwhile(now: str) -> str:
    if not now:
        return f"This was emptied after you opened the page. {KEPT}"
    if len(now) > LONGEST_SHOWN:
        return f"This was changed after you opened the page; open the settings in another tab to read it. {KEPT}"
    return f"This was changed after you opened the page, to: {now}. {KEPT}"


def show_both(form: forms.BaseForm) -> None:
    """Show what she typed where she changed something, what it is now elsewhere; to save again is to know both."""
    sent, hers = QueryDict(mutable=True), touched(form)
    sent.update(form.data)
    for name, field in form.fields.items():
        value = form.get_initial_for_field(field, name)
        now = f"{value:{LOCAL_TIME}}" if isinstance(value, datetime) else str("" if value is None else value)
        sent[form.add_initial_prefix(name)] = now
        if name not in hers:
            sent[form.add_prefix(name)] = now
    form.data = sent


def merged_scale(rows: ScaleRows, now: list[Level]) -> tuple[ScaleRows, list[Level] | None]:
    """The rows to show and the levels to save; None where something is wrong, which `errors` of the rows tells."""
    current = ScaleRows.from_levels(now)
    if rows.is_untouched:
        return current, now
    if rows.opened and rows.opened != current.opened and rows.rows != current.rows:
        rows.errors, rows.opened, rows.overtaken = [_meanwhile(in_one_line(now))], current.opened, True
        return rows, None
    return rows, rows.levels()
