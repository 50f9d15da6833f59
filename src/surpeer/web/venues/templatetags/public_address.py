"""Whether links open elsewhere, for pages that hand them out: `{% links_open_only_here as start %}`."""

from django import template
from django.template import RequestContext

from surpeer.web.address import only_here

register = template.Library()


@register.simple_tag(takes_context=True)
def links_open_only_here(context: RequestContext) -> str:
    """How the links begin, if they open on this computer alone; else empty."""
    return only_here(context["request"])
