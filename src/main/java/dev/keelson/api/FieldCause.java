package dev.keelson.api;

import dev.keelson.value.GoQuote;
import java.util.List;

/**
 * One entry of {@code Status.details.causes}: what is wrong with one field.
 *
 * @param reason the machine-readable word, for example {@code FieldValueRequired}
 * @param message the text for the user
 * @param field the path, for example {@code spec.containers[0].name}; empty if no single field is
 *     concerned
 */
public record FieldCause(String reason, String message, String field) {

  private static final String MORE = "and ";

  /** A required field is missing. {@code detail} may be empty. */
  public static FieldCause required(String field, String detail) {
    return new FieldCause(
        "FieldValueRequired",
        detail.isEmpty() ? "Required value" : "Required value: " + detail,
        field);
  }

  /** A field's value is invalid. */
  public static FieldCause invalid(String field, Object value, String detail) {
    return new FieldCause(
        "FieldValueInvalid", "Invalid value: " + shown(value) + ": " + detail, field);
  }

  /** One cause for each line of {@code problems}, see {@link Names}; none if there is none. */
  public static List<FieldCause> eachInvalid(String field, Object value, String problems) {
    return problems.isEmpty()
        ? List.of()
        : problems.lines().map(problem -> invalid(field, value, problem)).toList();
  }

  /** A field's value is not allowed here. */
  public static FieldCause forbidden(String field, String detail) {
    return new FieldCause("FieldValueForbidden", "Forbidden: " + detail, field);
  }

  /** A duplicate value where values must be unique. */
  public static FieldCause duplicate(String field, Object value) {
    return new FieldCause("FieldValueDuplicate", "Duplicate value: " + shown(value), field);
  }

  /** Stands for {@code count} causes that are not told. */
  static FieldCause more(long count) {
    return new FieldCause("", MORE + count + " more", "");
  }

  /** How many causes this one stands for, see {@link #more}; 0 for a cause itself. */
  long omitted() {
    if (!reason.isEmpty() || !message.startsWith(MORE) || !message.endsWith(" more")) {
      return 0;
    }
    String count = message.substring(MORE.length(), message.length() - " more".length());
    return !count.isEmpty() && count.length() < 19 && count.chars().allMatch(Character::isDigit)
        ? Long.parseLong(count)
        : 0;
  }

  /** The same with a text of at most about {@code most} characters. */
  FieldCause cut(int most) {
    if (message.length() + field.length() <= most) {
      return this;
    }
    String shortField = field.substring(0, Math.min(field.length(), most));
    int rest = Math.min(message.length(), most - shortField.length());
    return new FieldCause(
        reason,
        message.substring(0, rest) + "... (" + (message.length() - rest) + " characters more)",
        shortField);
  }

  /** The text of one violation as the message of an {@code Invalid} Status lists it. */
  public String summary() {
    return field.isEmpty() ? message : field + ": " + message;
  }

  private static String shown(Object value) {
    return value instanceof String text ? GoQuote.quote(text) : String.valueOf(value);
  }
}
