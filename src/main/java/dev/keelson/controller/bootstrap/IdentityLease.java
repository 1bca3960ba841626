package dev.keelson.controller.bootstrap;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * Renews the Lease {@code apiserver-HASH} of this server in {@code kube-system}, by which other
 * components find the servers of a cluster, and deletes those of servers that are gone (KEP-1965).
 * Used by one thread.
 */
public final class IdentityLease {

  /** Interval of renewals. */
  public static final Duration INTERVAL = Duration.ofSeconds(10);

  private static final Duration TIME_TO_LIVE = Duration.ofHours(1);
  private static final String NAMESPACE = "kube-system";
  private static final String IDENTITY = "apiserver.kubernetes.io/identity";
  private static final String OWNER = "kube-apiserver";
  private static final GroupVersionResource LEASES =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");
  private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int HASHED_BYTES = 16;
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final ResourceClient client;
  private final InstantSource clock;
  private final String hostname;
  private final String name;
  private final String holder;
  private Instant collected = Instant.MIN;

  /**
   * @param hostname the name of this host, of which the Lease's name has a hash
   */
  public IdentityLease(ResourceClient client, InstantSource clock, String hostname) {
    this.client = client;
    this.clock = clock;
    this.hostname = hostname;
    this.name = name(hostname);
    this.holder = name + "_" + UUID.randomUUID();
  }

  /** Creates or renews the Lease, and once an hour deletes expired ones; throws as the client. */
  public void renew() {
    Instant now = clock.instant();
    Optional<ApiObject> renewed = client.change(LEASES, NAMESPACE, name, lease -> held(lease, now));
    if (renewed.isEmpty()) {
      create(now);
    }
    if (collected.isBefore(now.minus(TIME_TO_LIVE))) {
      collected = now;
      deleteExpired(now);
    }
  }

  private void create(Instant now) {
    MapNode metadata =
        MapNode.builder(2)
            .put("name", Node.text(name))
            .put("namespace", Node.text(NAMESPACE))
            .build();
    ApiObject fresh = new ApiObject(MapNode.of("metadata", metadata));
    try {
      ApiObject unused = client.create(LEASES, NAMESPACE, held(fresh, now));
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  /** The Lease as this server holds it, with its labels whoever has taken them away. */
  private ApiObject held(ApiObject lease, Instant now) {
    MapNode spec =
        lease
            .root()
            .map("spec")
            .with("holderIdentity", Node.text(holder))
            .with("leaseDurationSeconds", new Node.Int(TIME_TO_LIVE.toSeconds()))
            .with("renewTime", Node.text(MICRO_TIME.format(now)));
    MapNode labels =
        lease
            .meta()
            .node()
            .map("labels")
            .with(IDENTITY, Node.text(OWNER))
            .with("kubernetes.io/hostname", Node.text(hostname));
    return lease.withMeta(lease.meta().with("labels", labels)).with("spec", spec);
  }

  private void deleteExpired(Instant now) {
    for (ApiObject lease : client.list(LEASES, NAMESPACE)) {
      if (OWNER.equals(lease.meta().labels().get(IDENTITY))
          && !lease.meta().name().equals(name)
          && isExpired(lease.root().map("spec"), now)) {
        delete(lease);
      }
    }
  }

  private void delete(ApiObject lease) {
    try {
      client.delete(
          LEASES,
          NAMESPACE,
          lease.meta().name(),
          new DeleteRequest(
              lease.meta().uid(), lease.meta().resourceVersion(), Dependents.BACKGROUND));
    } catch (ApiException e) {
      // renewed or deleted meanwhile
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        throw e;
      }
    }
  }

  private static boolean isExpired(MapNode spec, Instant now) {
    long seconds =
        spec.get("leaseDurationSeconds") instanceof Node.Int duration ? duration.value() : 0;
    try {
      return spec.text("renewTime").isEmpty()
          || Instant.parse(spec.text("renewTime")).plusSeconds(seconds).isBefore(now);
    } catch (DateTimeParseException e) {
      return true;
    }
  }

  /** The Lease's name: a hash of the host's name in base 32, as kube-apiserver's. */
  public static String name(String hostname) {
    byte[] hash = sha256().digest(hostname.getBytes(StandardCharsets.UTF_8));
    StringBuilder text = new StringBuilder("apiserver-");
    int bits = 0;
    int held = 0;
    for (int i = 0; i < HASHED_BYTES; i++) {
      bits = (bits << 8 | (hash[i] & 0xFF)) & 0xFFFF;
      held += 8;
      while (held >= 5) {
        held -= 5;
        text.append(BASE32.charAt(bits >> held & 31));
      }
    }
    return held == 0
        ? text.toString()
        : text.append(BASE32.charAt(bits << (5 - held) & 31)).toString();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
