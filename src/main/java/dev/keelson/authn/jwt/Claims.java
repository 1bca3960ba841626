package dev.keelson.authn.jwt;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The claims of a token, or an object inside them.
 *
 * @param values strings, numbers, booleans, lists and maps by name, as parsed from JSON
 */
public record Claims(Map<String, ? extends Object> values) {

  public boolean has(String name) {
    return values.get(name) != null;
  }

  /** Returns a string claim; empty if it is absent or of another type. */
  public String text(String name) {
    return values.get(name) instanceof String text ? text : "";
  }

  /** Returns an object claim; empty if it is absent or of another type. */
  public Claims object(String name) {
    return values.get(name) instanceof Map<?, ?> map ? of(map) : new Claims(Map.of());
  }

  /**
   * Returns a claim that is a string or a list of strings.
   *
   * @throws InvalidJwtException if the claim is present and of another type
   */
  public List<String> texts(String name) throws InvalidJwtException {
    Object value = values.get(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof String text) {
      return List.of(text);
    }
    List<String> texts = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object item : list) {
        if (!(item instanceof String text)) {
          throw new InvalidJwtException(
              "the claim " + name + " has an element that is not a string");
        }
        texts.add(text);
      }
      return texts;
    }
    throw new InvalidJwtException(
        "the claim " + name + " is neither a string nor a list of strings");
  }

  /**
   * Returns a time in seconds since the epoch (RFC 7519, section 2, NumericDate).
   *
   * @throws InvalidJwtException if the claim is present and not a number
   */
  public Optional<Instant> time(String name) throws InvalidJwtException {
    Object value = values.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof Number number) || Double.isNaN(number.doubleValue())) {
      throw new InvalidJwtException("the claim " + name + " is not a time");
    }
    try {
      return Optional.of(Instant.ofEpochSecond(number.longValue()));
    } catch (DateTimeException e) {
      throw new InvalidJwtException("the claim " + name + " is not a time", e);
    }
  }

  /** The claims of an object in JSON; null is no value. */
  static Claims of(Map<?, ?> object) {
    Map<String, Object> named = new HashMap<>();
    object.forEach(
        (name, value) -> {
          if (value != null) {
            named.put(String.valueOf(name), value);
          }
        });
    return new Claims(named);
  }
}
