package dev.keelson.registry.service;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.Timestamps;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.value.IpAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jboss.logging.Logger;

/**
 * The addresses and node ports of Services in the store. An address is an object of {@code
 * networking.k8s.io/v1 IPAddress}, as in Kubernetes; a port is a key of our own whose value names
 * the Service.
 *
 * <p>A server that dies between an allocation and the write of its Service leaks the allocation.
 * The repair removes allocations that no Service used in two consecutive passes, which are further
 * apart than any write takes, and adds missing ones, such as in a store that another server filled.
 */
public final class StoreAllocator implements Allocator {

  private static final Logger LOG = Logger.getLogger(StoreAllocator.class);

  /** The time between two passes of {@link #repair}, longer than any write takes. */
  public static final Duration REPAIR_INTERVAL = Duration.ofMinutes(3);

  private final ObjectStore store;
  private final ObjectCodec codec;
  private final StoredType services;
  private final StoredType addresses;
  private final StoredType ports;
  private final Timestamps timestamps;

  /** Allocations that no Service used in the last pass, by key, with their revision. */
  private final Map<String, Long> suspects = new HashMap<>();

  /**
   * An allocator in {@code store}.
   *
   * @param services how Services are stored
   * @param addresses how IPAddresses are stored
   */
  public StoreAllocator(
      ObjectStore store,
      ObjectCodec codec,
      StoredType services,
      StoredType addresses,
      InstantSource clock) {
    this.store = store;
    this.codec = codec;
    this.services = services;
    this.addresses = addresses;
    this.ports = new StoredType("keelson.dev/node-ports", services.kind(), services.schema());
    this.timestamps = new Timestamps(clock);
  }

  @Override
  public boolean allocate(Kind kind, String value, String namespace, String name) {
    Bytes claim =
        switch (kind) {
          case ADDRESS -> codec.encode(addresses, address(value, namespace, name));
          // the random part distinguishes this allocation from one that another server makes for
          // the same
          case PORT -> Bytes.utf8(namespace + "/" + name + "/" + UUID.randomUUID());
        };
    return store.create(type(kind), "", value, claim) instanceof WriteOutcome.Applied;
  }

  private ApiObject address(String value, String namespace, String name) {
    String family = IpAddress.parse(value).family().toString();
    MapNode labels =
        MapNode.of("ipaddress.kubernetes.io/ip-family", Node.text(family))
            .with("ipaddress.kubernetes.io/managed-by", Node.text("ipallocator.k8s.io"));
    MapNode meta =
        MapNode.of("name", Node.text(value))
            .with("uid", Node.text(UUID.randomUUID().toString()))
            .with("creationTimestamp", Node.text(timestamps.now()))
            .with("labels", labels);
    MapNode parent =
        MapNode.of("resource", Node.text("services"))
            .with("namespace", Node.text(namespace))
            .with("name", Node.text(name));
    return new ApiObject(
        MapNode.of("metadata", meta).with("spec", MapNode.of("parentRef", parent)));
  }

  @Override
  public boolean isFree(Kind kind, String value) {
    return store.get(type(kind), "", value).entry() == null;
  }

  @Override
  public Set<String> taken(Kind kind) {
    Set<String> taken = new HashSet<>();
    long unused = store.list(type(kind), "", entry -> taken.add(ObjectStore.name(entry.key())));
    return taken;
  }

  @Override
  public void release(Kind kind, String value, String namespace, String name) {
    try {
      Entry entry = store.get(type(kind), "", value).entry();
      if (entry != null && owner(kind, entry).equals(namespace + "/" + name)) {
        WriteOutcome unused = store.delete(type(kind), "", value, entry.modRevision());
      }
    } catch (StorageException e) {
      LOG.warnf(
          "event=allocation-not-released kind=%s value=%s error=%s", kind, value, e.getMessage());
    }
  }

  private StoredType type(Kind kind) {
    return switch (kind) {
      case ADDRESS -> addresses;
      case PORT -> ports;
    };
  }

  /** Namespace and name of the Service, with a slash; an address of something else has none. */
  private String owner(Kind kind, Entry entry) {
    return switch (kind) {
      case PORT -> {
        String text = entry.value().utf8();
        yield text.substring(0, Math.max(0, text.lastIndexOf('/')));
      }
      case ADDRESS -> {
        MapNode parent = codec.decode(addresses, entry.value()).root().map("spec").map("parentRef");
        yield parent.text("resource").equals("services")
            ? parent.text("namespace") + "/" + parent.text("name")
            : "";
      }
    };
  }

  /** Repairs once; called by one thread at a time, every {@link #REPAIR_INTERVAL}. */
  public void repair() {
    Map<Kind, Map<String, String>> used =
        Map.of(Kind.ADDRESS, new HashMap<>(), Kind.PORT, new HashMap<>());
    long unused =
        store.list(
            services,
            "",
            entry -> {
              ApiObject service = codec.decode(services, entry.value());
              String owner = service.meta().namespace() + "/" + service.meta().name();
              forEachUse(
                  service.root().map("spec"),
                  (kind, value) -> Objects.requireNonNull(used.get(kind)).put(value, owner));
            });
    Map<String, Long> ownerless = new HashMap<>();
    used.forEach((kind, owners) -> repair(kind, owners, ownerless));
    suspects.clear();
    suspects.putAll(ownerless);
  }

  private void repair(Kind kind, Map<String, String> owners, Map<String, Long> ownerless) {
    Set<String> allocated = new HashSet<>();
    long unused =
        store.list(
            type(kind),
            "",
            entry -> {
              String value = ObjectStore.name(entry.key());
              allocated.add(value);
              String owner = owner(kind, entry);
              if (!owner.isEmpty() && !owner.equals(owners.get(value))) {
                removeUnused(kind, value, entry.modRevision(), ownerless);
              }
            });
    owners.forEach(
        (value, owner) -> {
          if (!allocated.contains(value)) {
            int slash = owner.indexOf('/');
            boolean made =
                allocate(kind, value, owner.substring(0, slash), owner.substring(slash + 1));
            LOG.debugf("event=allocation-restored kind=%s value=%s made=%s", kind, value, made);
          }
        });
  }

  private void removeUnused(Kind kind, String value, long revision, Map<String, Long> ownerless) {
    String key = kind + "/" + value;
    Long before = suspects.get(key);
    if (before != null && before == revision) {
      WriteOutcome outcome = store.delete(type(kind), "", value, revision);
      LOG.infof("event=allocation-removed kind=%s value=%s outcome=%s", kind, value, outcome);
    } else {
      ownerless.put(key, revision);
    }
  }

  /** Passes every address and port in the spec of a Service to {@code sink}. */
  public static void forEachUse(MapNode spec, BiConsumer<Kind, String> sink) {
    Set<String> addresses = new HashSet<>();
    addresses.add(spec.text("clusterIP"));
    for (Node item : spec.items("clusterIPs")) {
      if (item instanceof Node.Text text) {
        addresses.add(text.value());
      }
    }
    addresses.remove("");
    addresses.remove("None");
    addresses.forEach(value -> sink.accept(Kind.ADDRESS, value));
    Set<Long> ports = new HashSet<>();
    if (spec.get("healthCheckNodePort") instanceof Node.Int port) {
      ports.add(port.value());
    }
    for (Node item : spec.items("ports")) {
      if (item instanceof MapNode port && port.get("nodePort") instanceof Node.Int number) {
        ports.add(number.value());
      }
    }
    ports.remove(0L);
    ports.forEach(value -> sink.accept(Kind.PORT, Long.toString(value)));
  }
}
