package dev.keelson.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Keeps docs/flags.md the same as the flags; {@code -Dkeelson.regenerate=true} writes it anew. */
class FlagsDocumentTest {

  private static final Path DOCUMENT = Path.of("docs", "flags.md");

  @Test
  void document_isUpToDate() throws IOException {
    String text = text();
    if (Boolean.getBoolean("keelson.regenerate")) {
      Files.createDirectories(DOCUMENT.toAbsolutePath().getParent());
      Files.writeString(DOCUMENT, text);
    }

    assertThat(DOCUMENT)
        .as("run: mvn test -Dtest=FlagsDocumentTest -Dkeelson.regenerate=true")
        .exists()
        .hasContent(text);
  }

  private static String text() {
    StringBuilder text =
        new StringBuilder(
            """
            # Flags

            This page is generated from the flags; a test fails when it is out of date. To regenerate it:

                mvn test -Dtest=FlagsDocumentTest -Dkeelson.regenerate=true

            Sources in order of precedence: the command line, the environment, the file that `--config` names, the
            default. The environment variable of a flag is its name in capitals with the prefix `KEELSON_`
            (`--secure-port` is `KEELSON_SECURE_PORT`); the key in the file is the name without dashes
            (`secure-port: 6443`). The file is flat YAML, or Java properties if its name ends in `.properties`. List values
            are separated by commas; on the command line the flag may also be repeated, and in YAML a sequence may be used.
            Durations are written as in Go: `300ms`, `90s`, `1h30m`.

            An unknown or malformed setting, or one in conflict with another, ends the process before anything is started:
            one line on standard error names it, and the exit code is 2. `--help` prints the flags, `--version` the version.
            """);
    for (FlagGroup group : new Flags().groups()) {
      text.append("\n## ").append(group.heading()).append("\n\n");
      text.append("| flag | value | default | meaning |\n|---|---|---|---|\n");
      for (Flag<?> flag : group.flags()) {
        text.append(
            "| `%s` | %s | %s | %s |\n"
                .formatted(
                    flag.dashed(),
                    flag.shape() == Flag.Shape.LIST ? flag.label() + ",…" : flag.label(),
                    flag.defaultText() == null ? "" : "`" + flag.defaultText() + "`",
                    flag.help()));
      }
    }
    return text.toString();
  }
}
