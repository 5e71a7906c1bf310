package io.feedkit.examples.microblog.announcement;

import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.web.ApiException;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Announcements of an account. */
@RestController
@RequestMapping("/api/v1/announcements")
class AnnouncementController {

    private final Bulletins bulletins;

    AnnouncementController(Bulletins bulletins) {
        this.bulletins = bulletins;
    }

    @GetMapping
    List<AnnouncementView> list(Account me) {
        return bulletins.list(me);
    }

    @PostMapping("/{id}/dismiss")
    Map<String, Object> dismiss(Account me, @PathVariable long id) {
        if (!bulletins.dismiss(me, id)) {
            throw ApiException.notFound();
        }
        return Map.of();
    }
}
