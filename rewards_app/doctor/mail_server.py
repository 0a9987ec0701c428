"""What takes our mails: whether it lets us in, and takes those of our sender. It is sent none."""

import aiosmtplib

from rewards_app.core import refused_mail
from rewards_app.core.settings import Settings
from rewards_app.doctor.findings import Finding, fine, worth_knowing, wrong

SECONDS = 10
SIGN_IN_FIRST = 530
ELSEWHERE = "nobody@example.com"
"""Whoever may not send to others is told so at any address of another house."""
LONGEST_WORDS = 200


async def mail(chosen: Settings) -> Finding:
    """As far as a mail gets before it has a word in it."""
    if chosen.keeps_mail_in_outbox:
        return worth_knowing("SMTP_HOST is not set: mails stay in the data folder's outbox.")
    name = f"The mail server {chosen.smtp_host}:{chosen.smtp_port}"
    server = aiosmtplib.SMTP(
        hostname=chosen.smtp_host,
        port=chosen.smtp_port,
        username=chosen.smtp_username or None,
        password=chosen.smtp_password.get_secret_value() or None,
        start_tls=chosen.smtp_starttls,
        timeout=SECONDS,
    )
    try:
        await server.connect()
        await server.ehlo()
        await server.mail(chosen.sender_address)
        await _say_whom_it_is_for(server, chosen)
        await server.rset()
        await server.quit()
    except aiosmtplib.SMTPResponseException as refusal:
        return _refused(refusal, name, chosen.sender_address)
    except (aiosmtplib.SMTPException, OSError, ValueError) as failure:
        return _turned_away(failure, name)
    finally:
        server.close()
    return fine(f"{name} lets us in, and our sender.")


async def _say_whom_it_is_for(server: aiosmtplib.SMTP, chosen: Settings) -> None:
    """Postfix and Exim judge the sender only then. It may send, too, where nobody can answer it."""
    try:
        await server.rcpt(chosen.sender_address)
    except aiosmtplib.SMTPRecipientRefused:
        await server.rcpt(chosen.support_email)
    try:
        await server.rcpt(ELSEWHERE)
    except aiosmtplib.SMTPRecipientRefused as refusal:
        if refused_mail.is_of_no_relay(refusal.message):
            raise


def _refused(refusal: aiosmtplib.SMTPResponseException, name: str, sender: str) -> Finding:
    words = " ".join(refusal.message.split())
    said = f"({refusal.code}: {words[:LONGEST_WORDS]})"
    if refusal.code < refused_mail.FOR_NOW:
        return _turned_away(refusal, name)
    if refused_mail.passes(refusal.code, words):
        return worth_knowing(f"{name} says not now {said}: mails wait. Ask it again later.")
    if refusal.code == SIGN_IN_FIRST:
        return wrong(f"{name} wants more first {said}: see SMTP_USERNAME and SMTP_STARTTLS.")
    match refusal:
        case aiosmtplib.SMTPAuthenticationError():
            return wrong(f"{name} refuses SMTP_USERNAME and SMTP_PASSWORD.")
        case aiosmtplib.SMTPSenderRefused():
            return wrong(
                f"{name} refuses {sender}, the sender in MAIL_FROM {said}: set one that it sends"
                " mails of."
            )
        case aiosmtplib.SMTPRecipientRefused() if refused_mail.is_of_no_relay(words):
            return wrong(
                f"{name} takes no mail for other houses {said}: see SMTP_USERNAME, or have it"
                " send what this machine hands it."
            )
        case aiosmtplib.SMTPRecipientRefused() if refused_mail.is_nobodys(refusal.code, words):
            return wrong(f"{name} knows no {refusal.recipient}, our SUPPORT_EMAIL {said}.")
        case aiosmtplib.SMTPRecipientRefused():
            return wrong(
                f"{name} takes no mail of {sender}, the sender in MAIL_FROM {said}: set one that"
                " it sends mails of, and in SMTP_USERNAME who may send them."
            )
        case _:
            return _turned_away(refusal, name)


def _turned_away(failure: Exception, name: str) -> Finding:
    why = type(failure).__name__
    return wrong(f"{name} turns us away ({why}): check the SMTP settings.")
