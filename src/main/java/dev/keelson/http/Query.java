package dev.keelson.http;

import dev.keelson.value.PercentEncoding;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The decoded query parameters of a request.
 *
 * @param values every value by name, in order
 */
public record Query(Map<String, List<String>> values) {

  /** No parameters. */
  public static final Query NONE = new Query(Map.of());

  public Query {
    values = Map.copyOf(values);
  }

  /**
   * Parses the query of a URL. As Go's {@code url.URL.Query}, it ignores a parameter with a
   * malformed escape or a semicolon.
   */
  public static Query parse(String raw) {
    if (raw.isEmpty()) {
      return NONE;
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String pair : raw.split("&", -1)) {
      if (!pair.isEmpty() && pair.indexOf(';') < 0 && PercentEncoding.isWellFormed(pair)) {
        int equals = pair.indexOf('=');
        String name = decode(equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
        values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
      }
    }
    values.replaceAll((name, list) -> List.copyOf(list));
    return new Query(values);
  }

  /** The first value of {@code name}, or empty. */
  public String first(String name) {
    List<String> all = values.get(name);
    return all == null ? "" : all.getFirst();
  }

  /** Every value of {@code name}. */
  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /**
   * Returns a boolean parameter by Kubernetes' rules: true if present and neither {@code 0} nor
   * {@code false}.
   */
  public boolean flag(String name) {
    String value = first(name);
    return has(name) && !value.equals("0") && !value.toLowerCase(Locale.ROOT).equals("false");
  }

  /** The first value of each name. */
  public Map<String, String> firsts() {
    Map<String, String> firsts = new LinkedHashMap<>();
    values.forEach((name, all) -> firsts.put(name, all.getFirst()));
    return firsts;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
