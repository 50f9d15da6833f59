"""Settings of the Django project. What differs from one deployment to another is in `deployment`."""

import os
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF

from surpeer.web.deployment import MAIL_HOST, Deployment, mail_port

HERE = Path(__file__).resolve().parent
DEPLOYMENT = Deployment.from_environment()

SECRET_KEY = DEPLOYMENT.secret_key()
DEBUG = False
ALLOWED_HOSTS = DEPLOYMENT.hosts
ROOT_URLCONF = "surpeer.web.urls"
WSGI_APPLICATION = "surpeer.web.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "surpeer.web.accounts",
    "surpeer.web.venues",
    "surpeer.web.visits",
    "surpeer.web.reviews",
    "surpeer.web.results",
    "surpeer.web.audit",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "surpeer.web.privacy.PrivacyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [HERE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# The database. SQLite writes ahead and waits for the disk, so that what was answered with success is on it; a
# transaction takes the write lock at once, because taking it later can fail half-way.
_SQLITE = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": DEPLOYMENT.data / "surpeer.sqlite3",
    "OPTIONS": {
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
    },
}
_KEPT = 60  # seconds for which a connection is kept open between requests
# PostgreSQL plans a query that comes often once for each connection: planning takes it longer than answering.
_PREPARED = {"server_side_binding": True, "prepare_threshold": 5}


def _postgresql(address: str) -> dict[str, Any]:
    """The database of this address; options in it go before ours."""
    found: dict[str, Any] = dict(dj_database_url.parse(address, conn_max_age=_KEPT, conn_health_checks=True))
    return {**found, "OPTIONS": {**_PREPARED, **found.get("OPTIONS", {})}}


DATABASES: dict[str, Any] = {
    "default": _postgresql(DEPLOYMENT.database_url) if DEPLOYMENT.database_url else {**_SQLITE, "CONN_MAX_AGE": _KEPT}
}

# People.
AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
PASSWORD_RESET_TIMEOUT = 60 * 60 * 24

# Sessions, cookies and headers.
SESSION_ENGINE = "surpeer.web.visits.store"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 14
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = DEPLOYMENT.https
SECURE_REDIRECT_EXEMPT = [r"^health/$"]  # whatever watches the server asks it directly
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if DEPLOYMENT.https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = DEPLOYMENT.https
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # it asks for `preload`: committing a whole domain is not ours
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if DEPLOYMENT.https else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
MESSAGE_STORAGE = (
    "django.contrib.messages.storage.session.SessionStorage"  # in cookies, all requests would pay for them
)
CSRF_TRUSTED_ORIGINS = [DEPLOYMENT.public_url] if DEPLOYMENT.public_url else []
CSRF_FAILURE_VIEW = "surpeer.web.pages.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# What people may send.
MOST_UPLOADED = 20 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = MOST_UPLOADED + 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
DATA_UPLOAD_MAX_NUMBER_FILES = 1
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "surpeer.web.uploads.BoundedUpload",
]

# Files of the pages: named after their content, so that browsers may keep them for ever.
STATIC_URL = "static/"
STATICFILES_DIRS = [HERE / "static"]
STATIC_ROOT = DEPLOYMENT.data / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
MEDIA_ROOT = DEPLOYMENT.data / "uploads"

# Mail: by SMTP where the environment names a server, else each into a file.
EMAIL_HOST = os.environ.get(MAIL_HOST, "")
EMAIL_PORT = mail_port()
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_SSL = EMAIL_PORT == 465
EMAIL_USE_TLS = os.environ.get("EMAIL_USE_TLS", "1") == "1" and not EMAIL_USE_SSL
EMAIL_TIMEOUT = 30
EMAIL_BACKEND = f"{'django.core.mail.backends.smtp' if EMAIL_HOST else 'surpeer.web.mail_folder'}.EmailBackend"
EMAIL_FILE_PATH = DEPLOYMENT.data / "mail"
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "surpeer@localhost")

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {
        "without secrets": {"()": "surpeer.web.log_filter.WithoutSecrets"},
        "refusals in one line": {"()": "surpeer.web.log_filter.RefusalsInOneLine"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["without secrets", "refusals in one line"],
        }
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
