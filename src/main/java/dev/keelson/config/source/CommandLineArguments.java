package dev.keelson.config.source;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Suggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Parses the command line with picocli. Its model is built from our flags programmatically, without
 * annotations, so that it needs no reflection; picocli sees strings only, since the values of all
 * sources are parsed in one place.
 */
public final class CommandLineArguments {

  private static final int WIDTH = 100;

  private final List<FlagGroup> groups;
  private final CommandLine commandLine;

  public CommandLineArguments(List<FlagGroup> groups) {
    this.groups = groups;
    this.commandLine = new CommandLine(spec(groups));
    commandLine.setExpandAtFiles(false);
    commandLine.setInterpolateVariables(false);
    // the last value counts, as in kube-apiserver, so that scripts can append flags
    commandLine.setOverwrittenOptionsAllowed(true);
    commandLine.setUsageHelpWidth(WIDTH);
  }

  /** The parsed command line. */
  public sealed interface Parsed {
    /** A request for help. */
    record Help() implements Parsed {}

    /** A request for the version. */
    record Version() implements Parsed {}

    /** Values of flags by name, unparsed. */
    record Given(Map<String, List<String>> texts) implements Parsed {}
  }

  /**
   * Parses the command line.
   *
   * @throws FlagException for an unknown flag or a missing value
   */
  public Parsed parse(List<String> arguments) {
    ParseResult result;
    try {
      result = commandLine.parseArgs(arguments.toArray(String[]::new));
    } catch (UnmatchedArgumentException e) {
      throw unknown(e.getUnmatched().getFirst());
    } catch (MissingParameterException e) {
      throw new FlagException(missing(e));
    } catch (ParameterException e) {
      throw new FlagException(String.valueOf(e.getMessage()));
    }
    if (result.isUsageHelpRequested()) {
      return new Parsed.Help();
    }
    if (result.isVersionHelpRequested()) {
      return new Parsed.Version();
    }
    Map<String, List<String>> texts = new HashMap<>();
    for (FlagGroup group : groups) {
      for (Flag<?> flag : group.flags()) {
        OptionSpec option = result.matchedOption(flag.dashed());
        if (option != null) {
          texts.put(flag.name(), List.copyOf(option.originalStringValues()));
        }
      }
    }
    return new Parsed.Given(texts);
  }

  /** The help text, the flags in groups. */
  public String help() {
    return commandLine.getUsageMessage(Ansi.OFF);
  }

  private static String missing(MissingParameterException e) {
    return e.getMissing().getFirst() instanceof OptionSpec option
        ? option.longestName() + " needs a value: " + option.paramLabel()
        : String.valueOf(e.getMessage());
  }

  private FlagException unknown(String argument) {
    if (!argument.startsWith("-")) {
      return new FlagException("unexpected argument \"" + argument + "\": flags begin with --");
    }
    int equals = argument.indexOf('=');
    String name = equals < 0 ? argument : argument.substring(0, equals);
    Set<String> names = new LinkedHashSet<>(List.of("--help", "--version"));
    groups.forEach(group -> group.flags().forEach(flag -> names.add(flag.dashed())));
    return new FlagException("unknown flag " + name + Suggestion.among(names, name));
  }

  private static CommandSpec spec(List<FlagGroup> groups) {
    CommandSpec spec = CommandSpec.create().name("keelson");
    spec.usageMessage()
        .description(
            "A Kubernetes-compatible resource API server on etcd or a single SQLite file.",
            "",
            "Every flag can also be set by an environment variable (--secure-port is"
                + " KEELSON_SECURE_PORT) or in a --config file (secure-port: 6443).")
        .abbreviateSynopsis(true)
        .sortOptions(false);
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Print this help and exit.")
            .build());
    spec.addOption(
        OptionSpec.builder("--version")
            .versionHelp(true)
            .description("Print the version and exit.")
            .build());
    int order = 0;
    for (FlagGroup group : groups) {
      ArgGroupSpec.Builder section =
          ArgGroupSpec.builder()
              .heading("%n" + group.heading() + ":%n")
              .validate(false)
              .order(order++);
      for (Flag<?> flag : group.flags()) {
        section.addArg(option(flag));
      }
      spec.addArgGroup(section.build());
    }
    return spec;
  }

  private static OptionSpec option(Flag<?> flag) {
    OptionSpec.Builder option =
        OptionSpec.builder(flag.dashed()).paramLabel(flag.label()).description(description(flag));
    return switch (flag.shape()) {
      case SINGLE -> option.type(String.class).arity("1").build();
      case SWITCH -> option.type(String.class).arity("0..1").fallbackValue("true").build();
      case LIST -> option.type(List.class).auxiliaryTypes(String.class).arity("1").build();
    };
  }

  private static String[] description(Flag<?> flag) {
    List<String> lines = new ArrayList<>();
    // picocli treats the lines as format strings
    lines.add(flag.help().replace("%", "%%"));
    if (flag.defaultText() != null) {
      lines.add("Default: " + flag.defaultText());
    }
    return lines.toArray(String[]::new);
  }
}
