"""Which way mails go, for pages that speak of them: `{% mails_are_sent as sends %}`."""

from django import template

from surpeer.web.venues import mail_files

register = template.Library()
register.simple_tag(mail_files.mails_are_sent, name="mails_are_sent")
