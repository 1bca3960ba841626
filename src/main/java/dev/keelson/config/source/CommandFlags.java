package dev.keelson.config.source;

import dev.keelson.config.flag.CommandWish;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The flags of a command beside the server, by heading, and how they are read. */
public final class CommandFlags {

  private final List<FlagGroup> groups = new ArrayList<>();

  /** Adds a heading. */
  public FlagGroup group(String heading) {
    FlagGroup group = new FlagGroup(heading);
    groups.add(group);
    return group;
  }

  /** The last heading. */
  public FlagGroup last() {
    return groups.getLast();
  }

  /** The flags by heading. */
  public List<FlagGroup> groups() {
    return List.copyOf(groups);
  }

  /**
   * Reads the command line and the environment. Variables of flags that only the server has are
   * ignored.
   *
   * @param operands how many arguments may be no flags
   * @param help the help text of these flags
   * @param options makes options of the settings and of the arguments that are no flags
   * @throws FlagException naming the setting that is unknown, malformed or in conflict with another
   */
  public <T> CommandWish<T> read(
      List<String> arguments,
      Map<String, String> variables,
      int operands,
      Function<List<FlagGroup>, String> help,
      BiFunction<Settings, List<String>, T> options) {
    return switch (CommandLineArguments.ofCommand(groups, operands).parse(arguments)) {
      case CommandLineArguments.Parsed.Help _ -> new CommandWish.Help<>(help.apply(groups()));
      case CommandLineArguments.Parsed.Version version -> new CommandWish.Version<>(version.raw());
      case CommandLineArguments.Parsed.Given given ->
          new CommandWish.Run<>(
              options.apply(
                  new Settings(given.texts(), environment(variables), Map.of()), given.operands()));
    };
  }

  private Map<String, List<String>> environment(Map<String, String> variables) {
    List<Flag<?>> all = groups.stream().<Flag<?>>flatMap(each -> each.flags().stream()).toList();
    Map<String, String> own = new HashMap<>();
    for (Flag<?> flag : all) {
      String value = variables.get(flag.variable());
      if (value != null) {
        own.put(flag.variable(), value);
      }
    }
    return Environment.read(own, all);
  }
}
