package dev.keelson.admission.eventlimit;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The configuration of EventRateLimit (source: {@code eventratelimit.admission.k8s.io/v1alpha1}).
 *
 * @param limits the limits, of which an Event must pass all
 */
public record EventRateLimitConfiguration(List<Limit> limits) {

  /** The API version in configuration files. */
  public static final String API_VERSION = "eventratelimit.admission.k8s.io/v1alpha1";

  /** The kind in configuration files. */
  public static final String KIND = "Configuration";

  public EventRateLimitConfiguration {
    limits = List.copyOf(limits);
  }

  /**
   * Reads a configuration.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  public static EventRateLimitConfiguration of(MapNode root) {
    String version = root.text("apiVersion");
    String kind = root.text("kind");
    if (!root.isEmpty() && !(kind.equals(KIND) && version.equals(API_VERSION))) {
      throw new IllegalArgumentException(
          "no kind \"" + kind + "\" is registered for version \"" + version + "\"");
    }
    List<FieldCause> causes = new ArrayList<>();
    List<Limit> limits = new ArrayList<>();
    List<MapNode> items = root.maps("limits");
    if (items.isEmpty()) {
      causes.add(FieldCause.invalid("limits", List.of(), "must not be empty"));
    }
    for (int i = 0; i < items.size(); i++) {
      limit(items.get(i), "limits[" + i + "]", causes).ifPresent(limits::add);
    }
    if (!causes.isEmpty()) {
      List<String> all = causes.stream().map(FieldCause::summary).toList();
      throw new IllegalArgumentException(
          all.size() == 1 ? all.getFirst() : "[" + String.join(", ", all) + "]");
    }
    return new EventRateLimitConfiguration(limits);
  }

  private static Optional<Limit> limit(MapNode item, String path, List<FieldCause> causes) {
    int before = causes.size();
    Optional<Limit.Type> type =
        Arrays.stream(Limit.Type.values())
            .filter(each -> each.text().equals(item.text("type")))
            .findFirst();
    if (type.isEmpty()) {
      causes.add(
          new FieldCause(
              "FieldValueNotSupported",
              "Unsupported value: "
                  + GoQuote.quote(item.text("type"))
                  + ": supported values: "
                  + Arrays.stream(Limit.Type.values())
                      .map(each -> GoQuote.quote(each.text()))
                      .collect(Collectors.joining(", ")),
              path + ".type"));
    }
    int burst = positive(item, "burst", path, causes);
    int rate = positive(item, "qps", path, causes);
    int size = number(item, "cacheSize");
    if (size < 0 && type.filter(each -> each == Limit.Type.SERVER).isEmpty()) {
      causes.add(FieldCause.invalid(path + ".cacheSize", size, "must not be negative"));
    }
    return causes.size() > before
        ? Optional.empty()
        : type.map(
            each -> new Limit(each, rate, burst, size > 0 ? size : Limit.DEFAULT_CACHE_SIZE));
  }

  private static int positive(MapNode item, String key, String path, List<FieldCause> causes) {
    int value = number(item, key);
    if (value <= 0) {
      causes.add(FieldCause.invalid(path + "." + key, value, "must be positive"));
    }
    return value;
  }

  private static int number(MapNode item, String key) {
    return item.get(key) instanceof Node.Int number
        ? Math.clamp(number.value(), Integer.MIN_VALUE, Integer.MAX_VALUE)
        : 0;
  }
}
