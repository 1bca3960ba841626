package dev.keelson.config.kubernetes;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.Values;
import java.util.List;

/**
 * A flag of kube-apiserver that does not do here what it does there.
 *
 * @param name the name without dashes
 * @param kind the form of its values
 * @param neutral values that say what is the case here anyhow: accepted without a word
 * @param state what becomes of other values
 * @param meaning why, as a clause after the name and a colon
 */
public record KubernetesFlag(
    String name, Kind kind, List<String> neutral, State state, String meaning) {

  /** The form of values, as package pflag names it. */
  public enum Kind {
    BOOL(Flag.Shape.SWITCH, "bool"),
    INT(Flag.Shape.SINGLE, "int"),
    DURATION(Flag.Shape.SINGLE, "duration"),
    STRING(Flag.Shape.SINGLE, "string"),
    STRINGS(Flag.Shape.LIST, "strings");

    private final Flag.Shape shape;
    private final String word;

    Kind(Flag.Shape shape, String word) {
      this.shape = shape;
      this.word = word;
    }

    /** How the command line writes the value. */
    public Flag.Shape shape() {
      return shape;
    }

    /** The type in the help. */
    public String word() {
      return word;
    }

    /**
     * Returns the value in one form.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    String normal(String text) {
      return switch (this) {
        case BOOL -> Boolean.toString(Values.bool(text));
        case INT ->
            Integer.toString(Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE).apply(text));
        case DURATION -> Values.duration(text).toString();
        case STRING, STRINGS -> text;
      };
    }
  }

  /** What becomes of a flag. */
  public enum State {
    /** One warning line; the server starts. */
    ACCEPTED,
    /** The server does not start. */
    REFUSED
  }

  public KubernetesFlag {
    neutral = List.copyOf(neutral);
  }

  /** The name with its leading dashes. */
  public String dashed() {
    return "--" + name;
  }

  /**
   * Whether the value changes nothing here.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  boolean isNeutral(String text) {
    String value = kind.normal(text);
    return neutral.stream().anyMatch(one -> kind.normal(one).equals(value));
  }
}
