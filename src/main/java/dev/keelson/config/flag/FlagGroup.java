package dev.keelson.config.flag;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The flags under one heading of the help. */
public final class FlagGroup {

  private final String heading;
  private final List<Flag<?>> flags = new ArrayList<>();

  public FlagGroup(String heading) {
    this.heading = heading;
  }

  public String heading() {
    return heading;
  }

  public List<Flag<?>> flags() {
    return List.copyOf(flags);
  }

  /** Declares a flag that always has a value. */
  public <T> Flag<T> single(
      String name, String label, String defaultText, String help, Function<String, T> parser) {
    return add(
        new Flag<>(
            name,
            Flag.Shape.SINGLE,
            label,
            defaultText,
            help,
            texts -> parser.apply(texts.getLast())));
  }

  /** Declares a flag that may be absent or blank; its value is then null. */
  public <T> Flag<@Nullable T> optional(
      String name, String label, String help, Function<String, T> parser) {
    return optional(name, Flag.Shape.SINGLE, label, help, parser);
  }

  /** Declares a flag with any number of values; absent, it is the empty list. */
  public <T> Flag<List<T>> list(
      String name, String label, String help, Function<String, T> parser) {
    return list(name, label, help, null, parser);
  }

  /** Declares a flag with any number of values; absent, it has those of {@code defaultText}. */
  public <T> Flag<List<T>> listOr(
      String name, String label, String defaultText, String help, Function<String, T> parser) {
    return list(name, label, help, defaultText, parser);
  }

  /** Declares a flag that may be repeated, and whose values may have commas in them. */
  public <T> Flag<List<T>> repeated(
      String name, String label, String help, Function<String, T> parser) {
    return add(
        new Flag<>(
            name,
            Flag.Shape.LIST,
            label,
            null,
            help,
            texts -> texts.stream().filter(text -> !text.isBlank()).map(parser).toList()));
  }

  /** Declares a boolean flag. */
  public Flag<Boolean> toggle(String name, boolean defaultValue, String help) {
    return add(
        new Flag<>(
            name,
            Flag.Shape.SWITCH,
            "BOOL",
            Boolean.toString(defaultValue),
            help,
            texts -> Values.bool(texts.getLast())));
  }

  /** Declares a boolean flag that may be absent or blank; its value is then null. */
  public Flag<@Nullable Boolean> optionalToggle(String name, String help) {
    return optional(name, Flag.Shape.SWITCH, "BOOL", help, Values::bool);
  }

  private <T> Flag<@Nullable T> optional(
      String name, Flag.Shape shape, String label, String help, Function<String, T> parser) {
    return add(
        new Flag<@Nullable T>(
            name,
            shape,
            label,
            null,
            help,
            texts ->
                texts.isEmpty() || texts.getLast().isBlank()
                    ? null
                    : parser.apply(texts.getLast())));
  }

  private <T> Flag<List<T>> list(
      String name,
      String label,
      String help,
      @Nullable String defaultText,
      Function<String, T> parser) {
    return add(
        new Flag<>(
            name,
            Flag.Shape.LIST,
            label,
            defaultText,
            help,
            texts -> Values.split(texts).stream().map(parser).toList()));
  }

  private <T extends @Nullable Object> Flag<T> add(Flag<T> flag) {
    flags.add(flag);
    return flag;
  }
}
