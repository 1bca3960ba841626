package dev.keelson.config.source;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.kubernetes.KubernetesFlag;
import dev.keelson.config.kubernetes.KubernetesFlags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The help in the form of kube-apiserver's: groups of flags, each with its value and meaning. */
public final class HelpText {

  private static final int WIDTH = 110;
  private static final int LONGEST_INDENT = 48;

  private HelpText() {}

  private record Line(String name, String left, String meaning) {}

  /** The help text. */
  public static String of(List<FlagGroup> groups) {
    StringBuilder text =
        new StringBuilder(
            """
            A Kubernetes-compatible resource API server on etcd or a single SQLite file.

            Every flag can also be set by an environment variable (--secure-port is KEELSON_SECURE_PORT)
            or in a --config file (secure-port: 6443).

            Usage:
              keelson [flags]
              keelson controllers [flags]
              keelson scheduler [flags]
              keelson backup FILE [flags]
              keelson restore FILE [flags]
              keelson check [FILE] [flags]
              keelson copy --from STORE --to STORE [flags]
            """);
    append(text, groups);
    append(
        text,
        "Other kube-apiserver",
        new KubernetesFlags().all().stream().map(HelpText::line).toList());
    return text.toString();
  }

  /**
   * The help text of a command.
   *
   * @param command the word behind the name of the executable
   * @param purpose what it does, one sentence
   */
  public static String ofCommand(String command, String purpose, List<FlagGroup> groups) {
    return ofCommand(command, purpose, "--kubeconfig is KEELSON_KUBECONFIG", groups);
  }

  /** The same with an example of an environment variable. */
  public static String ofCommand(
      String command, String purpose, String variable, List<FlagGroup> groups) {
    StringBuilder text =
        new StringBuilder(
            """
            %s

            Every flag can also be set by an environment variable (%s).

            Usage:
              keelson %s [flags]
            """
                .formatted(purpose, variable, command));
    append(text, groups);
    return text.toString();
  }

  private static void append(StringBuilder text, List<FlagGroup> groups) {
    for (FlagGroup group : groups) {
      append(text, group.heading(), group.flags().stream().map(HelpText::line).toList());
    }
    append(
        text,
        "Global",
        List.of(
            new Line("help", "  -h, --help", "help for keelson"),
            new Line(
                "version",
                "      --version version[=true]",
                "--version, --version=raw prints version information and quits")));
  }

  private static Line line(Flag<?> flag) {
    StringBuilder left = new StringBuilder();
    left.append(flag.shorthand().isEmpty() ? "      " : "  " + flag.shorthand() + ", ");
    left.append(flag.dashed());
    if (flag.shape() != Flag.Shape.SWITCH) {
      left.append(' ').append(flag.label());
    }
    String standard = flag.defaultText();
    boolean shown = standard != null && !standard.equals("false");
    return new Line(
        flag.name(), left.toString(), flag.help() + (shown ? " (default " + standard + ")" : ""));
  }

  private static Line line(KubernetesFlag flag) {
    String type = flag.kind() == KubernetesFlag.Kind.BOOL ? "" : " " + flag.kind().word();
    String what = flag.state() == KubernetesFlag.State.REFUSED ? "refused: " : "";
    return new Line(flag.name(), "      " + flag.dashed() + type, what + flag.meaning());
  }

  private static void append(StringBuilder text, String heading, List<Line> lines) {
    text.append('\n').append(heading).append(" flags:\n\n");
    int longest = lines.stream().mapToInt(line -> line.left.length()).max().orElse(0);
    int indent = Math.min(longest + 3, LONGEST_INDENT);
    lines.stream()
        .sorted(Comparator.comparing(Line::name))
        .forEach(line -> append(text, line, indent));
  }

  private static void append(StringBuilder text, Line line, int indent) {
    text.append(line.left);
    text.repeat(' ', Math.max(3, indent - line.left.length()));
    boolean first = true;
    for (String part : wrapped(line.meaning, WIDTH - indent)) {
      if (!first) {
        text.repeat(' ', indent);
      }
      first = false;
      text.append(part).append('\n');
    }
  }

  private static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > width) {
      int space = rest.lastIndexOf(' ', width);
      if (space < 1) {
        break;
      }
      lines.add(rest.substring(0, space));
      rest = rest.substring(space + 1);
    }
    lines.add(rest);
    return lines;
  }
}
