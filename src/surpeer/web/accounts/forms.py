"""What people with accounts fill in."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.core.exceptions import ValidationError
from django.utils.safestring import SafeString

from surpeer.web.accounts.mail_addresses import AddressField
from surpeer.web.accounts.models import ApiToken, Role, User

PASSWORD = forms.PasswordInput(attrs={"autocomplete": "new-password"})
TAKEN = "There is an account with this address. Sign in with it first, then open the link again."
DAYS = "Expected a number of days from 1 to 366."


class SignInForm(AuthenticationForm):
    """Django's own, by e-mail address."""

    username = AddressField(label="E-mail address", widget=forms.EmailInput(attrs={"autocomplete": "username"}))
    error_messages = {  # noqa: RUF012 - Django's
        "invalid_login": "The address and the password do not belong together. Mind capitals in the password.",
        "inactive": "This account is switched off.",
    }


class ForgottenForm(PasswordResetForm):
    """Django's own, in our words. A mail that fails is logged; the page does not tell whether there is an account."""

    email = AddressField(
        label="E-mail address", max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class JoinForm(forms.Form):
    """A new account, by an invitation."""

    name = forms.CharField(label="Your name", max_length=200, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    email = AddressField(label="E-mail address", widget=forms.EmailInput(attrs={"autocomplete": "username"}))
    password = forms.CharField(label="Password", strip=False, widget=PASSWORD)
    again = forms.CharField(label="Password again", strip=False, widget=PASSWORD)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = rules_for_passwords()

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        if User.objects.filter(email=email).exists():
            raise ValidationError(TAKEN)
        return email

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        password, again = given.get("password"), given.get("again")
        if password and again and password != again:
            self.add_error("again", "The two passwords are not the same.")
        if password:
            try:
                validate_password(password, User(email=given.get("email", ""), name=given.get("name", "")))
            except ValidationError as error:
                self.add_error("password", error)
        return given


class NameForm(forms.ModelForm):  # type: ignore[type-arg] # Django's own takes no parameter
    """How others see one."""

    class Meta:
        model = User
        fields = ("name",)


class TokenForm(forms.ModelForm):  # type: ignore[type-arg] # Django's own takes no parameter
    """A token for a script."""

    days = forms.IntegerField(
        label="Days until it expires",
        min_value=1,
        max_value=366,
        initial=90,
        error_messages=dict.fromkeys(("min_value", "max_value", "invalid"), DAYS),
    )

    class Meta:
        model = ApiToken
        fields = ("name",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "token_%s", **kwargs})  # the other form on the page has a name, too


class MemberForm(forms.Form):
    """Somebody who is to run or to watch a venue."""

    email = AddressField(label="E-mail address")
    role = forms.ChoiceField(label="Role", choices=Role.choices, initial=Role.OBSERVER)


def rules_for_passwords() -> SafeString:
    """What passwords must be like, as a list."""
    return SafeString(password_validators_help_text_html())
