package dev.keelson.config;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One setting: its name, its meaning and how its text becomes a value.
 *
 * @param name the name without the leading dashes, as kube-apiserver spells it where it has it
 * @param shape how the command line and the file write the value
 * @param label what stands for the value in the help, for example {@code PORT}
 * @param defaultText the default, written as a user would write it; null if absence is the default
 * @param help one or two sentences on what it does
 * @param parser reads the given texts (one, unless the shape is {@link Shape#LIST}); throws
 *     IllegalArgumentException with what is wrong
 */
record Flag<T extends @Nullable Object>(
    String name,
    Shape shape,
    String label,
    @Nullable String defaultText,
    String help,
    Function<List<String>, T> parser) {

  /** How a value is written. */
  enum Shape {
    /** One value. */
    SINGLE,
    /** Values between commas, or the flag several times. */
    LIST,
    /** {@code true} or {@code false}; the bare flag is {@code true}. */
    SWITCH
  }

  /** The flag as it is typed. */
  String dashed() {
    return "--" + name;
  }

  /** The environment variable with the same meaning. */
  String variable() {
    return Environment.PREFIX + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
