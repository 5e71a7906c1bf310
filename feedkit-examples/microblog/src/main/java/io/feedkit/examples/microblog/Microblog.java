package io.feedkit.examples.microblog;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;
import picocli.CommandLine;

/** The application. */
@SpringBootApplication
@EnableScheduling
public class Microblog {

    public static void main(String[] args) {
        int code = new CommandLine(new Start())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args);
        if (code != 0) {
            System.exit(code);
        }
    }
}
