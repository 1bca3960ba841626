package dev.keelson.admission.imagepolicy;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoDuration;
import java.time.Duration;

/**
 * The configuration of ImagePolicyWebhook: the field {@code imagePolicy} of its file.
 *
 * @param kubeConfigFile the kubeconfig of the webhook
 * @param allowTtl how long approvals are cached; zero does not cache
 * @param denyTtl how long denials are cached; zero does not cache
 * @param retryBackoff the time before the first retry
 * @param defaultAllow whether pods are allowed when the webhook fails
 */
public record ImagePolicyConfiguration(
    String kubeConfigFile,
    Duration allowTtl,
    Duration denyTtl,
    Duration retryBackoff,
    boolean defaultAllow) {

  private static final Duration MOST_TTL = Duration.ofMinutes(30);

  /**
   * Reads a configuration.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  public static ImagePolicyConfiguration of(MapNode root) {
    MapNode config = root.map("imagePolicy");
    return new ImagePolicyConfiguration(
        config.text("kubeConfigFile"),
        duration(config, "allowTTL", Duration.ofSeconds(1), MOST_TTL, Duration.ofMinutes(5)),
        duration(config, "denyTTL", Duration.ofSeconds(1), MOST_TTL, Duration.ofSeconds(30)),
        backoff(config),
        config.get("defaultAllow") == Node.Bool.TRUE);
  }

  private static Duration backoff(MapNode config) {
    long value = number(config, "retryBackoff");
    return range(
        value,
        Duration.ofMillis(Math.max(value, 0)),
        Duration.ofNanos(1),
        Duration.ofMinutes(5),
        Duration.ofMillis(500));
  }

  private static Duration duration(
      MapNode config, String key, Duration least, Duration most, Duration ifUnset) {
    long value = number(config, key);
    return range(value, Duration.ofSeconds(Math.max(value, 0)), least, most, ifUnset);
  }

  /** -1 disables, 0 is the default. */
  private static Duration range(
      long value, Duration scaled, Duration least, Duration most, Duration ifUnset) {
    if (value == -1) {
      return Duration.ZERO;
    }
    if (value == 0) {
      return ifUnset;
    }
    if (scaled.compareTo(least) <= 0 || scaled.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "valid value is between %s and %s, got %s"
              .formatted(text(least), text(most), value < 0 ? value : text(scaled)));
    }
    return scaled;
  }

  private static String text(Duration duration) {
    return new GoDuration(duration.toNanos()).toString();
  }

  private static long number(MapNode config, String key) {
    return config.get(key) instanceof Node.Int number
        ? Math.clamp(number.value(), -2, 1_000_000_000L)
        : 0;
  }
}
