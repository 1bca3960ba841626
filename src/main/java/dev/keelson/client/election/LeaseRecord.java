package dev.keelson.client.election;

import dev.keelson.client.informer.ObjectName;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What candidates read and write of a Lease ({@code coordination.k8s.io/v1}). */
final class LeaseRecord {

  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final ApiObject lease;

  LeaseRecord(ApiObject lease) {
    this.lease = lease;
  }

  static LeaseRecord none(ObjectName name) {
    MapNode metadata =
        MapNode.of("name", Node.text(name.name())).with("namespace", Node.text(name.namespace()));
    return new LeaseRecord(
        new ApiObject(MapNode.of("metadata", metadata))
            .withType("coordination.k8s.io/v1", "Lease"));
  }

  ApiObject object() {
    return lease;
  }

  private MapNode spec() {
    return lease.root().map("spec");
  }

  /** Empty if nobody holds the lease. */
  String holder() {
    return spec().text("holderIdentity");
  }

  Duration duration() {
    return spec().get("leaseDurationSeconds") instanceof Node.Int seconds
        ? Duration.ofSeconds(Math.clamp(seconds.value(), 0, Integer.MAX_VALUE))
        : Duration.ZERO;
  }

  /** Changes with every renewal. */
  String version() {
    return lease.meta().resourceVersion();
  }

  /** Whole seconds, rounded up: others must not wait for less than the duration. */
  private static long seconds(Duration duration) {
    return duration.plusSeconds(1).minusNanos(1).toSeconds();
  }

  /** The lease as a holder renews it at a time. */
  ApiObject heldBy(String identity, Duration duration, Instant now) {
    MapNode spec = spec();
    boolean taken = !holder().equals(identity);
    String time = MICRO_TIME.format(now);
    MapNode next =
        spec.with("holderIdentity", Node.text(identity))
            .with("leaseDurationSeconds", new Node.Int(seconds(duration)))
            .with("renewTime", Node.text(time));
    if (taken || !spec.has("acquireTime")) {
      next = next.with("acquireTime", Node.text(time));
    }
    long transitions =
        spec.get("leaseTransitions") instanceof Node.Int number ? number.value() : -1;
    if (taken || transitions < 0) {
      next = next.with("leaseTransitions", new Node.Int(transitions + 1));
    }
    return lease.with("spec", next);
  }

  /** The lease that its holder gives back: others need not wait. */
  ApiObject released(Instant now) {
    String time = MICRO_TIME.format(now);
    return lease.with(
        "spec",
        spec()
            // an empty one is invalid
            .without("holderIdentity")
            .with("leaseDurationSeconds", new Node.Int(1))
            .with("renewTime", Node.text(time))
            .with("acquireTime", Node.text(time)));
  }
}
