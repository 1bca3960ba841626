package dev.keelson.config.flag;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One flag: its name, help and parser.
 *
 * @param name the name without the leading dashes, as in kube-apiserver if it has the flag
 * @param shape how the command line and the file write the value
 * @param label placeholder of the value in the help, for example {@code PORT}
 * @param defaultText the default as a user would write it; null if there is none
 * @param help the help text, one or two sentences
 * @param parser parses the given values (one, unless the shape is {@link Shape#LIST}); throws
 *     IllegalArgumentException with the error
 */
public record Flag<T extends @Nullable Object>(
    String name,
    Shape shape,
    String label,
    @Nullable String defaultText,
    String help,
    Function<List<String>, T> parser) {

  /** The prefix of every environment variable that sets a flag. */
  public static final String VARIABLE_PREFIX = "KEELSON_";

  /** How a value is written. */
  public enum Shape {
    /** One value. */
    SINGLE,
    /** Values between commas, or the flag several times. */
    LIST,
    /** {@code true} or {@code false}; the bare flag is {@code true}. */
    SWITCH
  }

  /** The name with its leading dashes. */
  public String dashed() {
    return "--" + name;
  }

  /** The short form with its dash, for example {@code -v}; empty for almost all flags. */
  public String shorthand() {
    return name.length() == 1 ? "-" + name : "";
  }

  /** The environment variable that sets the flag. */
  public String variable() {
    return VARIABLE_PREFIX + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
