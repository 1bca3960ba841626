package dev.keelson.config.source;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Suggestion;
import dev.keelson.config.kubernetes.KubernetesFlag;
import dev.keelson.config.kubernetes.KubernetesFlags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Parses the command line as package pflag of Go does for kube-apiserver: {@code --flag=value} or
 * {@code --flag value}; a switch has a value only behind an equals sign; {@code _} in a name is
 * {@code -}; {@code -v} and {@code -h} are short forms. Values stay texts, since those of all
 * sources are parsed in one place.
 */
public final class CommandLineArguments {

  private static final String HELP = "help";
  private static final String VERSION = "version";

  private final Map<String, Flag<?>> flags = new HashMap<>();
  private @Nullable KubernetesFlags kubernetes;

  /** How many arguments may be no flags. */
  private int operands;

  public CommandLineArguments(List<FlagGroup> groups) {
    groups.forEach(group -> group.flags().forEach(flag -> flags.put(flag.name(), flag)));
  }

  /** The command line of a command whose flags are no other than these. */
  public static CommandLineArguments ofCommand(List<FlagGroup> groups) {
    CommandLineArguments arguments = new CommandLineArguments(groups);
    arguments.kubernetes = KubernetesFlags.none();
    return arguments;
  }

  /** The same with up to {@code operands} arguments that are no flags, among the flags. */
  public static CommandLineArguments ofCommand(List<FlagGroup> groups, int operands) {
    CommandLineArguments arguments = ofCommand(groups);
    arguments.operands = operands;
    return arguments;
  }

  /** The parsed command line. */
  public sealed interface Parsed {
    /** A request for help. */
    record Help() implements Parsed {}

    /**
     * A request for the version.
     *
     * @param raw whether all fields of the version are wanted
     */
    record Version(boolean raw) implements Parsed {}

    /**
     * Values of flags by name, unparsed.
     *
     * @param texts of Keelson's flags
     * @param others of flags that only kube-apiserver has, in the order of the command line
     * @param operands the arguments that are no flags
     */
    record Given(
        Map<String, List<String>> texts, Map<String, List<String>> others, List<String> operands)
        implements Parsed {}
  }

  /**
   * Parses the command line.
   *
   * @throws FlagException for an unknown flag or a missing value
   */
  public Parsed parse(List<String> arguments) {
    Map<String, List<String>> texts = new HashMap<>();
    Map<String, List<String>> others = new LinkedHashMap<>();
    List<String> plain = new ArrayList<>();
    Iterator<String> rest = arguments.iterator();
    while (rest.hasNext()) {
      String text = rest.next();
      if (plain.size() < operands && !text.startsWith("-")) {
        plain.add(text);
        continue;
      }
      Argument argument = argument(text);
      if (argument.name.equals(HELP)) {
        return new Parsed.Help();
      }
      boolean own = argument.name.equals(VERSION) || flags.containsKey(argument.name);
      (own ? texts : others)
          .computeIfAbsent(argument.name, name -> new ArrayList<>())
          .add(value(argument, rest));
    }
    List<String> versions = texts.remove(VERSION);
    if (versions != null) {
      Parsed wanted = version(versions.getLast());
      if (wanted != null) {
        return wanted;
      }
    }
    return new Parsed.Given(texts, others, List.copyOf(plain));
  }

  /**
   * One argument.
   *
   * @param shown the flag as errors show it
   * @param value what is behind the equals sign; null if there is none
   */
  private record Argument(String name, String shown, @Nullable String value) {}

  private Argument argument(String text) {
    if (text.length() < 2 || text.charAt(0) != '-') {
      throw new FlagException("unexpected argument \"" + text + "\": flags begin with --");
    }
    if (text.charAt(1) != '-') {
      return shortForm(text);
    }
    int equals = text.indexOf('=');
    String given = text.substring(2, equals < 0 ? text.length() : equals);
    if (given.isEmpty() || given.charAt(0) == '-') {
      throw new FlagException("bad flag syntax: " + text);
    }
    String name = given.replace('_', '-');
    if (!name.equals(HELP) && !name.equals(VERSION) && !isKnown(name)) {
      throw new FlagException(
          "unknown flag: --" + given + Suggestion.among(dashedNames(), "--" + name));
    }
    return new Argument(name, "--" + name, equals < 0 ? null : text.substring(equals + 1));
  }

  /** {@code -v4}, {@code -v=4} or {@code -v}, and {@code -h}. */
  private Argument shortForm(String text) {
    String name = text.substring(1, 2);
    if (name.equals("h")) {
      return new Argument(HELP, "-h", null);
    }
    if (!flags.containsKey(name)) {
      throw new FlagException("unknown shorthand flag: '" + name + "' in " + text);
    }
    String rest = text.substring(2);
    String value = rest.isEmpty() ? null : rest.startsWith("=") ? rest.substring(1) : rest;
    return new Argument(name, "'" + name + "' in " + text, value);
  }

  private String value(Argument argument, Iterator<String> rest) {
    if (argument.value != null) {
      return argument.value;
    }
    if (argument.name.equals(VERSION) || shape(argument.name) == Flag.Shape.SWITCH) {
      return "true";
    }
    if (!rest.hasNext()) {
      throw new FlagException("flag needs an argument: " + argument.shown);
    }
    return rest.next();
  }

  private Flag.Shape shape(String name) {
    Flag<?> own = flags.get(name);
    return own != null ? own.shape() : kubernetes().find(name).orElseThrow().kind().shape();
  }

  private boolean isKnown(String name) {
    return flags.containsKey(name) || kubernetes().find(name).isPresent();
  }

  private KubernetesFlags kubernetes() {
    KubernetesFlags known = kubernetes;
    if (known == null) {
      known = new KubernetesFlags();
      kubernetes = known;
    }
    return known;
  }

  private Set<String> dashedNames() {
    Set<String> names = new TreeSet<>(List.of("--" + HELP, "--" + VERSION));
    flags.keySet().forEach(name -> names.add("--" + name));
    kubernetes().all().stream().map(KubernetesFlag::dashed).forEach(names::add);
    return names;
  }

  /** Returns null if no version is wanted. */
  private static @Nullable Parsed version(String text) {
    return switch (text) {
      case "false" -> null;
      case "true" -> new Parsed.Version(/* raw= */ false);
      case "raw" -> new Parsed.Version(/* raw= */ true);
      default ->
          throw FlagException.ofArgument(
              "--version",
              text,
              new IllegalArgumentException(
                  "true, false or raw is expected, found \"" + text + "\""));
    };
  }
}
