package io.feedkit.examples.microblog.oauth;

import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.Accounts;
import io.feedkit.examples.microblog.web.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Opens accounts for apps, and logs them in. No mail is sent. */
@RestController
class SignUpController {

    private static final Pattern USERNAME = Pattern.compile("[A-Za-z0-9_]{1,30}");
    private static final Pattern EMAIL = Pattern.compile("[^@\\s]{1,100}@[^@\\s]{1,90}");
    private static final int MIN_PASSWORD = 8;
    private static final int MAX_PASSWORD_BYTES = 72; // bcrypt reads no more

    private final Accounts accounts;
    private final Tokens tokens;

    SignUpController(Accounts accounts, Tokens tokens) {
        this.accounts = accounts;
        this.tokens = tokens;
    }

    record SignUp(
            @Nullable String username,
            @Nullable String email,
            @Nullable String password,
            @Nullable Boolean agreement) {}

    @PostMapping("/api/v1/accounts")
    TokenAnswer signUp(@RequestBody SignUp wanted) {
        TokenHolder app = CurrentAccount.holder().orElseThrow(ApiException::unauthorized);
        if (!Scopes.permit(app.scopes(), false, "/api/v1/accounts")) {
            throw ApiException.of(HttpStatus.FORBIDDEN, "This action is outside the authorized scopes");
        }
        String username = Objects.requireNonNullElse(wanted.username(), "");
        String email = Objects.requireNonNullElse(wanted.email(), "");
        String password = Objects.requireNonNullElse(wanted.password(), "");
        require(USERNAME.matcher(username).matches(), "Username must contain only letters, numbers and underscores");
        require(EMAIL.matcher(email).matches(), "Email must be a valid e-mail address");
        require(password.length() >= MIN_PASSWORD, "Password is too short (minimum is 8 characters)");
        require(
                password.getBytes(StandardCharsets.UTF_8).length <= MAX_PASSWORD_BYTES,
                "Password is too long (maximum is 72 bytes)");
        require(Boolean.TRUE.equals(wanted.agreement()), "Agreement must be accepted");
        Account account = accounts.create(username, email, username, password, "");
        return tokens.issue(app.clientId(), Optional.of(account.id()), app.scopes());
    }

    private static void require(boolean condition, String reason) {
        if (!condition) {
            throw ApiException.unprocessable(reason);
        }
    }
}
