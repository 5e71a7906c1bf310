package io.feedkit.spring.host.guide;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class GuideApplication {}
