package io.feedkit.examples.springboot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. */
@SpringBootApplication
public class Magazine {

    public static void main(String[] args) {
        SpringApplication.run(Magazine.class, args);
    }
}
