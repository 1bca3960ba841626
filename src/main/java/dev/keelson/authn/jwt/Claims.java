package dev.keelson.authn.jwt;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The claims of a token, or an object inside them.
 *
 * @param values texts, numbers, booleans, lists and maps by name, as JSON gives them
 */
public record Claims(Map<String, ? extends Object> values) {

  public boolean has(String name) {
    return values.get(name) != null;
  }

  /** The text, or empty if it is absent or of another type. */
  public String text(String name) {
    return values.get(name) instanceof String text ? text : "";
  }

  /** The object, empty if it is absent or of another type. */
  public Claims object(String name) {
    return values.get(name) instanceof Map<?, ?> map
        ? new Claims(texts(map))
        : new Claims(Map.of());
  }

  /**
   * A text or a list of texts.
   *
   * @throws InvalidJwtException if the claim is there and neither
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
          throw new InvalidJwtException("the claim " + name + " holds something that is no text");
        }
        texts.add(text);
      }
      return texts;
    }
    throw new InvalidJwtException("the claim " + name + " is neither a text nor a list of texts");
  }

  /**
   * A time as seconds since 1970 (RFC 7519, section 2, NumericDate).
   *
   * @throws InvalidJwtException if the claim is there and no such number
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

  private static Map<String, Object> texts(Map<?, ?> map) {
    Map<String, Object> named = new java.util.HashMap<>();
    map.forEach(
        (name, value) -> {
          if (value != null) {
            named.put(String.valueOf(name), value);
          }
        });
    return named;
  }
}
