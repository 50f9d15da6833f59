"""What the server calls."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surpeer.web.settings")
application = get_wsgi_application()
