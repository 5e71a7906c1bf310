package io.feedkit.examples.microblog.account;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.feedkit.FollowPage;
import io.feedkit.examples.microblog.web.ApiException;
import io.feedkit.examples.microblog.web.PageBounds;
import io.feedkit.examples.microblog.web.PageLinks;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Accounts and follows. */
@RestController
@RequestMapping("/api/v1/accounts")
class AccountController {

    private static final int MAX_DISPLAY_NAME = 30;
    private static final int MAX_NOTE = 500;

    private final Accounts accounts;
    private final AccountViews views;
    private final Follows follows;

    AccountController(Accounts accounts, AccountViews views, Follows follows) {
        this.accounts = accounts;
        this.views = views;
        this.follows = follows;
    }

    record Profile(@Nullable String displayName, @Nullable String note) {}

    /** An account as its owner sees it. */
    record OwnAccount(@JsonUnwrapped AccountView account, Map<String, Object> source) {}

    private OwnAccount own(Account me) {
        return new OwnAccount(
                views.of(me), Map.of("privacy", "public", "sensitive", false, "note", me.note(), "fields", List.of()));
    }

    @GetMapping("/verify_credentials")
    OwnAccount me(Account me) {
        return own(me);
    }

    @PatchMapping("/update_credentials")
    OwnAccount update(Account me, @RequestBody Profile profile) {
        String displayName = Objects.requireNonNullElse(profile.displayName(), me.displayName());
        String note = Objects.requireNonNullElse(profile.note(), me.note());
        if (displayName.length() > MAX_DISPLAY_NAME) {
            throw ApiException.unprocessable("Display name is too long (maximum is 30 characters)");
        }
        if (note.length() > MAX_NOTE) {
            throw ApiException.unprocessable("Note is too long (maximum is 500 characters)");
        }
        return own(accounts.update(new Account(me.id(), me.username(), displayName, note, me.createdAt())));
    }

    @GetMapping("/{id}")
    AccountView account(@PathVariable long id) {
        return views.of(existing(id));
    }

    @GetMapping("/lookup")
    AccountView lookup(@RequestParam String acct) {
        return views.of(accounts.findByName(Names.local(acct)).orElseThrow(ApiException::notFound));
    }

    @GetMapping("/search")
    List<AccountView> search(Account me, @RequestParam String q, PageBounds bounds) {
        return views.of(accounts.search(Names.local(q), bounds.limit()));
    }

    @GetMapping("/relationships")
    List<Relationship> relationships(
            Account me,
            @RequestParam(name = "id[]", required = false) @Nullable List<Long> ids,
            @RequestParam(name = "id", required = false) @Nullable List<Long> plain) {
        List<Long> asked = ids != null ? ids : plain != null ? plain : List.of();
        if (asked.size() > PageBounds.MAX_LIMIT) {
            throw ApiException.unprocessable("At most 40 ids can be asked for");
        }
        return follows.relationships(
                me, asked.stream().distinct().map(String::valueOf).toList());
    }

    @PostMapping("/{id}/follow")
    Relationship follow(Account me, @PathVariable long id) {
        Account other = existing(id);
        follows.follow(me, other);
        return relationship(me, other);
    }

    @PostMapping("/{id}/unfollow")
    Relationship unfollow(Account me, @PathVariable long id) {
        Account other = existing(id);
        follows.unfollow(me, other);
        return relationship(me, other);
    }

    private Relationship relationship(Account me, Account other) {
        return follows.relationships(me, List.of(other.key())).get(0);
    }

    @GetMapping("/{id}/followers")
    ResponseEntity<List<AccountView>> followers(@PathVariable long id, PageBounds bounds, HttpServletRequest request) {
        return page(follows.followers(existing(id), after(bounds), bounds.limit()), request);
    }

    @GetMapping("/{id}/following")
    ResponseEntity<List<AccountView>> following(@PathVariable long id, PageBounds bounds, HttpServletRequest request) {
        return page(follows.following(existing(id), after(bounds), bounds.limit()), request);
    }

    /** Clients send back what {@code Link} says: here, the last id of the page before. */
    private static Optional<String> after(PageBounds bounds) {
        return bounds.maxId().isPresent()
                ? Optional.of(Long.toString(bounds.maxId().getAsLong()))
                : Optional.empty();
    }

    private ResponseEntity<List<AccountView>> page(FollowPage page, HttpServletRequest request) {
        Map<String, AccountView> found = views.byKeys(new LinkedHashSet<>(page.ids()));
        List<AccountView> shown =
                page.ids().stream().map(found::get).filter(Objects::nonNull).toList();
        return ResponseEntity.ok()
                .headers(PageLinks.of(request, page.next(), Optional.empty()))
                .body(shown);
    }

    private Account existing(long id) {
        return accounts.find(id).orElseThrow(ApiException::notFound);
    }
}
