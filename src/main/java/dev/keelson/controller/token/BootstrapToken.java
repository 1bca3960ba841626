package dev.keelson.controller.token;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Timestamp;
import dev.keelson.value.ValueFormatException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What controllers keep of the Secret of a bootstrap token.
 *
 * @param secret the second half of the token
 * @param expiration an RFC 3339 time; empty for none
 * @param signs whether it may sign the cluster-info
 */
record BootstrapToken(
    ObjectName name, String uid, String id, String secret, String expiration, boolean signs) {

  static final GroupVersionResource SECRETS = GroupVersion.CORE_V1.resource("secrets");

  static final InformerType<BootstrapToken> TYPE =
      new InformerType<>(
          new Selection(SECRETS, "kube-system", "", "type=bootstrap.kubernetes.io/token"),
          BootstrapToken::of,
          List.of());

  private static final Pattern NAME = Pattern.compile("bootstrap-token-[a-z0-9]{6}");

  static BootstrapToken of(ApiObject object) {
    MapNode data = object.root().map("data");
    return new BootstrapToken(
        ObjectName.of(object.meta()),
        object.meta().uid(),
        text(data, "token-id"),
        text(data, "token-secret"),
        text(data, "expiration"),
        text(data, "usage-bootstrap-signing").equals("true"));
  }

  private static String text(MapNode data, String key) {
    return new String(Base64.getDecoder().decode(data.text(key)), StandardCharsets.UTF_8);
  }

  /**
   * The time that is left, zero or less if it has expired; empty if it does not expire. A time that
   * cannot be read has passed.
   */
  Optional<Duration> left(Instant now) {
    if (expiration.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Duration.between(now, Timestamp.parse(expiration).toInstant()));
    } catch (ValueFormatException | DateTimeException e) {
      return Optional.of(Duration.ZERO);
    }
  }

  boolean hasExpired(Instant now) {
    return left(now).map(left -> !left.isPositive()).orElse(false);
  }

  /** Whether it may sign at a time: its name is that of its id. */
  boolean signsAt(Instant now) {
    return signs
        && !id.isEmpty()
        && !secret.isEmpty()
        && NAME.matcher(name.name()).matches()
        && name.name().endsWith("-" + id)
        && !hasExpired(now);
  }
}
