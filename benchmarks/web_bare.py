"""A Django project with one view that inserts one row: what the database and the server can do at most.

    python benchmarks/web_bare.py PORT DATA [DATABASE_URL]

It runs on surpeer's own server (gunicorn, the same workers and threads), with the settings of surpeer's database.
"""

import os
import sys

PORT, DATA, *REST = sys.argv[1:] if __name__ == "__main__" else ("0", "")
if __name__ == "__main__":
    os.environ["SURPEER_DATA"] = DATA
    os.environ.pop("DATABASE_URL", None)
    if REST:
        os.environ["DATABASE_URL"] = REST[0]

from django.conf import settings  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402


def configure() -> None:
    from surpeer.web import settings as ours

    settings.configure(
        SECRET_KEY="bare",
        ALLOWED_HOSTS=["*"],
        DATABASES=ours.DATABASES,
        ROOT_URLCONF=__name__,
        MIDDLEWARE=[],
        INSTALLED_APPS=[],
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        USE_TZ=True,
    )


if __name__ == "__main__":
    configure()
    import django

    django.setup()

from django.db import connection, models  # noqa: E402


class Row(models.Model):
    """As wide as a submission."""

    paper = models.BigIntegerField()
    rating = models.PositiveSmallIntegerField()
    prediction = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "bare"


def insert(request: HttpRequest) -> HttpResponse:
    Row._default_manager.create(
        paper=request.POST["paper"], rating=request.POST["rating"], prediction=request.POST["prediction"]
    )
    return HttpResponse("stored", headers={"Content-Length": "6"})


def health(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


urlpatterns = [path("insert/", insert), path("health/", health)]


def main() -> None:
    from django.core.wsgi import get_wsgi_application

    from surpeer.web.server import Options, Server

    with connection.schema_editor() as editor:
        editor.create_model(Row)
    connection.close()
    application = get_wsgi_application()

    class Bare(Server):
        """The same server without the process beside it."""

        def load(self) -> object:
            return application

        def run(self) -> None:
            super(Server, self).run()

    Bare(Options(port=int(PORT)), lambda: None).run()


if __name__ == "__main__":
    main()
