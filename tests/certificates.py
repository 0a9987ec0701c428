"""Certificates that servers of tests make themselves: trusted by whom a test has trust them."""

import ssl
import subprocess
from pathlib import Path

OF_THIS_MACHINE = ("-addext", "subjectAltName=IP:127.0.0.1")
OF_ANOTHER = ("-addext", "subjectAltName=DNS:elsewhere.example.com")
NAME = "fullchain.pem"


def signed_by_itself(folder: Path, *more: str) -> ssl.SSLContext:
    """What a server shows with it; the certificate lies in the folder, for who is to trust it."""
    key, certificate = folder / "privkey.pem", folder / NAME
    asked = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x", *more)
    subprocess.run(
        [*asked, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return context
