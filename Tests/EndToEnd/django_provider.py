"""Django OAuth Toolkit as an OpenID Connect provider: PORT CERTIFICATE KEY DATABASE."""

import ssl
import sys
import wsgiref.simple_server

import django
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings

port, certificate, key, database = sys.argv[1:]
signing = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)
settings.configure(
    SECRET_KEY="a test's",
    ALLOWED_HOSTS=["localhost"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"],
    MIDDLEWARE=[
        # Sets Content-Length: Python's TLS ends without saying so, and an answer's end would be anybody's guess.
        "django.middleware.common.CommonMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": database}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    SECURE_PROXY_SSL_HEADER=("wsgi.url_scheme", "https"),
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True, "OIDC_RSA_PRIVATE_KEY": signing.decode(), "OIDC_ISS_ENDPOINT": f"https://localhost:{port}/o",
        "PKCE_REQUIRED": False, "SCOPES": {"openid": "Sign in"},
    },
)  # fmt: skip
django.setup()

from django.contrib.auth import get_user_model, login  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.models import get_application_model  # noqa: E402


def sign_in(request):
    login(request, get_user_model().objects.get(username="driver"))
    return HttpResponse("in")


urlpatterns = [path("login", sign_in), path("o/", include("oauth2_provider.urls", namespace="oauth2_provider"))]

call_command("migrate", verbosity=0)
user = get_user_model().objects.create_user("driver")
get_application_model().objects.create(
    client_id="app", client_secret="secret", user=user, client_type="confidential", algorithm="RS256",
    authorization_grant_type="authorization-code", redirect_uris="https://app.example/", skip_authorization=True,
)  # fmt: skip
server = wsgiref.simple_server.make_server("127.0.0.1", int(port), get_wsgi_application())
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
server.base_environ["HTTPS"] = "on"
print("ready", flush=True)
server.serve_forever()
