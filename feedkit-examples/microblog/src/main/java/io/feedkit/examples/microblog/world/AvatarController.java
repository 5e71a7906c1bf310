package io.feedkit.examples.microblog.world;

import java.time.Duration;
import java.util.Locale;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** Draws a picture for each account: its first letter on colours that follow from its name. */
@RestController
class AvatarController {

    private static final MediaType SVG = MediaType.valueOf("image/svg+xml");
    private static final int HUES = 360;

    @GetMapping("/avatars/{name}.svg")
    ResponseEntity<String> avatar(@PathVariable String name) {
        int hue = Math.floorMod(name.hashCode() * 31, HUES);
        String letter = name.isEmpty() ? "" : name.substring(0, 1).toUpperCase(Locale.ROOT);
        String svg = """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><defs><linearGradient id="g" x2="1" y2="1">\
                <stop stop-color="hsl(%d 65%% 48%%)"/><stop offset="1" stop-color="hsl(%d 70%% 32%%)"/></linearGradient>\
                </defs><rect width="120" height="120" fill="url(#g)"/><circle cx="%d" cy="96" r="52" fill="#fff" \
                opacity=".12"/><text x="60" y="79" font-family="system-ui,sans-serif" font-size="56" font-weight="600" \
                fill="#fff" text-anchor="middle">%s</text></svg>""".formatted(hue, (hue + 50) % HUES, hue % 120, HtmlUtils.htmlEscape(letter));
        return ResponseEntity.ok()
                .contentType(SVG)
                .cacheControl(CacheControl.maxAge(Duration.ofDays(1)).cachePublic())
                .body(svg);
    }
}
