package io.feedkit.examples.microblog.survival;

import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The accounts of a run, each of which writes and reads. All follow the stars, whose posts are pulled, and some of the
 * others, whose posts are pushed.
 */
final class Members {

    private static final int ALL = 12;
    private static final int STARS = 2;
    private static final int NEIGHBOURS = 3;
    private static final int CHANGED = 4;
    private static final int PAUSE_MILLIS = 400;

    /** @param token of the account's client */
    record Member(String id, String token) {}

    private final Calls calls;
    private final Ledger ledger;
    private final List<Member> all = new ArrayList<>();

    Members(Calls calls, Ledger ledger) {
        this.calls = calls;
        this.ledger = ledger;
    }

    void signUp(long seed, Random random) {
        String app = appToken(random);
        for (int i = 0; i < ALL; i++) {
            String name = "m" + seed + "_" + i + "_" + random.nextInt(1_000_000);
            Answer token = calls.post(
                    app,
                    "/api/v1/accounts",
                    Map.of(
                            "username",
                            name,
                            "email",
                            name + "@example.org",
                            "password",
                            "correct horse " + i,
                            "agreement",
                            true,
                            "locale",
                            "en"),
                    random);
            String access = token.json().path("access_token").asString();
            Answer account = calls.get(access, "/api/v1/accounts/verify_credentials", random);
            all.add(new Member(account.json().path("id").asString(), access));
        }
        for (int i = 0; i < ALL; i++) {
            for (int j = 0; j < STARS + NEIGHBOURS; j++) {
                Member author = all.get(j < STARS ? j : STARS + (i + j) % (ALL - STARS));
                if (!ledger.follows(all.get(i).id(), author.id())) {
                    change(all.get(i), author, true, random);
                }
            }
        }
    }

    private String appToken(Random random) {
        Answer app = calls.post(
                "",
                "/api/v1/apps",
                Map.of(
                        "client_name", "survival",
                        "redirect_uris", "urn:ietf:wg:oauth:2.0:oob",
                        "scopes", "read write follow"),
                random);
        Answer token = calls.post(
                "",
                "/oauth/token",
                Map.of(
                        "grant_type", "client_credentials",
                        "client_id", app.json().path("client_id").asString(),
                        "client_secret", app.json().path("client_secret").asString(),
                        "redirect_uri", "urn:ietf:wg:oauth:2.0:oob",
                        "scope", "read write follow"),
                random);
        return token.json().path("access_token").asString();
    }

    List<Member> all() {
        return all;
    }

    Member any(Random random) {
        return all.get(random.nextInt(all.size()));
    }

    /** Lets some members follow and unfollow an author whom they do not follow otherwise. */
    void changeFollows(Threads work, Random random) {
        while (work.goOn()) {
            int reader = random.nextInt(CHANGED);
            Member author = all.get(STARS + (reader + STARS + NEIGHBOURS) % (ALL - STARS));
            Member changing = all.get(reader);
            change(changing, author, !ledger.follows(changing.id(), author.id()), random);
            Rounds.moment(random, PAUSE_MILLIS);
        }
    }

    private void change(Member reader, Member author, boolean following, Random random) {
        Span span = ledger.changing(reader.id(), author.id(), following);
        String path = "/api/v1/accounts/" + author.id() + (following ? "/follow" : "/unfollow");
        Answer answer = calls.post(reader.token(), path, Map.of(), random);
        if (!answer.isOk() || answer.json().path("following").asBoolean() != following) {
            ledger.violated(path + " was answered " + answer);
        }
        span.end();
    }
}
