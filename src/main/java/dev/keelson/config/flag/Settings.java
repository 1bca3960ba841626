package dev.keelson.config.flag;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The unparsed values of all flags by source, in order of precedence.
 *
 * @param commandLine texts by flag name
 * @param environment texts by flag name
 * @param file texts by flag name
 */
public record Settings(
    Map<String, List<String>> commandLine,
    Map<String, List<String>> environment,
    Map<String, List<String>> file) {

  public Settings {
    commandLine = Map.copyOf(commandLine);
    environment = Map.copyOf(environment);
    file = Map.copyOf(file);
  }

  /**
   * Returns the value of {@code flag} from the first source that has it, or the default.
   *
   * @throws FlagException naming the flag, variable or key with the malformed value
   */
  public <T extends @Nullable Object> T value(Flag<T> flag) {
    String name = flag.name();
    List<String> given = commandLine.get(name);
    if (given != null) {
      return argument(flag, given);
    }
    given = environment.get(name);
    if (given != null) {
      return parse(flag, flag.variable(), given);
    }
    given = file.get(name);
    if (given != null) {
      return parse(flag, name + " in the --config file", given);
    }
    String fallback = flag.defaultText();
    return parse(flag, flag.dashed(), fallback == null ? List.of() : List.of(fallback));
  }

  /**
   * The text of {@code flag} from the first source that has it, or of the default; values of a list
   * between commas. Empty without a value.
   */
  public String text(Flag<?> flag) {
    String name = flag.name();
    String fallback = flag.defaultText();
    for (Map<String, List<String>> source : List.of(commandLine, environment, file)) {
      List<String> given = source.get(name);
      if (given != null) {
        // as pflag: the last value counts, unless all do
        return flag.shape() == Flag.Shape.LIST ? String.join(",", given) : given.getLast();
      }
    }
    return fallback == null ? "" : fallback;
  }

  /** Whether any source has the flag. */
  public boolean has(Flag<?> flag) {
    String name = flag.name();
    return commandLine.containsKey(name) || environment.containsKey(name) || file.containsKey(name);
  }

  private static <T extends @Nullable Object> T argument(Flag<T> flag, List<String> texts) {
    try {
      if (flag.shape() != Flag.Shape.LIST) {
        // as pflag: each value is parsed, the last one counts
        for (String text : texts.subList(0, texts.size() - 1)) {
          T unused = flag.parser().apply(List.of(text));
        }
      }
      return flag.parser().apply(texts);
    } catch (IllegalArgumentException e) {
      String shown = flag.shorthand().isEmpty() ? flag.dashed() : flag.shorthand() + ", --v";
      throw FlagException.ofArgument(shown, String.join(",", texts), e);
    }
  }

  private static <T extends @Nullable Object> T parse(
      Flag<T> flag, String source, List<String> texts) {
    try {
      return flag.parser().apply(texts);
    } catch (IllegalArgumentException e) {
      throw new FlagException(source + ": " + e.getMessage());
    }
  }
}
