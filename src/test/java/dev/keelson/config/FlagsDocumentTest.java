package dev.keelson.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.config.component.ComponentFlags;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.kubernetes.KubernetesFlag;
import dev.keelson.config.kubernetes.KubernetesFlags;
import dev.keelson.config.option.ComponentOptions.Component;
import dev.keelson.config.option.ToolOptions.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
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

  @Test
  void testsOfLimits_exist() throws IOException {
    assertThat(LimitsTable.missing()).isEmpty();
  }

  private static String text() throws IOException {
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

            The command line is read as kube-apiserver reads its own: `--v=4` or `--v 4`, switches with a value
            only behind an equals sign, `_` for `-` in names, `-v` and `-h` as short forms; of several values the last one counts.

            An unknown or malformed setting, or one in conflict with another, ends the process before anything is started:
            one line on standard error names it, and the exit code is 1. `--help` prints the flags, `--version` the version.
            """);
    append(text, "##", new Flags().groups());
    for (Component component : Component.values()) {
      text.append(
          """

          ## keelson %s

          The flags of the command, in place of those above; [controllers.md](controllers.md) says when to use it.
          """
              .formatted(component.command()));
      append(text, "###", new ComponentFlags(component).groups());
    }
    for (Tool tool : Tool.values()) {
      text.append(
          """

          ## keelson %s

          The flags of the command, in place of those above; [backup.md](backup.md) says when to use it.
          """
              .formatted(tool.command()));
      append(text, "###", new ToolFlags(tool).groups());
    }
    return text.append(LimitsTable.text()).append(kubernetes()).toString();
  }

  private static void append(StringBuilder text, String level, List<FlagGroup> groups) {
    for (FlagGroup group : groups) {
      text.append("\n").append(level).append(' ').append(group.heading()).append("\n\n");
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
  }

  /** The flags of kube-apiserver, in its alphabetical order. */
  private static String kubernetes() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    for (Flag<?> flag : new Flags().all()) {
      rows.put(flag.name(), row(flag.name(), "works", "as above"));
    }
    rows.keySet().retainAll(KubernetesFlagsTest.names());
    rows.put("help", row("help", "works", "prints the flags; `-h`"));
    rows.put("version", row("version", "works", "prints the version; `raw` prints all its fields"));
    for (KubernetesFlag flag : new KubernetesFlags().all()) {
      boolean refused = flag.state() == KubernetesFlag.State.REFUSED;
      String silent =
          flag.neutral().stream()
              .filter(value -> !value.isEmpty())
              .map(value -> "`" + value + "`")
              .collect(Collectors.joining(", "));
      rows.put(
          flag.name(),
          row(
              flag.name(),
              refused ? "refused" : "accepted",
              flag.meaning() + (silent.isEmpty() ? "" : ". Without a warning: " + silent)));
    }
    return """

    ## The flags of kube-apiserver 1.36

    A command line of kube-apiserver starts Keelson: each of its flags works, or is accepted with a warning on standard
    error that says what it means here, or is refused with the reason. A flag that says what is the case here anyhow is
    accepted without a word. Where defaults differ (`--bind-address`, `--cert-dir`, `--storage-media-type`), the tables
    above have those of Keelson.

    | flag | state | since | meaning here |
    |---|---|---|---|
    """
        + String.join("", rows.values());
  }

  private static String row(String name, String state, String meaning) {
    return "| `--%s` | %s | 0.1 | %s |\n".formatted(name, state, meaning.replace("|", "\\|"));
  }
}
